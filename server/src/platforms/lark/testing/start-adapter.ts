import type { OutgoingMessage, PlatformAdapter, SendProgress } from '@parley/sdk';
import { type FakeChat, type FakePlatformContext, fakePlatformContext } from '@parley/sdk/testing';
import { Default } from 'typebox/value';
import { afterEach } from 'vitest';
import { platformHost } from '../../../kit/testing/platform-host.ts';
import { createLark } from '../index.ts';
import type { Timing } from '../timing.ts';
import { FakeLark, type FakeLarkOptions } from './fake-lark.ts';
import { quickTiming } from './quick-timing.ts';

export interface StartOptions extends FakeLarkOptions {
  context?: Partial<FakePlatformContext>;
  timing?: Partial<Timing>;
  /** Default: true. */
  starts?: boolean;
}

/** For tests with a fake and adapters on it, which end with each test. */
export function larkTests() {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return async ({ context: over = {}, timing = {}, starts = true, ...options }: StartOptions = {}) => {
    const fake = await FakeLark.start(options);
    closing.push(() => fake.close());
    const platform = createLark({ ...quickTiming, ...timing });
    const config = Default(platform.config, fake.config()) as Record<string, unknown>;
    const context = fakePlatformContext({ ...platformHost.clients(config), ...over });
    const implementation = await platform.load();
    const adapter: PlatformAdapter = implementation.create(config, context);
    const served = await platformHost.serve({
      adapter: () => adapter,
      verifyAddress: async (request) => (await implementation.verifyAddress?.(config, request)) ?? null,
    });
    closing.push(() => served.close());
    fake.enterAddress(served);
    closing.push(() => adapter.stop());
    if (starts) await adapter.start();
    return { fake, adapter, context, config, platform, implementation };
  };
}

/** A message on its way to a chat. @param reply the message that it answers */
export function outgoing(
  chat: FakeChat,
  message_chain: OutgoingMessage['message_chain'],
  reply: string | null = null,
): OutgoingMessage {
  return {
    uuid: '00000000-0000-7000-8000-0000000000aa',
    sequence: 1,
    piece: 0,
    reply_to: reply === null ? null : { platform_message_id: reply, sender_id: 'ou_ada' },
    target: { ...chat, pipeline_uuid: null },
    message_chain,
    created_at: '2026-01-01T00:00:00.000Z',
    idempotency_token: crypto.randomUUID(),
  };
}

/** Records the handle of a message, as JSON. */
export function recordedProgress(handle: unknown = null, isInterrupted = false): SendProgress & { last(): unknown } {
  let last: unknown = handle;
  return {
    handle,
    isInterrupted,
    store: async (next) => {
      last = JSON.parse(JSON.stringify(next));
    },
    last: () => last,
  };
}
