import type { Platform } from '../../../src/platform.ts';
import type { PlatformCapabilities } from '../../../src/platform-capabilities.ts';
import { InventedAdapter } from './adapter.ts';
import { InventedApi } from './api.ts';
import { type Defect, defaultTiming, InventedConfig, type InventedSettings, type InventedTiming } from './config.ts';
import { signIn } from './login.ts';
import { longest, split } from './render.ts';
import { verifyAddress } from './verify.ts';

export interface InventedOptions {
  timing?: Partial<InventedTiming>;
  /** Builds a fault in. */
  defect?: Defect;
}

/**
 * A platform that does not exist and is difficult in every respect: answers need tokens that are used once and expire,
 * five of them may follow a question, lengths count bytes, persons are answered by a stream that the platform polls.
 * Events come to a signed webhook or over a websocket. It proves the suite, and is an example for adapters.
 */
export function createInventedPlatform({ timing = {}, defect }: InventedOptions = {}): Platform {
  const complete = { ...defaultTiming, ...timing };
  const sharedOf = (config: Record<string, unknown>) => ({
    settings: config as InventedSettings,
    timing: complete,
    has: (one: Defect) => one === defect,
  });
  const capabilities: PlatformCapabilities = {
    proactive: 'window',
    streams: {
      person: { mode: 'pull', interval_ms: 0, duration_ms: complete.stream },
      group: { mode: 'replace', interval_ms: 0, duration_ms: complete.stream },
    },
    text_limit: { most: longest.message, unit: 'bytes', most_in_edit: longest.edit, messages: 5 },
    idempotent_sends: true,
    idempotency_ms: 600_000,
    reply_context: true,
    elements: ['Source', 'Plain', 'Quote', 'At', 'Image', 'Voice', 'File', 'Unknown'],
    webhook: true,
    typing_ms: 5000,
  };
  return {
    name: 'invented',
    label: { en_US: 'Invented' },
    description: { en_US: 'Proves the conformance suite' },
    categories: ['protocol'],
    capabilities,
    capabilitiesOf: ({ transport }) => ({ ...capabilities, webhook: transport === 'webhook' }),
    receives: ({ transport }) => (transport === 'webhook' ? 'requests' : 'connection'),
    config: InventedConfig,
    testable: true,
    login: { label: { en_US: 'Sign in' }, description: { en_US: 'Scan a code' } },
    load: async () => ({
      create: (config, context) => new InventedAdapter(sharedOf(config), context),
      split: (chain, config) => split(chain, sharedOf(config)),
      verifyAddress: async (config, request) => verifyAddress(request, sharedOf(config)),
      login: (config, context) => signIn(sharedOf(config), context),
      async test(config, { fetch, signal }) {
        const api = new InventedApi(sharedOf(config), { fetch }, signal);
        const { id, name } = await api.call({ method: 'GET', path: '/me' });
        return { id: String(id), name: String(name) };
      },
    }),
  };
}
