import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../../test/stores/each-engine.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { addHours } from '../../core/monitoring/hours.ts';
import type { RecordFilter, RecordPlace } from '../../core/monitoring/monitoring-reader.ts';
import type { MonitoredRecords, RecordKind } from '../../core/monitoring/records.ts';
import { sumUp } from '../../core/monitoring/rollup-keeper.ts';
import type { Storage } from '../storage.ts';
import { openMonitoring } from './open-monitoring.ts';

const first = '2026-03-01T22:30:00.000Z';
const botOf = (index: number) => `bot-${index % 3}`;
const kinds: RecordKind[] = [
  'messages',
  'llm-calls',
  'tool-calls',
  'errors',
  'sessions',
  'embedding-calls',
  'feedback',
];

/** 60 questions in 60 hours, each in a separate conversation, with calls; every fifth failed. */
async function fill({ database }: Storage): Promise<void> {
  for (let index = 0; index < 60; index += 1) {
    const timestamp = addHours(first, index);
    const [conversation, question, answer] = [`c-${index}`, `q-${String(index).padStart(2, '0')}`, `a-${index}`];
    const failed = index % 5 === 0;
    await database
      .insertInto('conversations')
      .values({
        uuid: conversation,
        bot_uuid: botOf(index),
        pipeline_uuid: `pipeline-${index % 2}`,
        // Two conversations are of the same session.
        session_type: 'person',
        session_id: `person-${Math.floor(index / 6)}`,
        thread_id: String(index),
        is_current: 1,
        last_sequence: 2,
        runner_state: null,
        created_at: timestamp,
        updated_at: timestamp,
      })
      .execute();
    const message = {
      bot_uuid: botOf(index),
      conversation_uuid: conversation,
      message_chain: '[]',
      text: '',
      merged_into: null,
      sent_at: null,
      facts: null,
      created_at: timestamp,
      finished_at: timestamp,
    };
    await database
      .insertInto('messages')
      .values([
        {
          ...message,
          uuid: question,
          direction: 'inbound',
          platform_message_id: question,
          reply_to: null,
          sequence: 1,
          sender_id: 'ada',
          sender_name: 'Ada',
          state: failed ? 'failed' : 'answered',
          reason: failed ? 'quota' : 'answered',
        },
        {
          ...message,
          uuid: answer,
          direction: 'outbound',
          platform_message_id: null,
          reply_to: question,
          sequence: 2,
          sender_id: botOf(index),
          sender_name: '',
          state: 'finished',
          reason: null,
        },
      ])
      .execute();
    const call = { message_uuid: question, started_at: timestamp, milliseconds: 5, reason: null, error: null };
    await database
      .insertInto('model_calls')
      .values({
        ...call,
        uuid: `m-${index}`,
        model_uuid: null,
        model_name: 'model',
        first_piece_milliseconds: null,
        input_tokens: 1,
        output_tokens: 2,
        cost: null,
      })
      .execute();
    const tool = { tool_name: 'look_up', parameters: '{}', result: null, result_size: null };
    await database
      .insertInto('tool_calls')
      .values({ ...call, ...tool, uuid: `t-${index}`, state: failed ? 'interrupted' : 'succeeded' })
      .execute();
    await database
      .insertInto('embedding_calls')
      .values({
        uuid: `e-${index}`,
        model_uuid: null,
        model_name: 'vectors',
        started_at: timestamp,
        milliseconds: 1,
        prompt_tokens: 1,
        total_tokens: 1,
        input_count: 1,
        reason: null,
        error: null,
        query_text: null,
        knowledge_base_uuid: `base-${index % 2}`,
        session_id: null,
        message_uuid: null,
        call_type: 'embedding',
      })
      .execute();
    await database
      .insertInto('feedbacks')
      .values({
        uuid: `f-${index}`,
        feedback_id: `f-${index}`,
        created_at: timestamp,
        feedback_type: index % 2 === 0 ? 1 : 2,
        feedback_content: null,
        inaccurate_reasons: null,
        bot_uuid: botOf(index),
        pipeline_uuid: `pipeline-${index % 2}`,
        session_id: null,
        message_uuid: question,
        user_id: null,
        platform_message_id: null,
        stream_id: null,
        platform: null,
      })
      .execute();
  }
}

const timestampOf = (record: MonitoredRecords[RecordKind]) =>
  'last_activity' in record ? record.last_activity : record.timestamp;
const idOf = (record: MonitoredRecords[RecordKind]) =>
  'id' in record ? record.id : `${record.bot_id} ${record.session_id}`;

