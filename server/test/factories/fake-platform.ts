import type { OutgoingMessage, Platform } from '@parley/sdk';
import Type from 'typebox';

/** A platform that keeps what it is given, or refuses it. */
export interface FakePlatform {
  platform: Platform;
  /** What was sent, in order. */
  sent: OutgoingMessage[];
  /** Called with each message before it counts as sent; what it throws is what the platform answered. */
  refuse: (message: OutgoingMessage) => void;
}

/** A platform named `fake` for texts and mentions only. */
export function createFakePlatform(): FakePlatform {
  const fake: FakePlatform = {
    sent: [],
    refuse: () => {},
    platform: {
      name: 'fake',
      label: { en_US: 'Fake' },
      description: { en_US: 'A platform for tests' },
      categories: ['global'],
      capabilities: {
        proactive: 'any',
        streaming: false,
        edit_interval_ms: 0,
        elements: ['Plain', 'At'],
        sockets: false,
        webhook: false,
      },
      config: Type.Object({}),
      create: () => ({
        start: async () => {},
        stop: async () => {},
        send: async (message) => {
          fake.refuse(message);
          fake.sent.push(message);
        },
      }),
    },
  };
  return fake;
}
