import { afterAll, expect, it } from 'vitest';
import { writeMonitoredLedger } from '../factories/monitored-ledger.ts';
import { startTestService } from '../factories/start-test-service.ts';
import { ReferenceClient } from './reference-client.ts';

const service = await startTestService({ listen: false });
const client = new ReferenceClient(service);
const base = '/api/v1/monitoring';
const { uuid: pipeline } = await client.post('/api/v1/pipelines', { name: 'Answers' });
const bot = await service.createBot({ adapter: 'websocket', name: 'Helper', use_pipeline_uuid: pipeline });
const ledger = await writeMonitoredLedger(service.database, { bot_uuid: bot, pipeline_uuid: pipeline });
const route = { bot_id: bot, bot_name: 'Helper', pipeline_id: pipeline, pipeline_name: 'Answers' };
const day = new Date().toISOString().slice(0, 10);
// Without a time zone, as the web client sends it.
const filter = `botId=${bot}&pipelineId=${pipeline}&startTime=${day}T00:00:00&endTime=${day}T23:59:59.999Z`;

afterAll(() => service.stop());

it('GET /api/v1/monitoring/overview: what happened, in figures', async () => {
  const overview = {
    total_messages: 5,
    llm_calls: 4,
    embedding_calls: 0,
    model_calls: 4,
    // Of three messages that were not stopped by a rule, one was answered completely.
    success_rate: 33.33,
    active_sessions: 3,
  };
  expect(await client.get(`${base}/overview`)).toEqual(overview);
  expect(await client.get(`${base}/overview?${filter}`)).toEqual(overview);
  expect(await client.get(`${base}/overview?botId=another-bot`)).toMatchObject({
    total_messages: 0,
    success_rate: 100,
  });
  expect(await client.refused('GET', `${base}/overview?startTime=soon`)).toMatchObject({ status: 400, code: -1 });
});

it('GET /api/v1/monitoring/messages: both directions, newest first', async () => {
  const { messages, total, limit, offset } = await client.get(`${base}/messages?${filter}`);
  expect([messages.length, total, limit, offset]).toEqual([5, 5, 100, 0]);
  const [answer, question] = messages.slice(3);
  expect(question).toEqual({
    id: ledger.question,
    timestamp: expect.stringMatching(/Z$/),
    ...route,
    message_content: '[{"type":"Plain","text":"=1+1, is it?"}]',
    session_id: 'person_ada',
    status: 'success',
    level: 'info',
    platform: 'websocket',
    user_id: 'ada',
    user_name: 'ADA',
    runner_name: 'local-agent',
    variables: expect.stringContaining('"launcher_id":"ada"'),
    role: 'user',
  });
  expect(answer).toMatchObject({ id: ledger.answer, role: 'assistant', user_id: 'ada', runner_name: 'local-agent' });
  expect(messages.filter(({ status }: { status: string }) => status === 'error')).toHaveLength(2);
  const ofGroup = await client.get(`${base}/messages?sessionId=group_team&sessionId=person_unknown&limit=1`);
  expect(ofGroup).toMatchObject({ total: 2, limit: 1, messages: [{ session_id: 'group_team', role: 'assistant' }] });
  expect(await client.get(`${base}/messages?sessionId=team`)).toMatchObject({ messages: [], total: 0 });
  expect(await client.get(`${base}/messages?limit=1&offset=4`)).toMatchObject({ messages: [{ id: ledger.question }] });
  expect((await client.refused('GET', `${base}/messages?limit=many`)).status).toBe(400);
});

it('GET /api/v1/monitoring/llm-calls: with tokens, cost and what failed', async () => {
  const { llm_calls, total } = await client.get(`${base}/llm-calls?${filter}`);
  expect(total).toBe(4);
  expect(llm_calls.map(({ model_name, status }: Record<string, string>) => [model_name, status])).toEqual([
    ['small', 'success'],
    ['small', 'error'],
    ['large', 'success'],
    ['small', 'error'],
  ]);
  expect(llm_calls[2]).toEqual({
    id: expect.any(String),
    timestamp: expect.stringMatching(/Z$/),
    model_name: 'large',
    input_tokens: 100,
    output_tokens: 20,
    total_tokens: 120,
    duration: 300,
    cost: 0.0125,
    status: 'success',
    ...route,
    session_id: 'person_ada',
    error_message: null,
    message_id: ledger.question,
  });
  expect(llm_calls[3].error_message).toBe('The service is busy');
});

