import Type from 'typebox';
import { Secret } from '../src/config-schema.ts';
import { ParleyError } from '../src/errors.ts';
import type { MessageChain } from '../src/message-chain.ts';
import { textOfChain } from '../src/message-text.ts';
import type { Platform, PlatformAdapter } from '../src/platform.ts';
import { platformContract } from './platform-contract.ts';

/** The texts in the chat, by message. */
const shown = new Map<string, string>();

/** The smallest platform there can be. */
const memoryPlatform: Platform = {
  name: 'memory',
  label: { en_US: 'Memory' },
  categories: ['global'],
  description: { en_US: 'Keeps texts.' },
  capabilities: {
    proactive: 'any',
    streams: { person: { mode: 'replace', interval_ms: 0 } },
    text_limit: null,
    idempotent_sends: true,
    elements: ['Plain'],
    webhook: false,
  },
  config: Type.Object({ token: Secret(), greeting: Type.String({ default: 'Hello' }) }),
  load: async () => ({
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
        async send({ uuid, message_chain }) {
          assertRunning();
          shown.set(uuid, textOfChain(message_chain));
          return {};
        },
        async stream({ uuid }) {
          assertRunning();
          const show = async (chain: MessageChain) => {
            shown.set(uuid, textOfChain(chain));
            return {};
          };
          return { update: async (chain) => void (await show(chain)), finish: show };
        },
      };
    },
  }),
};

platformContract({
  platform: memoryPlatform,
  config: () => ({ token: 'secret' }),
  chat: { target: { session_type: 'person', session_id: 'someone' }, texts: () => [...shown.values()] },
});
