import { problemError, type Reason, reasons } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { citationReport, retrievalRecord } from '../../../test/factories/retrieval-records.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { DeliveryState } from './delivery.ts';
import { explanation, MessageExplainer } from './message-explanation.ts';
import type { DeliveryView, MessageReader, MessageStory, MessageView } from './message-reader.ts';

const stored = '2026-11-21T12:00:00.000Z';
const ended = '2026-11-21T12:00:02.500Z';
const now = Date.parse('2026-11-21T12:00:09.000Z');
const later = '2026-11-21T12:00:30.000Z';

function shown(over: Partial<MessageView> = {}): MessageView {
  return {
    uuid: 'question',
    bot_uuid: 'bot',
    conversation_uuid: 'conversation',
    pipeline_uuid: 'pipeline',
    session_type: 'person',
    session_id: 'ada',
    thread_id: '',
    direction: 'inbound',
    platform_message_id: '1',
    reply_to: null,
    sequence: 1,
    sender_id: 'ada',
    sender_name: 'Ada',
    session_name: 'Ada',
    facts: {},
    message_chain: [{ type: 'Plain', text: 'Hello' }],
    text: 'Hello',
    state: 'answered',
    reason: 'answered',
    merged_into: null,
    attempts: 1,
    created_at: stored,
    finished_at: ended,
    delivery_state: null,
    failure: null,
    ...over,
  };
}

const outbound = (delivery_state: DeliveryState | null, over: Partial<MessageView> = {}) =>
  shown({
    uuid: 'answer',
    direction: 'outbound',
    platform_message_id: null,
    state: 'finished',
    reason: null,
    attempts: 0,
    delivery_state,
    ...over,
  });

const delivery = (state: DeliveryState, over: Partial<DeliveryView> = {}): DeliveryView => ({
  piece: 0,
  message_chain: [],
  state,
  platform_message_id: null,
  reason: null,
  error: null,
  created_at: stored,
  updated_at: ended,
  ...over,
});

const story = (message: MessageView, over: Partial<MessageStory> = {}): MessageStory => ({
  message,
  deliveries: [],
  answer: null,
  reply_to: null,
  trace: null,
  model_calls: [],
  tool_calls: [],
  retrievals: [],
  citations: null,
  merged: [],
  queue: null,
  ...over,
});
const answeredBy = (message: MessageView, ...deliveries: DeliveryView[]) => ({ answer: { message, deliveries } });
const explain = (message: MessageView, over: Partial<MessageStory> = {}, absence: Reason | null = null) =>
  explanation(story(message, over), absence, now);

const waiting = (over: Partial<MessageView> = {}) =>
  shown({ state: 'received', reason: null, attempts: 0, finished_at: null, ...over });
const inTurn = { queue: { until: null, isBehind: false } };