it('GET /api/v1/monitoring/embedding-calls: of the service, whichever bot it was for', async () => {
  await service.database
    .insertInto('embedding_calls')
    .values({
      uuid: '00000000-0000-7000-8000-00000000e001',
      model_uuid: null,
      model_name: 'vectors',
      milliseconds: 12,
      started_at: new Date().toISOString(),
      prompt_tokens: 5,
      total_tokens: 5,
      input_count: 1,
      reason: null,
      error: null,
      knowledge_base_uuid: 'base',
      query_text: 'where?',
      session_id: 'person_ada',
      message_uuid: ledger.question,
      call_type: 'retrieve',
    })
    .execute();
  const { embedding_calls, total } = await client.get(`${base}/embedding-calls?knowledgeBaseId=base`);
  expect(total).toBe(1);
  expect(embedding_calls[0]).toMatchObject({
    model_name: 'vectors',
    prompt_tokens: 5,
    total_tokens: 5,
    duration: 12,
    input_count: 1,
    status: 'success',
    knowledge_base_id: 'base',
    query_text: 'where?',
    call_type: 'retrieve',
    message_id: ledger.question,
  });
  expect((await client.get(`${base}/embedding-calls?knowledgeBaseId=other`)).total).toBe(0);
  expect(await client.get(`${base}/overview?botId=${bot}`)).toMatchObject({ embedding_calls: 1, model_calls: 5 });
});

it('GET /api/v1/monitoring/sessions: by their last activity', async () => {
  const { sessions, total } = await client.get(`${base}/sessions?${filter}`);
  expect(total).toBe(3);
  expect(sessions.map(({ session_id }: { session_id: string }) => session_id)).toEqual([
    'group_team',
    'person_bob',
    'person_ada',
  ]);
  expect(sessions[0]).toEqual({
    session_id: 'group_team',
    ...route,
    message_count: 2,
    start_time: expect.stringMatching(/Z$/),
    last_activity: expect.stringMatching(/Z$/),
    is_active: true,
    platform: 'websocket',
    user_id: 'carl',
    user_name: 'CARL',
    group_name: null,
  });
  expect((await client.get(`${base}/sessions?isActive=true`)).total).toBe(3);
  expect(await client.get(`${base}/sessions?isActive=false`)).toMatchObject({ sessions: [], total: 0 });
  expect(await client.get(`${base}/sessions?limit=1&offset=2`)).toMatchObject({
    sessions: [{ session_id: 'person_ada' }],
  });
});

it('GET /api/v1/monitoring/errors: by reason, without the inside of the program', async () => {
  const { errors, total } = await client.get(`${base}/errors?${filter}`);
  expect([errors.length, total]).toEqual([4, 4]);
  const types = errors.map(({ error_type }: { error_type: string }) => error_type).sort();
  expect(types).toEqual(['provider_failed', 'provider_timeout', 'quota', 'tool_failed']);
  const tool = errors.find(({ error_type }: { error_type: string }) => error_type === 'tool_failed');
  expect(tool).toEqual({
    id: expect.any(String),
    timestamp: expect.stringMatching(/Z$/),
    error_type: 'tool_failed',
    error_message: 'No numbers',
    ...route,
    session_id: 'person_ada',
    stack_trace: null,
    message_id: ledger.question,
  });
});

it('GET /api/v1/monitoring/data: the page of figures at once', async () => {
  const data = await client.get(`${base}/data?${filter}&limit=2`);
  expect(data.overview.total_messages).toBe(5);
  expect(data.totalCount).toEqual({ messages: 5, llmCalls: 4, embeddingCalls: 1, sessions: 3, errors: 4 });
  for (const name of ['messages', 'llmCalls', 'sessions', 'errors']) expect(data[name], name).toHaveLength(2);
  expect(data.embeddingCalls).toHaveLength(1);
});

