import { afterAll, describe, expect, it } from 'vitest';
import { openChat } from '../end-to-end/api-client.ts';
import { multipart, multipartType } from '../factories/multipart.ts';
import { startTestService } from '../factories/start-test-service.ts';
import { ReferenceClient, unknownUuid } from './reference-client.ts';

const service = await startTestService();
const client = new ReferenceClient(service);
const list = '/api/v1/pipelines';
let pipeline = '';

afterAll(() => service.stop());

const shown = async (uuid = pipeline) => (await client.get(`${list}/${uuid}`)).pipeline;
const named = (name: string) => (found: { name: string }) => found.name === name;

describe('the pipeline form', () => {
  it('POST /api/v1/pipelines: fills in the configuration, and leaves nothing of one that it refuses', async () => {
    const made = await client.post(list, { name: 'A pipeline', description: 'for tests', emoji: '🧪', config: {} });
    expect(made).toEqual({ uuid: expect.any(String) });
    pipeline = made.uuid;
    const before = await client.get(list);
    expect((await client.refused('POST', list, { description: 'nameless' })).status).toBe(400);
    expect((await client.refused('POST', list, { name: 'x', config: { ai: { runner: 1 } } })).status).toBe(400);
    expect(await client.get(list)).toEqual(before);
  });

  it('GET /api/v1/pipelines/_/metadata: four tabs, each runner with a stage of its own name', async () => {
    const { configs } = await client.get(`${list}/_/metadata`);
    expect(configs.map(({ name }: { name: string }) => name).sort()).toEqual(['ai', 'output', 'safety', 'trigger']);
    const { stages } = configs.find(named('ai'));
    const runners = stages.find(named('runner')).config.find(named('runner')).options;
    const names = stages.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(runners.map(({ name }: { name: string }) => name)));
    for (const tab of configs) {
      for (const stage of tab.stages) {
        expect(stage.label.en_US).toEqual(expect.any(String));
        for (const field of stage.config) {
          expect(field).toMatchObject({ name: expect.any(String), type: expect.any(String), label: expect.anything() });
        }
      }
    }
  });

  it('GET /api/v1/pipelines/{pipeline_uuid}: with the four tabs filled in', async () => {
    const read = await shown();
    expect(read).toMatchObject({ name: 'A pipeline', description: 'for tests', emoji: '🧪', is_default: false });
    expect(Object.keys(read.config).sort()).toEqual(['ai', 'output', 'safety', 'trigger']);
    expect(read.config.ai.runner.runner).toBe('local-agent');
    expect(read.stages).toHaveLength(12);
    expect(await client.refused('GET', `${list}/${unknownUuid}`)).toMatchObject({
      status: 404,
      msg: 'pipeline not found',
    });
  });

  it('PUT /api/v1/pipelines/{pipeline_uuid}: the whole configuration with masked keys, and what was read', async () => {
    const url = `${list}/${pipeline}`;
    const { name, description, emoji, config } = await shown();
    const key = 'app-0123456789abcdef';
    config.ai.runner.runner = 'dify-service-api';
    config.ai['dify-service-api'] = { ...config.ai['dify-service-api'], 'api-key': key };
    expect(await client.put(url, { name, description, emoji, config })).toEqual({});
    const read = await shown();
    expect(read.config.ai['dify-service-api']['api-key']).toMatch(/…/);
    // The wizard reads the configuration back and changes one part.
    read.config.trigger['group-respond-rules'].prefix = ['bot'];
    await client.put(url, read);
    expect(await shown()).toEqual({ ...read, version: read.version + 1, updated_at: expect.any(String) });
    read.config.ai['dify-service-api']['base-url'] = 'http://127.0.0.1:1';
    expect(await client.refused('PUT', url, { config: read.config })).toMatchObject({
      status: 400,
      reason: 'secret_required',
    });
    for (const wrong of [{ config: { ai: { runner: 1 } } }, { name: '' }, { unknown: 1 }]) {
      expect((await client.refused('PUT', url, wrong)).status).toBe(400);
    }
    expect((await shown()).config.trigger).toEqual(read.config.trigger);
    expect((await client.refused('PUT', `${list}/${unknownUuid}`, { name })).status).toBe(404);
    config.ai.runner.runner = 'local-agent';
    await client.put(url, { name: 'Renamed', config });
  });

  it('GET /api/v1/pipelines: the newest first, or as it is asked for', async () => {
    const namesBy = async (query: string) =>
      (await client.get(`${list}?${query}`)).pipelines.map(({ name }: { name: string }) => name);
    expect(await namesBy('')).toEqual(['Renamed', 'Default pipeline']);
    expect(await namesBy('sort_by=created_at&sort_order=ASC')).toEqual(['Default pipeline', 'Renamed']);
    expect(await namesBy('sort_by=updated_at&sort_order=DESC')).toEqual(['Renamed', 'Default pipeline']);
    expect(await namesBy('sort_by=nothing')).toHaveLength(2);
    expect((await client.get(list)).pipelines[0].config).toHaveProperty('ai');
  });

  it('GET /api/v1/pipelines/{pipeline_uuid}/extensions: plugins are enabled, MCP servers have to be bound, and there is nothing yet', async () => {
    expect(await client.get(`${list}/${pipeline}/extensions`)).toEqual({
      enable_all_plugins: true,
      enable_all_mcp_servers: false,
      bound_plugins: [],
      available_plugins: [],
      bound_mcp_servers: [],
      available_mcp_servers: [],
      mcp_tool_users: {},
    });
    expect((await client.refused('GET', `${list}/${unknownUuid}/extensions`)).status).toBe(404);
  });

  it('PUT /api/v1/pipelines/{pipeline_uuid}/extensions: replaces all of it', async () => {
    const url = `${list}/${pipeline}/extensions`;
    const bound_plugins = [{ author: 'ann', name: 'weather' }];
    await client.put(url, { enable_all_plugins: false, bound_plugins, bound_mcp_servers: [unknownUuid] });
    const read = await client.get(url);
    expect(read).toMatchObject({
      enable_all_plugins: false,
      enable_all_mcp_servers: false,
      bound_plugins,
      bound_mcp_servers: [unknownUuid],
    });
    expect((await shown()).extensions_preferences).toMatchObject({ plugins: bound_plugins });
    await client.put(url, read);
    expect(await client.get(url)).toEqual(read);
    await client.put(url, {});
    expect(await client.get(url)).toMatchObject({ enable_all_plugins: true, bound_plugins: [], bound_mcp_servers: [] });
    expect((await client.refused('PUT', `${list}/${unknownUuid}/extensions`, {})).status).toBe(404);
  });

  it('POST /api/v1/pipelines/{pipeline_uuid}/copy: the same under another name', async () => {
    const { uuid } = await client.post(`${list}/${pipeline}/copy`);
    const { created_at: _, updated_at: __, version: ___, ...original } = await shown();
    expect(await shown(uuid)).toMatchObject({ ...original, uuid, name: 'Renamed (Copy)', is_default: false });
    expect((await client.refused('POST', `${list}/${unknownUuid}/copy`)).status).toBe(404);
  });

  it('DELETE /api/v1/pipelines/{pipeline_uuid}: unless it is the default or a bot is bound to it', async () => {
    const { pipelines } = await client.get(list);
    const copy = pipelines.find(named('Renamed (Copy)')).uuid;
    const { bots } = await client.get('/api/v1/platform/bots');
    const { uuid: bot, use_pipeline_uuid: standard } = bots[0];
    await client.put(`/api/v1/platform/bots/${bot}`, { use_pipeline_uuid: copy });
    expect(await client.refused('DELETE', `${list}/${copy}`)).toMatchObject({ status: 409, reason: 'in_use' });
    await client.put(`/api/v1/platform/bots/${bot}`, { use_pipeline_uuid: standard });
    expect(await client.delete(`${list}/${copy}`)).toEqual({});
    expect((await client.refused('DELETE', `${list}/${copy}`)).status).toBe(404);
    expect((await client.refused('DELETE', `${list}/${standard}`)).status).toBe(409);
  });
});

