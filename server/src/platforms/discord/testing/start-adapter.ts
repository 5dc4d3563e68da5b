import type { MessageChain, OutgoingMessage, PlatformAdapter, PlatformContext, SendProgress } from '@parley/sdk';
import { type FakeChat, type FakePlatformContext, fakePlatformContext } from '@parley/sdk/testing';
import { Default } from 'typebox/value';
import { afterEach, beforeEach } from 'vitest';
import { platformHost } from '../../../kit/testing/platform-host.ts';
import { DiscordConfig } from '../config.ts';
import { createDiscord } from '../index.ts';
import type { Timing } from '../timing.ts';
import { type FakeDiscord, startFakeDiscord } from './fake-discord.ts';

/** Times in which a test need not wait. */
export const quickTiming: Partial<Timing> = {
  callMs: 1000,
  transferMs: 2000,
  beginMs: 3000,
  firstPauseMs: 20,
  longestPauseMs: 100,
  stableMs: 500,
  identifyGapMs: 0,
  editMs: 0,
  sendMs: 0,
  stopMs: 300,
};

export interface AdapterOptions {
  config?: Record<string, unknown>;
  context?: Partial<PlatformContext>;
  timing?: Partial<Timing>;
}

/** An adapter connected to a fake through the service's own clients, not started. */
export async function createAdapter(
  fake: FakeDiscord,
  { config = {}, context = {}, timing = {} }: AdapterOptions = {},
) {
  const complete = Default(DiscordConfig, { ...fake.config(), ...config }) as Record<string, unknown>;
  const ofAdapter: FakePlatformContext = fakePlatformContext({ ...platformHost.clients(complete), ...context });
  const { create } = await createDiscord({ ...quickTiming, ...timing }).load();
  const adapter: PlatformAdapter = create(complete, ofAdapter);
  return { adapter, context: ofAdapter };
}

/** For tests with adapters: a fake for each test, and adapters that are stopped afterwards. */
export function adapterTests() {
  const adapters: PlatformAdapter[] = [];
  const tests = {
    fake: undefined as unknown as FakeDiscord,
    async create(options: AdapterOptions = {}) {
      const created = await createAdapter(tests.fake, options);
      adapters.push(created.adapter);
      return created;
    },
    async start(options: AdapterOptions = {}) {
      const created = await tests.create(options);
      await created.adapter.start();
      return created;
    },
    texts: () => tests.fake.sent().map(({ text }) => text),
  };
  beforeEach(async () => {
    tests.fake = await startFakeDiscord();
  });
  afterEach(async () => {
    await Promise.all(adapters.splice(0).map((adapter) => adapter.stop()));
    await tests.fake.close();
  });
  return tests;
}

export const plain = (text: string): MessageChain => [{ type: 'Plain', text }];

let count = 0;

/** A message on its way to a chat, with a token of its own. */
export function outgoing(chat: FakeChat, message_chain: MessageChain): OutgoingMessage {
  count += 1;
  const uuid = `00000000-0000-7000-8000-${count.toString(16).padStart(12, '0')}`;
  return {
    uuid,
    sequence: count,
    piece: 0,
    reply_to: null,
    target: { ...chat, pipeline_uuid: null },
    message_chain,
    created_at: '2026-01-01T00:00:00.000Z',
    idempotency_token: uuid,
  };
}

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