it('GET /api/v1/monitoring/sessions/{session_id}/analysis: what a session was made of', async () => {
  const story = await client.get(`${base}/sessions/person_ada/analysis`);
  expect(story).toMatchObject({
    session_id: 'person_ada',
    found: true,
    session: { ...route, session_id: 'person_ada', message_count: 2 },
    message_stats: { total: 2, success: 2, error: 0, pending: 0 },
    llm_stats: {
      total_calls: 2,
      success_calls: 1,
      error_calls: 1,
      total_input_tokens: 110,
      total_output_tokens: 20,
      total_tokens: 130,
      average_duration_ms: 300,
    },
    session_duration_seconds: expect.any(Number),
  });
  expect(story.errors).toHaveLength(2);
  expect(await client.get(`${base}/sessions/person_zoe/analysis`)).toEqual({ session_id: 'person_zoe', found: false });
  expect((await client.get(`${base}/sessions/person_ada/analysis?botId=other`)).found).toBe(false);
});

it('GET /api/v1/monitoring/messages/{message_id}/details: a message with its calls', async () => {
  const details = await client.get(`${base}/messages/${ledger.question}/details`);
  expect(details).toMatchObject({
    message_id: ledger.question,
    found: true,
    message: { id: ledger.question, ...route },
    llm_calls: [{ model_name: 'large' }, { model_name: 'small' }],
    llm_stats: {
      total_calls: 2,
      total_input_tokens: 110,
      total_output_tokens: 20,
      total_tokens: 130,
      total_duration_ms: 600,
      average_duration_ms: 300,
    },
  });
  expect(details.errors).toHaveLength(2);
  expect((await client.get(`${base}/messages/${ledger.answer}/details`)).llm_calls).toHaveLength(2);
  const unknown = `${base}/messages/00000000-0000-7000-8000-000000000000/details`;
  expect(await client.refused('GET', unknown)).toMatchObject({ status: 404, reason: 'not_found' });
});

it('GET /api/v1/monitoring/export: a table for spreadsheets', async () => {
  const answer = await client.send('GET', `${base}/export?type=messages&${filter}`);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="monitoring-messages-\d+\.csv"$/);
  const lines = answer.text.split('\n');
  expect(lines).toHaveLength(7);
  expect(lines[0]).toBe(
    '\uFEFFid,timestamp,bot_id,bot_name,pipeline_id,pipeline_name,runner_name,message_content,message_text,session_id,' +
      'status,level,platform,user_id',
  );
  const timestamp = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
  expect(lines[5]).toMatch(new RegExp(`^${ledger.question},${timestamp},${bot},Helper,`));
  // What a spreadsheet would take for a formula.
  expect(lines[5]).toContain(`,"'=1+1, is it?",person_ada,success,info,websocket,ada`);
  expect((await client.refused('GET', `${base}/export?type=secrets`)).status).toBe(400);
});

it('GET /api/v1/monitoring/feedback: what people said, newest first', async () => {
  for (const [message, feedback_type] of [
    [ledger.answer, 1],
    [ledger.failed, 2],
  ] as const) {
    await client.post(`/api/v1/messages/${message}/feedback`, { feedback_type, inaccurate_reasons: ['late'] });
  }
  const { feedback, total } = await client.get(`${base}/feedback?${filter}`);
  expect(total).toBe(2);
  expect(feedback[1]).toEqual({
    id: expect.any(String),
    timestamp: expect.stringMatching(/Z$/),
    feedback_id: expect.stringContaining(ledger.answer),
    feedback_type: 1,
    feedback_content: null,
    inaccurate_reasons: '["late"]',
    ...route,
    session_id: 'person_ada',
    message_id: ledger.answer,
    stream_id: null,
    user_id: 'ada',
    platform: 'websocket',
  });
  expect(await client.get(`${base}/feedback?feedbackType=2`)).toMatchObject({
    total: 1,
    feedback: [{ message_id: ledger.failed }],
  });
});

it('GET /api/v1/monitoring/feedback/stats: how content people are', async () => {
  expect(await client.get(`${base}/feedback/stats?${filter}`)).toEqual({
    total_feedback: 2,
    total_likes: 1,
    total_dislikes: 1,
    satisfaction_rate: 50,
    by_bot: [{ bot_id: bot, bot_name: 'Helper', total: 2, likes: 1, dislikes: 1 }],
  });
  expect(await client.get(`${base}/feedback/stats?botId=other`)).toMatchObject({
    total_feedback: 0,
    satisfaction_rate: 0,
  });
});
