import Type from 'typebox';
import { Secret } from '../src/config-schema.ts';
import { ParleyError } from '../src/errors.ts';
import type { Platform, PlatformAdapter } from '../src/platform.ts';
import { platformContract } from './platform-contract.ts';

/** The smallest platform there can be: what it is given to send goes nowhere. */
const memoryPlatform: Platform = {
  name: 'memory',
  label: { en_US: 'Memory' },
  categories: ['global'],
  description: { en_US: 'Keeps nothing.' },
  capabilities: {
    proactive: 'any',
    streaming: true,
    edit_interval_ms: 0,
    text_limit: null,
    idempotent_sends: true,
    elements: ['Plain'],
    sockets: false,
    webhook: false,
  },
  config: Type.Object({ token: Secret(), greeting: Type.String({ default: 'Hello' }) }),
  create(): PlatformAdapter {
    let running = false;
    const assertRunning = () => {
      if (!running) throw new ParleyError('bot_not_running', 'The platform is not connected.');
    };
    return {
      async start() {
        running = true;
      },
      async stop() {
        running = false;
      },
      async send() {
        assertRunning();
        return {};
      },
      async stream() {
        assertRunning();
        return { update: async () => undefined, finish: async () => ({}) };
      },
    };
  },
};

platformContract({ platform: memoryPlatform, config: () => ({ token: 'secret' }) });
