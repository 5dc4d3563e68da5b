import { ParleyError } from '@parley/sdk';
import { afterAll, describe, expect, it } from 'vitest';
import { openChat } from '../end-to-end/api-client.ts';
import { startTestService } from '../factories/start-test-service.ts';
import { createTrackedPlatform } from '../factories/tracked-platform.ts';
import { ReferenceClient } from './reference-client.ts';

const tracked = createTrackedPlatform('tracked');
const failing = createTrackedPlatform('failing', new ParleyError('platform_unauthorized', 'The token is not known'));
const service = await startTestService({ extensions: { platforms: [tracked.platform, failing.platform] } });
const client = new ReferenceClient(service);
const system = '/api/v1/system';

afterAll(() => service.stop());

describe('the page', () => {
  it('GET /healthz: is fine, for everybody', async () => {
    const answer = await service.request({ url: '/healthz' });
    expect([answer.status, answer.body]).toEqual([200, { code: 0, msg: 'ok' }]);
  });

  it('GET /: the page', async () => {
    const answer = await service.request({ url: '/' });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('GET /{path}: the page again, and JSON where the API has nothing', async () => {
    for (const url of ['/home/bots', '/login']) {
      expect((await service.request({ url })).headers['content-type']).toBe('text/html; charset=utf-8');
    }
    // A client with an empty cloud address asks here for a marketplace, without a token, and must not be signed out.
    for (const url of [
      '/api/v1/dist/info/releases',
      '/api/v1/marketplace/plugins',
      '/api/v1/nothing',
      '/bots/nothing',
    ]) {
      const answer = await new ReferenceClient(service, null).send('GET', url);
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    }
  });
});

describe('the system', () => {
  it('GET /api/v1/system/info: every field that the client reads at its start', async () => {
    const info = await new ReferenceClient(service, 'test-token').get(`${system}/info`);
    expect(info).toEqual({
      version: 'v4.9.5',
      debug: false,
      edition: 'community',
      enable_marketplace: false,
      cloud_service_url: expect.stringMatching(/^https:\/\/./),
      allow_modify_login_info: true,
      disable_models_service: true,
      limitation: { max_bots: -1, max_pipelines: -1, max_extensions: -1 },
      public_url: null,
      wizard_status: 'none',
      wizard_progress: null,
    });
  });

  it('PUT /api/v1/system/wizard/progress: any object, which replaces the one before', async () => {
    const progress = { step: 2, selected_adapter: 'telegram', created_bot_uuid: null, bot_saved: false };
    expect(await client.put(`${system}/wizard/progress`, { step: 1, selected_runner: 'local-agent' })).toEqual({});
    await client.put(`${system}/wizard/progress`, { ...progress, note: 'x'.repeat(300) });
    await client.put(`${system}/wizard/progress`, progress);
    expect(await client.get(`${system}/info`)).toMatchObject({ wizard_status: 'none', wizard_progress: progress });
    const read = (await client.get(`${system}/info`)).wizard_progress;
    await client.put(`${system}/wizard/progress`, read);
    expect((await client.get(`${system}/info`)).wizard_progress).toEqual(read);
    expect((await client.refused('PUT', `${system}/wizard/progress`, [1])).status).toBe(400);
  });

  it('POST /api/v1/system/wizard/completed: is remembered, with or without a body', async () => {
    expect((await client.refused('POST', `${system}/wizard/completed`, { status: 'half' })).status).toBe(400);
    expect(await client.post(`${system}/wizard/completed`, { status: 'skipped' })).toEqual({});
    expect(await client.get(`${system}/info`)).toMatchObject({ wizard_status: 'skipped', wizard_progress: null });
    await client.post(`${system}/wizard/completed`);
    expect(await client.get(`${system}/info`)).toMatchObject({ wizard_status: 'completed' });
  });

  it('GET /api/v1/system/tasks: never fails, also after the task of a bot was cancelled', async () => {
    const bots = '/api/v1/platform/bots';
    const form = { name: 'A bot', description: '', adapter: 'tracked', adapter_config: { token: 'token-012345' } };
    const { uuid } = await client.post(bots, { ...form, enable: true });
    const { uuid: bad } = await client.post(bots, { ...form, name: 'Bad', adapter: 'failing', enable: true });
    const taskOf = async (bot: string) =>
      (await client.get(`${system}/tasks`)).tasks.find(
        ({ task_context }: { task_context: { metadata: { bot_uuid?: string } } }) =>
          task_context.metadata.bot_uuid === bot,
      );
    await expect.poll(async () => (await taskOf(uuid))?.task_context.current_action).toBe('running');
    const running = await taskOf(uuid);
    expect(running).toMatchObject({
      id: expect.any(Number),
      task_type: 'system',
      kind: 'platform-adapter',
      name: 'platform-adapter-tracked',
      label: 'A bot',
      scopes: expect.arrayContaining(['platform']),
      runtime: { done: false, state: 'PENDING', exception: null, exception_traceback: null, result: null },
    });
    expect(running.task_context.log).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \| \w+ \| .+\n/);
    await expect.poll(async () => (await taskOf(bad))?.task_context.log).toContain('not connected');
    await client.put(`${bots}/${uuid}`, { enable: false });
    await client.delete(`${bots}/${bad}`);
    await expect.poll(async () => (await taskOf(uuid)).runtime.state).toBe('CANCELLED');
    const { tasks, id_index } = await client.get(`${system}/tasks`);
    expect(id_index).toBeGreaterThan(Math.max(...tasks.map(({ id }: { id: number }) => id)));
    expect(await client.get(`${system}/tasks?type=user`)).toMatchObject({ tasks: [] });
    expect((await client.get(`${system}/tasks?type=&kind=`)).tasks).toHaveLength(tasks.length);
  });

  it('GET /api/v1/system/tasks/{id}: the task itself', async () => {
    const { tasks } = await client.get(`${system}/tasks`);
    expect(await client.get(`${system}/tasks/${tasks[0].id}`)).toEqual(tasks[0]);
    for (const id of [999_999, 'x', 0]) {
      expect(await client.refused('GET', `${system}/tasks/${id}`)).toMatchObject({ status: 404, reason: 'not_found' });
    }
  });

  it('GET /api/v1/system/status/plugin-system: plugins can be used', async () => {
    expect(await client.get(`${system}/status/plugin-system`)).toEqual({
      is_enable: true,
      is_connected: true,
      plugin_connector_error: 'ok',
    });
  });

  it('POST /api/v1/system/debug/exec: is refused, whatever it is sent', async () => {
    expect(await client.refused('POST', `${system}/debug/exec`, { code: '1' })).toMatchObject({
      status: 403,
      code: -1,
      msg: 'Forbidden',
    });
  });

  it('POST /api/v1/system/debug/plugin/action: is refused, whatever it is sent', async () => {
    const body = { action: 'ping', data: {} };
    expect((await client.refused('POST', `${system}/debug/plugin/action`, body)).status).toBe(403);
  });
});

describe('figures, logs and surveys', () => {
  it('GET /api/v1/stats/basic: what was counted', async () => {
    const { pipelines } = await client.get('/api/v1/pipelines');
    const headers = { authorization: `Bearer ${client.token}` };
    const chat = await openChat(service.address, { pipeline: pipelines[0].uuid, headers });
    chat.say('Hello');
    await chat.answer();
    await chat.close();
    const counts = { active_session_count: 1, conversation_count: 1, query_count: 1 };
    expect(await client.get('/api/v1/stats/basic')).toEqual(counts);
  });

  it('GET /api/v1/logs: where an answer ends, the next one begins', async () => {
    const { end_page_number, end_offset, logs } = await client.get('/api/v1/logs');
    expect([typeof logs, typeof end_page_number, typeof end_offset]).toEqual(['string', 'number', 'number']);
    const query = `start_page_number=${end_page_number}&start_offset=${end_offset}`;
    expect(await client.get(`/api/v1/logs?${query}`)).toEqual({ logs: '', end_page_number, end_offset });
    expect((await client.refused('GET', '/api/v1/logs?start_offset=x')).status).toBe(400);
  });

  it('GET /api/v1/survey/pending: none', async () => {
    expect(await client.get('/api/v1/survey/pending')).toEqual({ survey: null });
  });

  it('POST /api/v1/survey/respond: there is none to respond to', async () => {
    const body = { survey_id: 's', answers: { q1: 'a' }, completed: true };
    expect((await client.refused('POST', '/api/v1/survey/respond', body)).status).toBe(404);
    expect((await client.refused('POST', '/api/v1/survey/respond', {})).status).toBe(400);
  });

  it('POST /api/v1/survey/dismiss: there is none to dismiss', async () => {
    expect((await client.refused('POST', '/api/v1/survey/dismiss', { survey_id: 's' })).status).toBe(404);
  });
});

describe('what the pages poll of what there is nothing of yet', () => {
  it.each([
    ['/api/v1/knowledge/bases', 'bases'],
    ['/api/v1/plugins', 'plugins'],
    ['/api/v1/mcp/servers', 'servers'],
    ['/api/v1/monitoring/embedding-calls', 'embedding_calls'],
    ['/api/v1/monitoring/feedback?feedbackType=1', 'feedback'],
  ])('%s has no %s', async (url, field) => {
    expect((await client.get(url))[field]).toEqual([]);
  });

  it.each([
    ['/api/v1/monitoring/messages', 'messages'],
    ['/api/v1/monitoring/data?limit=50', 'sessions'],
  ])('%s has the %s of the chat', async (url, field) => {
    expect((await client.get(url))[field]).not.toEqual([]);
  });

  it.each([
    '/api/v1/knowledge/migration/status',
    '/api/v1/plugins/debug-info',
    '/api/v1/monitoring/overview?startTime=2026-11-21T00:00:00.000Z&endTime=2026-11-22T00:00:00.000Z&botId=a&botId=b',
    '/api/v1/monitoring/feedback/stats',
  ])('%s is answered', async (url) => {
    expect(await client.get(url)).toEqual(expect.any(Object));
  });
});

it('never sends the client back to the sign-in page', () => {
  expect([client.reloads, client.token]).toEqual([0, service.account.token]);
});
