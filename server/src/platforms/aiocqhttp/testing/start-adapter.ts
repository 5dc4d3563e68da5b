import type { OutgoingMessage, PlatformAdapter, PlatformContext } from '@parley/sdk';
import { type FakeChat, type FakePlatformContext, fakePlatformContext } from '@parley/sdk/testing';
import { Default } from 'typebox/value';
import { platformHost } from '../../../kit/testing/platform-host.ts';
import { OneBotConfig } from '../config.ts';
import { createOneBot } from '../index.ts';
import type { Timing } from '../timing.ts';
import type { FakeOneBot } from './fake-onebot.ts';

/** Times in which a test need not wait. */
export const quickTiming: Partial<Timing> = {
  firstClientMs: 2000,
  actionMs: 500,
  transferMs: 500,
  lookupMs: 300,
  storePauseMs: 10,
  longestStorePauseMs: 50,
  connectPauseMs: 20,
  sendMs: 0,
  arrivalMs: 500,
  arrivedMs: 100,
  closeMs: 1000,
  stopMs: 1000,
};

export interface AdapterOptions {
  config?: Record<string, unknown>;
  context?: Partial<PlatformContext>;
  timing?: Partial<Timing>;
}

/** An adapter for a fake, with its context, not started. */
export async function createAdapter(fake: FakeOneBot, { config = {}, context: over, timing }: AdapterOptions = {}) {
  const settings = Default(OneBotConfig, { ...fake.config(), ...config }) as Record<string, unknown>;
  const { listen } = platformHost;
  const context: FakePlatformContext = fakePlatformContext({ ...platformHost.clients(settings), listen, ...over });
  const implementation = await createOneBot({ ...quickTiming, ...timing }).load();
  const adapter: PlatformAdapter = implementation.create(settings, context);
  return { adapter, context, implementation, settings };
}

/** A message on its way to a chat. */
export function outgoing(chat: FakeChat, message_chain: OutgoingMessage['message_chain']): OutgoingMessage {
  return {
    uuid: '00000000-0000-7000-8000-0000000000aa',
    sequence: 1,
    piece: 0,
    reply_to: null,
    target: { ...chat, pipeline_uuid: null },
    message_chain,
    created_at: '2026-01-01T00:00:00.000Z',
    idempotency_token: '00000000-0000-7000-8000-0000000000aa',
  };
}
