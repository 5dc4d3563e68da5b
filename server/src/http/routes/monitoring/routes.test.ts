import { afterAll, describe, expect, it } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService({ listen: false });
const bearer = service.account.token;

afterAll(() => service.stop());

const read = (path: string) => service.request({ url: `/api/v1/monitoring/${path}`, bearer });
const page = { total: 0, limit: 100, offset: 0 };
const overview = {
  total_messages: 0,
  llm_calls: 0,
  embedding_calls: 0,
  model_calls: 0,
  success_rate: 100,
  active_sessions: 0,
};

it.each([
  ['overview', overview],
  ['messages', { messages: [], ...page }],
  ['llm-calls', { llm_calls: [], ...page }],
  ['embedding-calls', { embedding_calls: [], ...page }],
  ['sessions', { sessions: [], ...page }],
  ['errors', { errors: [], ...page }],
  ['feedback', { feedback: [], ...page }],
  ['feedback/stats', { total_feedback: 0, total_likes: 0, total_dislikes: 0, satisfaction_rate: 0, by_bot: [] }],
  [
    'data',
    {
      overview,
      messages: [],
      llmCalls: [],
      embeddingCalls: [],
      sessions: [],
      errors: [],
      totalCount: { messages: 0, llmCalls: 0, embeddingCalls: 0, sessions: 0, errors: 0 },
    },
  ],
  ['sessions/person_1/analysis', { session_id: 'person_1', found: false }],
])('GET /api/v1/monitoring/%s has nothing to tell', async (path, data) => {
  const answer = await read(path);
  expect(answer.body).toEqual({ code: 0, msg: 'ok', data });
});

it('knows no message', async () => {
  const answer = await read('messages/00000000-0000-7000-8000-000000000000/details');
  expect([answer.status, answer.body.reason]).toEqual([404, 'not_found']);
});

describe('GET /api/v1/monitoring/export', () => {
  it('is a table without rows', async () => {
    const answer = await read('export?type=errors&startTime=2026-11-21T00:00:00Z&limit=100000');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="monitoring-errors-\d+\.csv"$/);
    expect(answer.text).toBe(
      '\uFEFFid,timestamp,error_type,error_message,bot_id,bot_name,pipeline_id,pipeline_name,session_id,message_id,stack_trace\n',
    );
  });

  it.each([
    ['messages', 14],
    ['llm-calls', 16],
    ['embedding-calls', 14],
    ['sessions', 11],
    ['feedback', 15],
  ])('has its columns for %s', async (type, count) => {
    const columns = (await read(`export?type=${type}`)).text.slice(1).trim().split(',');
    expect(new Set(columns).size).toBe(count);
  });

  it.each(['', 'type=', 'type=accounts', 'type=__proto__', 'type=messages&type=errors'])(
    'answers 400 to "%s"',
    async (query) => {
      expect((await read(`export?${query}`)).status).toBe(400);
    },
  );
});

describe('the query', () => {
  const filter = 'botId=a&botId=b&pipelineId=c&startTime=2026-11-21T00:00:00Z&endTime=2026-11-22T00:00:00.123%2B02:00';

  it.each([
    `overview?${filter}`,
    `messages?${filter}&sessionId=s&sessionId=t`,
    `llm-calls?${filter}`,
    'embedding-calls?knowledgeBaseId=k&startTime=2026-11-21T00:00:00',
    `sessions?${filter}&isActive=true`,
    `errors?${filter}`,
    `data?${filter}&limit=50`,
    `feedback?${filter}&feedbackType=1`,
    `feedback/stats?${filter}`,
    'overview?startTime=2026-11-21&endTime=2026-11-22T00:00:00.123456',
  ])('may be %s', async (path) => {
    expect((await read(path)).status).toBe(200);
  });

  it('is limited to the maximum of a response', async () => {
    expect((await read('messages?limit=20&offset=40')).body.data).toMatchObject({ limit: 20, offset: 40 });
    expect((await read('errors?limit=100000')).body.data).toMatchObject({ limit: 1000, offset: 0 });
  });

  it.each([
    ['overview?startTime=yesterday', 'startTime'],
    ['overview?endTime=2026-13-45T00:00:00Z', 'endTime'],
    ['data?startTime=', 'startTime'],
    ['messages?limit=all', 'limit'],
    ['messages?limit=-1', 'limit'],
    ['sessions?offset=1.5', 'offset'],
    ['feedback?feedbackType=like', 'feedbackType'],
    ['data?limit=', 'limit'],
  ])('may not be %s', async (path, field) => {
    const answer = await read(path);
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].path).toBe(`query.${field}`);
  });
});

it.each(['messages', 'overview', 'data'])('has nothing to write under %s', async (path) => {
  const answer = await service.request({ method: 'POST', url: `/api/v1/monitoring/${path}`, bearer, json: {} });
  expect([answer.status, answer.body.reason]).toEqual([405, 'method_not_allowed']);
});
