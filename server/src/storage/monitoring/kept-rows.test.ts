import { expect, it } from 'vitest';
import { writeMonitoredLedger } from '../../../test/factories/monitored-ledger.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { FeedbackService } from '../../core/feedback/feedback-service.ts';
import type { EmbeddingCall } from '../../core/monitoring/embedding-call.ts';
import { forgetOldEmbeddingCalls } from '../../core/monitoring/embedding-call.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyEmbeddingCallStore } from './kysely-embedding-call-store.ts';
import { KyselyFeedbackStore } from './kysely-feedback-store.ts';

const day = 86_400_000;
const daysAgo = (count: number) => new Date(Date.now() - count * day).toISOString();
const call: EmbeddingCall = {
  model_uuid: null,
  model_name: 'vectors',
  started_at: '',
  milliseconds: 3,
  prompt_tokens: 4,
  total_tokens: 5,
  input_count: 2,
  reason: 'provider_failed',
  error: 'busy',
  knowledge_base_uuid: 'base',
  plugin_id: null,
  query_text: 'where?',
  session_id: 'person_ada',
  message_uuid: 'message',
  call_type: 'retrieve',
};

describeOnEachEngine('rows for monitoring', (storage) => {
  const feedbackOf = (retentionDays: number) =>
    new FeedbackService(new KyselyFeedbackStore(storage().database), {
      bots: { byUuid: async () => null },
      retentionDays,
    });

  it('include calls of embedding models', async () => {
    await new KyselyEmbeddingCallStore(storage().database).record({ ...call, started_at: daysAgo(0) });
    const rows = await storage().database.selectFrom('embedding_calls').selectAll().execute();
    expect(rows).toEqual([{ ...call, started_at: expect.any(String), uuid: expect.any(String) }]);
  });

  it('is forgotten when it is old, some at a time', async () => {
    const calls = new KyselyEmbeddingCallStore(storage().database);
    for (const age of [40, 31, 29, 0]) await calls.record({ ...call, started_at: daysAgo(age) });
    expect(await forgetOldEmbeddingCalls(calls, 0, 10)).toBe(0);
    expect(await forgetOldEmbeddingCalls(calls, 30, 1)).toBe(1);
    expect(await forgetOldEmbeddingCalls(calls, 30, 10)).toBe(1);
    expect(await storage().database.selectFrom('embedding_calls').select('uuid').execute()).toHaveLength(2);
  });

  it('have the feedback of each caller on messages', async () => {
    const { database, engine } = storage();
    const place = { bot_uuid: newUuid(), pipeline_uuid: '', engine };
    const { answer, question } = await writeMonitoredLedger(database, place);
    const feedback = feedbackOf(0);
    await feedback.give(answer, 'account ada', { feedback_type: 1 });
    await feedback.give(answer, 'account bob', { feedback_type: 2 });
    const asked = [answer, question, newUuid()];
    expect(await feedback.given('account ada', asked)).toEqual([{ message_uuid: answer, feedback_type: 1 }]);
    expect(await feedback.given('account', asked)).toEqual([]);
    expect(await feedback.given('account ada', [])).toEqual([]);
  });

  it('is feedback, until it is old', async () => {
    const feedback = feedbackOf(30);
    for (const id of ['a', 'b', 'c']) await feedback.receive('bot', { feedback_id: id, feedback_type: 1 });
    const { database } = storage();
    await database
      .updateTable('feedbacks')
      .set({ created_at: daysAgo(31) })
      .where('feedback_id', '!=', 'c')
      .execute();
    expect(await feedbackOf(0).prune(10)).toBe(0);
    expect(await feedback.prune(1)).toBe(1);
    expect(await feedback.prune(10)).toBe(1);
    const left = await database.selectFrom('feedbacks').select(['feedback_id', 'bot_uuid']).execute();
    expect(left).toEqual([{ feedback_id: 'c', bot_uuid: 'bot' }]);
  });

  it('takes the place of earlier feedback of the same bot only', async () => {
    const feedback = feedbackOf(0);
    await feedback.receive('bot', { feedback_id: 'a', feedback_type: 1, feedback_content: 'x'.repeat(20_000) });
    await feedback.receive('other', { feedback_id: 'a', feedback_type: 1 });
    await feedback.receive('bot', { feedback_id: 'a', feedback_type: 2, feedback_content: 'No' });
    const rows = await storage().database.selectFrom('feedbacks').selectAll().orderBy('bot_uuid').execute();
    expect(rows).toMatchObject([
      { bot_uuid: 'bot', feedback_type: 2, feedback_content: 'No' },
      { bot_uuid: 'other', feedback_type: 1, feedback_content: null },
    ]);
  });
});
