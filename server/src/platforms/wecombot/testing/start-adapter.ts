import type { OutgoingMessage, PlatformAdapter, ReplyContext } from '@parley/sdk';
import { type FakeChat, type FakePlatformContext, fakePlatformContext } from '@parley/sdk/testing';
import { Default } from 'typebox/value';
import { afterEach } from 'vitest';
import { platformHost } from '../../../kit/testing/platform-host.ts';
import { createWecomBot } from '../index.ts';
import type { Timing } from '../timing.ts';
import { type FakeWecomBotOptions, startFakeWecomBot } from './fake-wecombot.ts';
import { quickTiming } from './quick-timing.ts';

export interface StartOptions extends FakeWecomBotOptions {
  config?: Record<string, unknown>;
  timing?: Partial<Timing>;
}

/** For tests with a fake and an adapter on it, which end with each test. */
export function wecomBotTests() {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return async ({ config: over = {}, timing = {}, ...options }: StartOptions = {}) => {
    const fake = await startFakeWecomBot(options);
    closing.push(() => fake.close());
    const platform = createWecomBot({ ...quickTiming, ...timing });
    const config = Default(platform.config, { ...fake.config(), ...over }) as Record<string, unknown>;
    const context: FakePlatformContext = fakePlatformContext(platformHost.clients(config));
    const implementation = await platform.load();
    const adapter: PlatformAdapter = implementation.create(config, context);
    const served = await platformHost.serve({
      adapter: () => adapter,
      verifyAddress: async (request) => (await implementation.verifyAddress?.(config, request)) ?? null,
    });
    closing.push(() => served.close());
    fake.enterAddress(served);
    closing.push(() => adapter.stop());
    await adapter.start();
    return { fake, adapter, context, config, implementation };
  };
}

let count = 0;

/** A message on its way to a chat. @param context of the message that it answers; null for an unsolicited one */
export function outgoing(
  chat: FakeChat,
  message_chain: OutgoingMessage['message_chain'],
  context: ReplyContext | undefined | null = null,
): OutgoingMessage {
  count += 1;
  const uuid = `00000000-0000-7000-8000-${String(count).padStart(12, '0')}`;
  const reply_to = context && { platform_message_id: 'msg1', sender_id: 'ada', context: context.value };
  return {
    uuid,
    sequence: 1,
    piece: 0,
    reply_to: reply_to ?? null,
    target: { ...chat, pipeline_uuid: null },
    message_chain,
    created_at: '2026-01-01T00:00:00.000Z',
    idempotency_token: uuid,
  };
}