describe.each(engines)('records on %s', (engine) => {
  let storage: Storage;
  let monitoring: Awaited<ReturnType<typeof openMonitoring>>;
  // Once for all: no test changes anything.
  beforeAll(async () => {
    storage = await openTestStorage(engine);
    monitoring = await openMonitoring(storage);
    await fill(storage);
    await sql`delete from monitoring_marks`.execute(storage.database);
    await sumUp(monitoring.rollups, Date.parse(addHours(first, 50)));
  });
  afterAll(async () => {
    await monitoring.reader.close();
    await storage.close();
  });

  const page = (kind: RecordKind, filter: RecordFilter, limit: number, offset: number) =>
    monitoring.reader.page({ kind, filter, limit, offset, active_since: addHours(first, 58) });
  const exported = async (kind: RecordKind, filter: RecordFilter, limit: number) => {
    const records: MonitoredRecords[RecordKind][] = [];
    for (let after: RecordPlace | null = null; ; ) {
      const query = { kind, filter, limit, after, active_since: '' };
      const batch: Awaited<ReturnType<typeof monitoring.reader.batch>> = await monitoring.reader.batch(query);
      records.push(...batch.records);
      if (batch.next === null) return records;
      after = batch.next;
    }
  };

  it.each(kinds)('of %s are the same on pages and in files, newest first', async (kind) => {
    const filters: RecordFilter[] = [
      {},
      { bots: ['bot-1'] },
      { pipelines: ['pipeline-0'], from: addHours(first, 7), to: addHours(first, 40) },
      { bots: ['bot-0', 'bot-2'], to: addHours(first, 20) },
      { bots: ['bot-9'] },
      { from: addHours(first, 55) },
    ];
    for (const filter of filters) {
      const whole = await page(kind, filter, 1000, 0);
      expect(whole.records).toHaveLength(whole.total);
      const timestamps = whole.records.map(timestampOf);
      expect(timestamps).toEqual(timestamps.toSorted().reverse());
      expect(new Set(whole.records.map(idOf)).size).toBe(whole.total);
      const parts = [];
      for (let offset = 0; offset < whole.total; offset += 7) {
        const part = await page(kind, filter, 7, offset);
        expect(part.total).toBe(whole.total);
        parts.push(...part.records);
      }
      expect(parts).toEqual(whole.records);
      expect(await page(kind, filter, 7, whole.total)).toEqual({ records: [], total: whole.total });
      const strip = (records: MonitoredRecords[RecordKind][]) =>
        records.map((record) => ({ ...record, is_active: null }));
      expect(strip(await exported(kind, filter, 11))).toEqual(strip(whole.records));
    }
  });

  it.each<[RecordKind, RecordFilter, number]>([
    ['messages', {}, 120],
    ['messages', { bots: ['bot-1'] }, 40],
    ['messages', { pipelines: ['pipeline-1'], from: addHours(first, 30) }, 30],
    ['messages', { sessions: ['person_person-3'] }, 12],
    ['messages', { sessions: ['group_person-3', 'person_person-3'], bots: ['bot-0'] }, 4],
    ['llm-calls', { from: first, to: first }, 1],
    ['errors', {}, 12],
    ['errors', { bots: ['bot-0'] }, 4],
    ['tool-calls', { pipelines: ['pipeline-9'] }, 0],
    ['embedding-calls', { knowledge_base: 'base-1' }, 30],
    ['feedback', { feedback_type: 2, bots: ['bot-1'] }, 10],
    ['sessions', {}, 30],
    ['sessions', { bots: ['bot-2'] }, 10],
    ['sessions', { is_active: true }, 2],
    ['sessions', { is_active: false }, 28],
    ['sessions', { from: addHours(first, 54) }, 3],
  ])('of %s that meet %j are %d', async (kind, filter, count) => {
    expect((await page(kind, filter, 0, 0)).total).toBe(count);
    expect((await page(kind, filter, 1000, 0)).records).toHaveLength(count);
  });

  it('of sessions cover all conversations of a bot with a user', async () => {
    const { records } = await page('sessions', { bots: ['bot-0'] }, 1, 0);
    expect(records).toMatchObject([
      {
        session_id: 'person_person-9',
        bot_id: 'bot-0',
        bot_name: 'bot-0',
        message_count: 4,
        user_name: 'Ada',
        start_time: addHours(first, 54),
        last_activity: addHours(first, 57),
      },
    ]);
  });

  it('of sessions are counted if they have messages', async () => {
    const { reader } = monitoring;
    expect(await reader.activeSessions({})).toBe(30);
    expect(await reader.activeSessions({ from: addHours(first, 54) })).toBe(3);
    expect(await reader.activeSessions({ to: addHours(first, 5) })).toBe(3);
    expect(await reader.activeSessions({ from: addHours(first, 1), to: addHours(first, 2) })).toBe(2);
    expect(await reader.activeSessions({ from: addHours(first, 61), to: addHours(first, 70) })).toBe(0);
    expect(await reader.activeSessions({ bots: ['bot-1'], pipelines: ['pipeline-0'] })).toBe(10);
  });

  it('cover a message and a session', async () => {
    const { reader } = monitoring;
    expect(await reader.messageDetails('q-05')).toMatchObject({
      message: { id: 'q-05', status: 'error' },
      llm_calls: [{ id: 'm-5' }],
      errors: [
        { id: 't-5', error_type: 'internal' },
        { id: 'q-05', error_type: 'quota' },
      ],
    });
    expect(await reader.messageDetails('nothing')).toBeNull();
    expect(await reader.sessionStory('person_person-0', { bots: ['bot-2'] }, '')).toMatchObject({
      messages: { total: 4, success: 3, error: 1, pending: 0 },
      llm_calls: { calls: 2, failures: 0, input_tokens: 2, output_tokens: 4, milliseconds: 10 },
      // Each fault once: the failed tool call is the same as the failed message.
      errors: [{ message_id: 'q-05' }],
    });
    expect(await reader.sessionStory('person_unknown', {}, '')).toBeNull();
    expect(await reader.sessionStory('unknown', {}, '')).toBeNull();
  });

  it('of feedback are counted for each bot', async () => {
    const counts = await monitoring.reader.feedbackCounts({ to: addHours(first, 9) });
    expect(counts).toEqual([
      { bot_id: 'bot-0', bot_name: 'bot-0', likes: 2, dislikes: 2 },
      { bot_id: 'bot-1', bot_name: 'bot-1', likes: 1, dislikes: 2 },
      { bot_id: 'bot-2', bot_name: 'bot-2', likes: 2, dislikes: 1 },
    ]);
  });
});
