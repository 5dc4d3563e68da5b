import { setTimeout as delay } from 'node:timers/promises';
import { type Extension, type LoginStep, type Platform, Secret } from '@parley/sdk';
import Type from 'typebox';

/** The secret that a sign-in obtains. */
export const obtainedSecret = 'a secret of an app that was just made';

/** A platform with everything that its form may show; a sign-in waits for the nickname `goes on`. */
const platform: Platform = {
  name: 'LINEN',
  label: { en_US: 'Linen' },
  description: { en_US: 'A platform for tests' },
  categories: ['global'],
  icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#36c"/><circle cx="32" cy="32" r="16" fill="#fff"/></svg>',
  setup_steps: [{ en_US: 'Make an **app** in the console of Linen.' }, { en_US: 'Copy its secret.' }],
  capabilities: {
    proactive: 'any',
    streams: {},
    text_limit: null,
    idempotent_sends: false,
    elements: ['Plain'],
    webhook: true,
  },
  config: Type.Object({
    app_id: Type.String({ default: '', 'x-label': { en_US: 'App ID' } }),
    secret: Secret({ default: '', 'x-label': { en_US: 'App secret' } }),
    domain: Type.String({ default: 'linen.example.com', 'x-label': { en_US: 'Domain' }, 'x-advanced': true }),
  }),
  login: {
    label: { en_US: 'Sign in with Linen' },
    description: { en_US: 'Makes an app and fills in its credentials.' },
  },
  testable: true,
  load: async () => ({
    create: (config) => ({
      start: async () => undefined,
      stop: async () => undefined,
      accountId: () => (config.secret === obtainedSecret ? 'obtained' : 'other'),
      send: async () => ({}),
      handleWebhook: async () => ({ status: 200 }),
    }),
    test: async ({ secret }) => ({
      id: secret === obtainedSecret ? 'obtained' : 'other',
      name: null,
      findings: [
        { level: 'error', field: 'domain', text: { en_US: 'The app may not read messages. Add the permission.' } },
        { level: 'warning', text: { en_US: 'The app has no picture.' } },
      ],
    }),
    async *login(config, { signal }): AsyncIterable<LoginStep> {
      const expires_at = new Date(Date.now() + 60_000).toISOString();
      yield { state: 'waiting', url: 'https://linen.example.com/sign-in?code=1', expires_at };
      if (config.domain !== 'goes-on.example.com') await delay(600_000, undefined, { signal });
      yield { state: 'confirming' };
      yield { state: 'done', config: { app_id: 'app-1', secret: obtainedSecret }, account: null };
    },
  }),
};

export default { sdk: '^0.1.0', platforms: [platform] } satisfies Extension;
