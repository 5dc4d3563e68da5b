import type { OutgoingMessage, PlatformAdapter, SendProgress } from '@parley/sdk';
import { type FakeChat, type FakePlatformContext, fakePlatformContext } from '@parley/sdk/testing';
import { Default } from 'typebox/value';
import { afterEach, expect, it } from 'vitest';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { createLark } from './index.ts';
import { FakeLark, type FakeLarkOptions } from './testing/fake-lark.ts';
import { quickTiming } from './testing/quick-timing.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function started(options: FakeLarkOptions = {}, over: Partial<FakePlatformContext> = {}) {
  const fake = await FakeLark.start(options);
  closing.push(() => fake.close());
  const platform = createLark(quickTiming);
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
  await adapter.start();
  closing.push(() => adapter.stop());
  return { fake, adapter, context, platform, implementation };
}

const outgoing = (
  chat: FakeChat,
  message_chain: OutgoingMessage['message_chain'],
  reply: string | null = null,
): OutgoingMessage => ({
  uuid: '00000000-0000-7000-8000-0000000000aa',
  sequence: 1,
  piece: 0,
  reply_to: reply === null ? null : { platform_message_id: reply, sender_id: 'ou_ada' },
  target: { ...chat, pipeline_uuid: null },
  message_chain,
  created_at: '2026-01-01T00:00:00.000Z',
  idempotency_token: crypto.randomUUID(),
});
const progress = (): SendProgress => ({ handle: null, isInterrupted: false, store: async () => undefined });

it.each(['socket', 'webhook'] as const)('answers a message: %s', async (mode) => {
  const { fake, adapter, context } = await started({ mode });
  const { id, outcome } = await fake.deliver({ text: 'Hello 你好' });
  expect(outcome).toBe('acknowledged');
  expect(context.received).toMatchObject([{ platform_message_id: id, session_type: 'person', session_id: 'ou_ada' }]);
  await adapter.send(outgoing(fake.person(), [{ type: 'Plain', text: 'Good day' }], id));
  expect(fake.sent()).toMatchObject([{ text: 'Good day', chat: fake.person() }]);
  expect(fake.violations()).toEqual([]);
});

it('streams an answer in a card', async () => {
  const { fake, adapter } = await started();
  const { id } = await fake.deliver({ text: 'Hello' });
  const { message_chain: _, ...message } = outgoing(fake.person(), [], id);
  const stream = await adapter.stream?.(message, progress());
  await stream?.update([{ type: 'Plain', text: 'One' }]);
  expect(fake.sent()).toMatchObject([{ text: 'One', isUnfinished: true }]);
  await stream?.finish([{ type: 'Plain', text: 'One two' }]);
  expect(fake.sent()).toMatchObject([{ text: 'One two', isUnfinished: false }]);
});
