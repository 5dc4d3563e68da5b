import type { MessageChain, PlatformAdapter, SendProgress } from '@parley/sdk';
import { afterEach, beforeEach } from 'vitest';
import { type FakeFault, type FakeTelegram, startFakeTelegram } from './fake-telegram.ts';
import { ada, forum, group } from './fixtures.ts';
import { type AdapterOptions, createAdapter } from './start-adapter.ts';

/** For tests that send: a fake for each test, with a few chats, and adapters that are stopped afterwards. */
export function sendingTests() {
  const adapters: PlatformAdapter[] = [];
  const tests = {
    fake: undefined as unknown as FakeTelegram,
    /** A started adapter with its context. */
    async start(options: AdapterOptions = {}) {
      const created = await createAdapter(tests.fake, options);
      adapters.push(created.adapter);
      await created.adapter.start();
      return created;
    },
    /** The texts in all chats. */
    texts: () => tests.fake.messages.map(({ text }) => text),
  };
  beforeEach(async () => {
    tests.fake = await startFakeTelegram();
    for (const chat of [ada, group, forum]) tests.fake.addChat(chat.id);
  });
  afterEach(async () => {
    await Promise.all(adapters.splice(0).map((adapter) => adapter.stop()));
    await tests.fake.close();
  });
  return tests;
}

export const plain = (text: string): MessageChain => [{ type: 'Plain', text }];

/** A rate limit, with any `retry_after`. */
export const limit = (retry_after?: unknown): FakeFault => ({
  kind: 'error',
  code: 429,
  description: 'Too Many Requests',
  ...(retry_after === undefined ? {} : { parameters: { retry_after: retry_after as number } }),
});

/** Records the progress of a message, for use in another attempt. */
export function recordedProgress(handle: unknown = null, isInterrupted = false) {
  const stored: unknown[] = [];
  const progress: SendProgress = {
    handle,
    isInterrupted,
    // As the service does: the handle is JSON by the time it comes back.
    store: async (next: unknown) => void stored.push(JSON.parse(JSON.stringify(next))),
  };
  return { stored, progress };
}
