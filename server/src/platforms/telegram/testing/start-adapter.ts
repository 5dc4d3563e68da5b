import type { OutgoingMessage, PlatformAdapter, PlatformContext } from '@parley/sdk';
import { type FakePlatformContext, fakePlatformContext } from '@parley/sdk/testing';
import { Default } from 'typebox/value';
import { createGuardedFetch } from '../../../kit/guarded-fetch.ts';
import { TelegramConfig } from '../config.ts';
import { createTelegram } from '../index.ts';
import type { Timing } from '../timing.ts';
import type { FakeTelegram } from './fake-telegram.ts';

/** Times in which a test need not wait. */
export const quickTiming: Partial<Timing> = {
  pollMs: 1000,
  pollGraceMs: 500,
  callMs: 5000,
  transferMs: 5000,
  firstPauseMs: 20,
  longestPauseMs: 100,
  conflictPauseMs: 50,
  personEditMs: 0,
  groupEditMs: 0,
  personSendMs: 0,
  groupSendMs: 0,
  webhookCheckMs: 50,
  stopMs: 1000,
};

export interface AdapterOptions {
  config?: Record<string, unknown>;
  context?: Partial<PlatformContext>;
  timing?: Partial<Timing>;
}

const guardedFetch = createGuardedFetch({ policy: 'saved' });

/** An adapter connected to a fake, with its context, not started. */
export async function createAdapter(fake: FakeTelegram, options: AdapterOptions = {}) {
  const { config = {}, context: overrides = {}, timing = {} } = options;
  // The service's own HTTP client for adapters, which is more restrictive than others.
  const context: FakePlatformContext = fakePlatformContext({ fetch: guardedFetch, ...overrides });
  const complete = Default(TelegramConfig, { token: fake.token, api_base_url: fake.apiBaseUrl, ...config });
  const platform = createTelegram({ ...quickTiming, ...timing });
  const { create } = await platform.load();
  const adapter: PlatformAdapter = create(complete as Record<string, unknown>, context);
  return { adapter, context };
}

/** A message on its way to a chat. */
export function outgoing(
  chat: number | string,
  message_chain: OutgoingMessage['message_chain'],
  over: Partial<OutgoingMessage['target']> = {},
): OutgoingMessage {
  const session_type = Number(chat) < 0 ? 'group' : 'person';
  return {
    uuid: '00000000-0000-7000-8000-0000000000aa',
    sequence: 1,
    piece: 0,
    reply_to: null,
    target: { session_type, session_id: String(chat), thread_id: '', pipeline_uuid: null, ...over },
    message_chain,
    created_at: '2026-01-01T00:00:00.000Z',
    idempotency_token: '00000000-0000-7000-8000-0000000000aa',
  };
}