describe('the debug chat', () => {
  const url = () => `${list}/${pipeline}/ws`;

  /** Signs in as the page does, which leaves it a cookie. */
  const cookie = async () => {
    const { user, password } = service.account;
    const answer = await fetch(`${service.address}/api/v1/user/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user, password }),
    });
    return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  };
  const open = async () =>
    openChat(service.address, { pipeline, headers: { cookie: await cookie(), origin: service.address } });

  it('GET /api/v1/pipelines/{pipeline_uuid}/ws/connect: without a token in the address, as the page that signed in', async () => {
    const chat = await open();
    expect(await chat.frame(() => true)).toMatchObject({
      type: 'connected',
      connection_id: expect.any(String),
      pipeline_uuid: pipeline,
      session_type: 'person',
      timestamp: expect.any(String),
    });
    chat.send({ type: 'ping' });
    expect(await chat.frame(({ type }) => type === 'pong')).toEqual({ type: 'pong', timestamp: expect.any(String) });
    chat.send('no JSON');
    expect(await chat.frame(({ type }) => type === 'error')).toMatchObject({ message: 'Invalid JSON format' });
    chat.say('Hello', { stream: true });
    const last = await chat.answer();
    for (const { type, session_type, data } of chat.frames.filter(({ data }) => data !== undefined)) {
      expect([type, session_type]).toEqual([data.role === 'user' ? 'user_message' : 'response', 'person']);
    }
    const grown = chat.frames.filter(({ type }) => type === 'response').map(({ data }) => data);
    expect(new Set(grown.map(({ id }) => id)).size).toBe(1);
    for (const { content } of grown) expect(last.data.content.startsWith(content)).toBe(true);
    await chat.close();
    const stranger = openChat(service.address, { pipeline, headers: { origin: 'https://elsewhere.example.com' } });
    await expect(stranger).rejects.toThrow('401');
  });

  it('GET /api/v1/pipelines/{pipeline_uuid}/ws/messages/{session_type}: what was said, images that everybody can load', async () => {
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const { body } = await client.send('POST', '/api/v1/files/images', undefined, {
      headers: { 'content-type': multipartType },
      payload: multipart({ name: 'file', filename: 'a.png', type: 'image/png', content: picture }),
    });
    const { file_key } = body.data;
    const chat = await open();
    chat.send({
      type: 'message',
      message: [
        { type: 'Plain', text: 'See:' },
        { type: 'Image', path: file_key },
      ],
    });
    const isPicture = ({ type, data }: { type?: string; data?: { message_chain: object[] } }) =>
      type === 'user_message' && data?.message_chain.length === 2;
    const echo = await chat.frame(isPicture);
    await chat.answer();
    await chat.close();
    const { messages } = await client.get(`${url()}/messages/person`);
    const told = messages.find(({ message_chain }: { message_chain: object[] }) => message_chain.length === 2);
    expect(told.message_chain).toEqual(echo.data.message_chain);
    // The page shows the picture by its address.
    const image = await fetch(new URL(told.message_chain[1].url, service.address));
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await image.arrayBuffer()).equals(picture)).toBe(true);
    expect(await client.refused('GET', `${url()}/messages/channel`)).toMatchObject({
      status: 400,
      msg: 'session_type must be person or group',
    });
  });

  it('POST /api/v1/pipelines/{pipeline_uuid}/ws/reset/{session_type}: forgets the view and the conversation', async () => {
    expect(await client.post(`${url()}/reset/person`)).toEqual({ message: 'Session reset successfully' });
    expect(await client.get(`${url()}/messages/person`)).toEqual({ messages: [] });
    expect((await client.refused('POST', `${url()}/reset/channel`)).status).toBe(400);
  });

  it('GET /api/v1/pipelines/{pipeline_uuid}/ws/connections: who is connected', async () => {
    const chat = await open();
    const { connection_id } = await chat.frame(() => true);
    const { stats, connections } = await client.get(`${url()}/connections`);
    expect(stats).toEqual({
      total_connections: 1,
      pipelines: 1,
      connections_by_pipeline: { [pipeline]: 1 },
      connections_by_session_type: { person: 1 },
    });
    expect(connections).toMatchObject([{ connection_id, session_type: 'person', is_active: true }]);
    await chat.close();
  });

  it('POST /api/v1/pipelines/{pipeline_uuid}/ws/broadcast: to everybody connected', async () => {
    const chat = await open();
    await chat.frame(() => true);
    expect(await client.post(`${url()}/broadcast`, { message: 'Soon' })).toEqual({
      message: 'Broadcast sent successfully',
    });
    expect(await chat.frame(({ type }) => type === 'broadcast')).toMatchObject({ message: 'Soon' });
    await chat.close();
    expect(await client.refused('POST', `${url()}/broadcast`, { message: '' })).toMatchObject({
      status: 400,
      msg: 'message is required',
    });
  });
});

it('never sends the client back to the sign-in page', () => {
  expect([client.reloads, client.token]).toEqual([0, service.account.token]);
});
