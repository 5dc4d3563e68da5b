import type { OutgoingMessage, PlatformAdapter } from '@parley/sdk';
import { type FakeChat, type FakePlatformContext, fakePlatformContext } from '@parley/sdk/testing';
import { Default } from 'typebox/value';
import { afterEach } from 'vitest';
import { platformHost } from '../../../kit/testing/platform-host.ts';
import { createDingTalk } from '../index.ts';
import type { Timing } from '../timing.ts';
import { FakeDingTalk, type FakeDingTalkOptions } from './fake-dingtalk.ts';
import { quickTiming } from './quick-timing.ts';

export interface StartOptions extends FakeDingTalkOptions {
  context?: Partial<FakePlatformContext>;
  timing?: Partial<Timing>;
  /** Over that of the fake. */
  config?: Record<string, unknown>;
}

/** For tests with a fake and adapters on it, which end with each test. */
export function dingTalkTests() {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return async ({ context: over = {}, timing = {}, config: given = {}, ...options }: StartOptions = {}) => {
    const fake = await FakeDingTalk.start(options);
    closing.push(() => fake.close());
    const platform = createDingTalk({ ...quickTiming, ...timing });
    const config = Default(platform.config, { ...fake.config(), ...given }) as Record<string, unknown>;
    const context = fakePlatformContext({ ...platformHost.clients(config), ...over });
    const implementation = await platform.load();
    const adapter: PlatformAdapter = implementation.create(config, context);
    closing.push(() => adapter.stop());
    await adapter.start();
    return { fake, adapter, context, config, implementation };
  };
}

/** A message on its way to a chat. @param webhook of the message that it answers; omitted for none */
export function outgoing(
  chat: FakeChat,
  message_chain: OutgoingMessage['message_chain'],
  webhook?: string,
): OutgoingMessage {
  const reply = { platform_message_id: 'question', sender_id: 'user_ada', context: { webhook } };
  return {
    uuid: crypto.randomUUID(),
    sequence: 1,
    piece: 0,
    reply_to: webhook === undefined ? null : reply,
    target: { ...chat, pipeline_uuid: null },
    message_chain,
    created_at: '2026-01-01T00:00:00.000Z',
    idempotency_token: crypto.randomUUID(),
  };
}