describe('the summary of an inbound message', () => {
  it.each<[string, MessageView, Partial<MessageStory>, string]>([
    ['answered', shown(), answeredBy(outbound('sent')), 'The message was answered.'],
    [
      'answered, maybe',
      shown(),
      answeredBy(outbound('uncertain')),
      'The message was answered, but the platform did not confirm that all of the answer arrived.',
    ],
    [
      'ended by a rule',
      shown({ state: 'stopped', reason: 'group_rule_not_matched' }),
      {},
      `The message was not answered. ${reasons.group_rule_not_matched}`,
    ],
    [
      'ended by a rule that says so',
      shown({ state: 'stopped', reason: 'rate_limited' }),
      answeredBy(outbound('sent')),
      `The message was not answered. ${reasons.rate_limited} A notice was sent.`,
    ],
    [
      'ended by a rule whose notice did not arrive',
      shown({ state: 'stopped', reason: 'sensitive_word' }),
      answeredBy(outbound('failed')),
      `The message was not answered. ${reasons.sensitive_word}`,
    ],
    ['merged', shown({ state: 'stopped', reason: 'merged', merged_into: 'other' }), {}, reasons.merged],
    ['a command', shown({ state: 'stopped', reason: 'command' }), answeredBy(outbound('sent')), reasons.command],
    [
      'answered until its user stopped the answer',
      shown({ state: 'stopped', reason: 'answer_stopped' }),
      answeredBy(outbound('sent')),
      reasons.answer_stopped,
    ],
    ['a command of another user', shown({ state: 'stopped', reason: 'command_denied' }), {}, reasons.command_denied],
    [
      'failed',
      shown({ state: 'failed', reason: 'provider_timeout' }),
      answeredBy(outbound('sent')),
      `Processing failed. ${reasons.provider_timeout} A notice was sent.`,
    ],
    [
      'failed with a reason of a later version',
      shown({ state: 'failed', reason: 'moon_too_full' as Reason }),
      {},
      'Processing failed. Reason: moon_too_full.',
    ],
    ['in progress', shown({ state: 'processing', finished_at: null }), {}, 'The message is being processed.'],
    [
      'in progress, and shown',
      shown({ state: 'processing', finished_at: null }),
      answeredBy(outbound(null, { state: 'writing' })),
      'The message is being processed, and the answer is streaming.',
    ],
    [
      'being sent',
      shown({ state: 'processing', finished_at: null }),
      answeredBy(outbound('sending')),
      'The message was answered, and the answer is being sent.',
    ],
    ['waiting', waiting(), inTurn, 'The message is queued.'],
    ['waiting once more', waiting({ attempts: 1 }), inTurn, 'The message is queued for another attempt.'],
    [
      'waiting for more',
      waiting({ reason: 'aggregating' }),
      { queue: { until: later, isBehind: false } },
      `The message is queued until ${later}. ${reasons.aggregating}`,
    ],
    [
      'waiting for webhooks',
      waiting({ reason: 'awaiting_webhook', attempts: 0 }),
      { queue: { until: later, isBehind: false } },
      `The message is queued until ${later}. ${reasons.awaiting_webhook}`,
    ],
    [
      'waiting behind another, and what its webhooks say is not what holds it up',
      waiting({ reason: 'awaiting_webhook', attempts: 0 }),
      { queue: { until: null, isBehind: true } },
      'The message is queued behind an earlier message of its conversation.',
    ],
    [
      'no longer waiting for webhooks',
      waiting({ reason: 'awaiting_webhook', attempts: 0 }),
      inTurn,
      'The message is queued.',
    ],
    [
      'waiting behind another',
      waiting(),
      { queue: { until: null, isBehind: true } },
      'The message is queued behind an earlier message of its conversation.',
    ],
    [
      'waiting behind one that waits',
      waiting(),
      { queue: { until: later, isBehind: true } },
      `The message is queued until ${later} behind an earlier message of its conversation.`,
    ],
  ])('%s', (_, message, over, summary) => {
    expect(explain(message, over).summary).toBe(summary);
  });

  it.each(Object.keys(reasons) as Reason[])('consists of full sentences for %s', (reason) => {
    for (const message of [
      shown({ state: 'stopped', reason }),
      shown({ state: 'failed', reason }),
      waiting({ reason }),
    ]) {
      expect(explain(message, inTurn).summary).toMatch(/^[A-Z][^`]*\.$/);
    }
  });
});

describe('the summary of a message that goes out', () => {
  it.each<[string, MessageView, DeliveryView[], string]>([
    ['unsolicited', outbound('sent'), [delivery('sent')], 'The message was sent.'],
    ['an answer', outbound('sent', { reply_to: 'question' }), [delivery('sent')], 'The answer was sent.'],
    [
      'not sent',
      outbound('failed'),
      [delivery('failed', { reason: 'window_closed' })],
      `The message was not sent. ${reasons.window_closed}`,
    ],
    [
      'sent in part',
      outbound('failed', { reply_to: 'question' }),
      [delivery('sent'), delivery('failed', { piece: 1, reason: 'platform_failed' })],
      `A part of the answer was not sent. ${reasons.platform_failed}`,
    ],
    [
      'sent, maybe',
      outbound('uncertain'),
      [delivery('uncertain', { reason: 'interrupted' })],
      `It is not known whether the message arrived. ${reasons.interrupted}`,
    ],
    ['being sent', outbound('sending'), [delivery('sending')], 'The message is being sent.'],
    ['being written', outbound(null, { state: 'writing' }), [], 'The answer is streaming.'],
  ])('%s', (_, message, deliveries, summary) => {
    expect(explain(message, { deliveries }).summary).toBe(summary);
  });
});

describe('the explanation', () => {
  it('shows the trace of a message and the deliveries of its answer', () => {
    const gate = {
      name: 'runner',
      outcome: 'passed',
      reason: null,
      milliseconds: 12.5,
      details: { runner: 'local-agent' },
    } as const;
    const found = explain(shown({ attempts: 2 }), {
      ...answeredBy(outbound('sent'), delivery('sent', { platform_message_id: '77' })),
      trace: { attempt: 2, gates: [gate] },
      merged: ['other'],
    });
    expect(found).toMatchObject({
      outcome: 'answered',
      reason: 'answered',
      waiting: null,
      attempts: 2,
      total_milliseconds: 2500,
      steps: [gate],
      merged: ['other'],
      merged_into: null,
    });
    expect(found.deliveries).toEqual([
      {
        piece: 0,
        state: 'sent',
        platform_message_id: '77',
        reason: null,
        error: null,
        created_at: stored,
        updated_at: ended,
      },
    ]);
  });

  it('of a message without a trace has no steps', () => {
    expect(explain(shown())).toMatchObject({ steps: [], model_calls: [], tool_calls: [], deliveries: [] });
  });

  it('shows retrievals, the numbers of passages in the answer, and citations', () => {
    const retrieval = { ...retrievalRecord(), uuid: newUuid() };
    const explained = explain(shown(), { retrievals: [retrieval], citations: citationReport() });
    expect(explained.retrievals).toEqual([
      {
        ...retrieval,
        passages: [
          { ...retrieval.passages[0], cited_as: null },
          { ...retrieval.passages[1], cited_as: 1 },
        ],
      },
    ]);
    expect(explained.citations).toEqual({ cited: citationReport().citations, dropped: 1 });
    const uncited = explain(shown(), { retrievals: [retrieval] });
    expect(uncited.retrievals[0]?.passages.map(({ cited_as }) => cited_as)).toEqual([null, null]);
    expect(uncited.citations).toBeNull();
    expect(explain(shown())).toMatchObject({ retrievals: [], citations: null });
  });

  it('counts the time of an answer from when its question arrived, as its steps and calls are', () => {
    const answer = outbound('sent', { created_at: '2026-11-21T12:00:02.000Z', reply_to: 'question' });
    expect(explain(answer, { reply_to: shown() }).total_milliseconds).toBe(2500);
  });

  it('counts the time until now while the message is on its way', () => {
    expect(explain(waiting(), inTurn).total_milliseconds).toBe(9000);
    expect(explain(outbound('sending'), { deliveries: [delivery('sending')] }).total_milliseconds).toBe(9000);
    expect(explain(outbound(null, { state: 'writing' })).total_milliseconds).toBe(9000);
    expect(
      explain(outbound('sent'), { deliveries: [delivery('sent', { updated_at: later })] }).total_milliseconds,
    ).toBe(30_000);
    expect(explain(outbound('sent', { finished_at: null })).total_milliseconds).toBe(0);
    // The clock was put back in between.
    expect(explain(shown({ finished_at: '2026-11-21T11:00:00.000Z' })).total_milliseconds).toBe(0);
  });

  it('of an answer shows the state of its delivery and the attempts of its question', () => {
    const message = outbound('failed', { reply_to: 'question' });
    const deliveries = [delivery('sent'), delivery('failed', { piece: 1, reason: 'quota' })];
    expect(explain(message, { deliveries, reply_to: shown({ attempts: 3 }) })).toMatchObject({
      outcome: 'failed',
      reason: 'quota',
      attempts: 3,
      deliveries: [{ state: 'sent' }, { state: 'failed' }],
    });
    expect(explain(outbound(null, { state: 'writing' })).outcome).toBe('writing');
  });
});

describe('a failure', () => {
  const facts = {
    error: 'The model provider answered 404: gone.',
    response: { status: 404, text: 'gone' },
    hint: { code: 'base_url_version', parameters: { url: 'https://a.example/v1' } },
  } as const;
  const trace = { attempt: 1, gates: [], failure: facts, failures: { one: { response: facts.response, hint: null } } };
  const question = shown({ state: 'failed', reason: 'provider_failed' });

  it('has what the provider returned, and the cause', () => {
    expect(explain(question, { trace }).failure).toEqual({ reason: 'provider_failed', ...facts });
    expect(explain(question).failure).toEqual({ reason: 'provider_failed', error: null, response: null, hint: null });
    expect(explain(shown()).failure).toBeNull();
  });

  it('is that of its question for a notice that was sent', () => {
    const notice = outbound('sent', { state: 'failed', reply_to: 'question', failure: 'provider_failed' });
    expect(explain(notice, { trace, reply_to: question, deliveries: [delivery('sent')] })).toMatchObject({
      reason: 'provider_failed',
      failure: { reason: 'provider_failed', ...facts },
      summary: `Processing failed. ${reasons.provider_failed} A notice was sent instead of an answer.`,
    });
    // The notice of a rule is no failure.
    const ruled = shown({ state: 'stopped', reason: 'rate_limited' });
    expect(explain({ ...notice, failure: null }, { reply_to: ruled, deliveries: [delivery('sent')] })).toMatchObject({
      reason: null,
      failure: null,
    });
  });

  it('is that of the delivery', () => {
    const failed = delivery('failed', { reason: 'unknown_target', error: 'chat not found' });
    const expected = { reason: 'unknown_target', error: 'chat not found', response: null, hint: null };
    const undelivered = shown({ state: 'failed', reason: 'unknown_target' });
    expect(explain(undelivered, answeredBy(outbound('failed'), failed)).failure).toEqual(expected);
    expect(
      explain(outbound('failed', { reply_to: 'q' }), { reply_to: undelivered, deliveries: [failed] }).failure,
    ).toEqual(expected);
  });

  it('of a model call is found by its id', () => {
    const call = { uuid: 'one', reason: 'provider_failed' } as MessageStory['model_calls'][number];
    const calls = explain(shown(), { trace, model_calls: [call, { ...call, uuid: 'two' }] }).model_calls;
    expect(calls.map(({ failure }) => failure)).toEqual([{ response: facts.response, hint: null }, null]);
  });
});

it('counts the time of an answer from its question, like the steps', () => {
  const message = outbound('sent', { reply_to: 'question', created_at: '2026-11-21T12:00:05.000Z' });
  const question = shown({ created_at: '2026-11-21T12:00:00.000Z' });
  const deliveries = [delivery('sent', { updated_at: '2026-11-21T12:00:06.000Z' })];
  expect(
    explain({ ...message, finished_at: '2026-11-21T12:00:05.500Z' }, { reply_to: question, deliveries })
      .total_milliseconds,
  ).toBe(6000);
});

describe('the explainer', () => {
  const explainer = (found: MessageStory | null, absence: 'bot_not_running' | null) => {
    const reader = { story: async () => found } as Partial<MessageReader> as MessageReader;
    const bots = {
      status: () => ({
        state: absence === null ? ('running' as const) : ('error' as const),
        reason: null,
        error: null,
        since: '',
      }),
      absence: async () => absence ?? ('not_found' as const),
    };
    return new MessageExplainer(reader, bots);
  };

  it('knows when a message waits for its bot', async () => {
    const found = await explainer(story(waiting({ reason: 'aggregating' }), inTurn), 'bot_not_running').explain(
      'question',
    );
    expect(found.waiting).toEqual({ until: null, reason: 'bot_not_running' });
    expect(found.summary).toBe(`The message is queued. ${reasons.bot_not_running}`);
    const running = await explainer(story(waiting(), inTurn), null).explain('question');
    expect(running.waiting).toEqual({ until: null, reason: null });
  });

  it('does not ask for the bot of a message that has ended', async () => {
    expect(await explainer(story(shown()), 'bot_not_running').explain('question')).toMatchObject({
      waiting: null,
      summary: 'The message was answered.',
    });
  });

  it('does not know every message', async () => {
    await expect(explainer(null, null).explain('question')).rejects.toThrow(problemError('message_not_found'));
  });
});
