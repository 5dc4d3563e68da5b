import { afterAll, describe, expect, it } from 'vitest';
import { badCredentials, everyCredential } from '../../../../test/factories/every-credential.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
const bearer = service.account.token;
const list = '/api/v1/pipelines';
const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const dateShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const unknownUuid = '00000000-0000-4000-8000-000000000000';

afterAll(() => service.stop());

const create = (json: object) => service.request({ method: 'POST', url: list, bearer, json });
const made = async (json: object = {}): Promise<string> => (await create({ name: 'Made', ...json })).body.data.uuid;
const change = (uuid: string, json: object) => service.request({ method: 'PUT', url: `${list}/${uuid}`, bearer, json });
const remove = (uuid: string) => service.request({ method: 'DELETE', url: `${list}/${uuid}`, bearer });
const copy = (uuid: string) => service.request({ method: 'POST', url: `${list}/${uuid}/copy`, bearer });
const makeDefault = (uuid: string) => service.request({ method: 'PUT', url: `${list}/${uuid}/default`, bearer });
const extensionsOf = (uuid: string) => service.request({ url: `${list}/${uuid}/extensions`, bearer });
const bind = (uuid: string, json: object) =>
  service.request({ method: 'PUT', url: `${list}/${uuid}/extensions`, bearer, json });
const read = (uuid: string) => service.request({ url: `${list}/${uuid}`, bearer });

const first = (await service.request({ url: list, bearer })).body.data.pipelines[0];

const credentials = await everyCredential(service, 'read');

describe('GET /api/v1/pipelines/{pipeline_uuid}', () => {
  it.each(credentials)('answers as the contract says to %s', async (_name, part) => {
    const answer = await service.request({ url: `${list}/${first.uuid}`, ...part });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const { code, data } = answer.body;
    expect(code).toBe(0);
    expect(Object.keys(data)).toEqual(['pipeline']);
    expect(data.pipeline).toMatchObject({
      uuid: expect.stringMatching(uuidShape),
      name: 'Default pipeline',
      config: expect.any(Object),
      is_default: true,
      created_at: expect.stringMatching(dateShape),
      updated_at: expect.stringMatching(dateShape),
    });
  });

  it.each(badCredentials)('answers 401 to %s', async (_name, part, msg) => {
    const answer = await service.request({ url: `${list}/${first.uuid}`, ...part });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ code: -1, msg, reason: 'unauthorized', request_id: expect.any(String) });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('answers 401 to a bad key in X-API-Key, although a good credential stands beside it', async () => {
    const answer = await service.request({ url: `${list}/${first.uuid}`, apiKey: 'lbk_unknown', bearer });
    expect(answer.status).toBe(401);
    expect(answer.body.msg).toBe('Invalid API key');
  });

  it.each([
    '00000000-0000-4000-8000-000000000000',
    'not-a-uuid',
    '1',
    '%20',
    '..%2f..%2fsecret.key',
    "'%20or%201=1--",
    `${'a'.repeat(3000)}`,
  ])('answers 404 with the error body for %.40s', async (uuid) => {
    const answer = await read(uuid);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: -1, msg: expect.any(String), reason: 'not_found' });
  });

  it('names the pipeline that is not found as the reference system does', async () => {
    expect((await read('00000000-0000-4000-8000-000000000000')).body.msg).toBe('pipeline not found');
  });

  it('finds it by its uuid in capitals, too', async () => {
    expect((await read(first.uuid.toUpperCase())).body.data.pipeline.uuid).toBe(first.uuid);
  });
});

describe('POST /api/v1/pipelines', () => {
  it('fills in the default configuration', async () => {
    const { uuid } = (await create({ name: 'Plain', description: 'Nothing else' })).body.data;
    const { pipeline } = (await read(uuid)).body.data;
    expect(pipeline).toMatchObject({ name: 'Plain', description: 'Nothing else', emoji: '⚙️', is_default: false });
    expect(Object.keys(pipeline.config).sort()).toEqual(['ai', 'output', 'safety', 'trigger']);
    expect(pipeline.stages).toHaveLength(12);
    expect(pipeline.for_version).toBe('v4.9.5');
  });

  it('lays a partial configuration over it', async () => {
    const config = { output: { misc: { 'at-sender': false } }, ai: { 'local-agent': { 'max-round': 3 } } };
    const { uuid } = (await create({ name: 'Partial', config })).body.data;
    const { pipeline } = (await read(uuid)).body.data;
    expect(pipeline.config.output.misc['at-sender']).toBe(false);
    expect(pipeline.config.output.misc['quote-origin']).toBe(true);
    expect(pipeline.config.ai['local-agent']['max-round']).toBe(3);
  });

  it('masks secrets and keeps them sealed', async () => {
    const key = 'app-0123456789abcdef';
    const { uuid } = (await create({ name: 'Dify', config: { ai: { 'dify-service-api': { 'api-key': key } } } })).body
      .data;
    const { pipeline } = (await read(uuid)).body.data;
    expect(pipeline.config.ai['dify-service-api']['api-key']).toBe('app…cdef');
    const row = await service.database.selectFrom('pipelines').selectAll().where('uuid', '=', uuid).execute();
    expect(row[0]?.sealed_secrets).toMatch(/^v1\./);
    expect(JSON.stringify(row)).not.toContain(key);
  });

  it('refuses a masked secret, which would be stored in place of the real one', async () => {
    const answer = await create({ name: 'Masked', config: { ai: { 'dify-service-api': { 'api-key': 'app…cdef' } } } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ reason: 'secret_required', details: [{ message: 'is masked' }] });
  });

  it('ignores what only the server sets, so that a pipeline that was read can be sent again', async () => {
    const { uuid } = (await create({ ...first, name: 'Copy' })).body.data;
    expect(uuid).not.toBe(first.uuid);
    const { pipeline } = (await read(uuid)).body.data;
    expect(pipeline).toMatchObject({ name: 'Copy', is_default: false, config: first.config });
  });

  it.each([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(256) }],
    ['name', { name: ['Plain'] }],
    ['description', { name: 'Wrong', description: null }],
    ['emoji', { name: 'Wrong', emoji: 'x'.repeat(11) }],
    ['colour', { name: 'Wrong', colour: 'red' }],
    ['config', { name: 'Wrong', config: [] }],
    ['config.ai', { name: 'Wrong', config: { ai: null } }],
    ['config.ai.local-agent.max-round', { name: 'Wrong', config: { ai: { 'local-agent': { 'max-round': 'three' } } } }],
    [
      'config.ai.local-agent.model.fallbacks[0]',
      { name: 'Wrong', config: { ai: { 'local-agent': { model: { fallbacks: [unknownUuid] } } } } },
    ],
    [
      'config.trigger.group-respond-rules.random',
      { name: 'Wrong', config: { trigger: { 'group-respond-rules': { random: 2 } } } },
    ],
    [
      'extensions_preferences.plugins[0].name',
      { name: 'Wrong', extensions_preferences: { plugins: [{ author: 'a' }] } },
    ],
  ])('answers 400 that names %s', async (path, json) => {
    const answer = await create(json);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: -1, reason: 'invalid_request' });
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('names a field of the configuration that is not known', async () => {
    const answer = await create({ name: 'Wrong', config: { ai: { runner: { speed: 1 } } } });
    expect(answer.status).toBe(400);
    expect(answer.body.details).toEqual([
      { path: 'config.ai.runner.speed', message: 'is not a known field', rule: 'additionalProperties' },
    ]);
  });

  it('names regular expressions that cannot be used, and takes those that Python writes alike', async () => {
    const config = { trigger: { 'ignore-rules': { regexp: ['(?P<who>\\w+)', 'a(?!b)'] } } };
    const answer = await create({ name: 'x', config });
    expect(answer.status).toBe(400);
    expect(answer.body.details).toEqual([
      { path: 'config.trigger.ignore-rules.regexp[1]', message: expect.stringContaining('Look-around'), rule: 'regex' },
    ]);
  });

  it.each([
    ['no body', undefined, 'application/json', 400],
    ['broken JSON', '{"name": "Plain"', 'application/json', 400],
    ['JSON that is no object', '["name"]', 'application/json', 400],
    ['null', 'null', 'application/json', 400],
    ['another content type', 'name=Plain', 'application/x-www-form-urlencoded', 415],
    ['plain text', '{"name":"Plain"}', 'text/plain', 415],
    ['more than a megabyte', JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), 'application/json', 413],
  ])('refuses %s', async (_name, payload, type, status) => {
    const body = payload === undefined ? {} : { payload };
    const headers = { 'content-type': type };
    const answer = await service.request({ method: 'POST', url: list, bearer, headers, ...body });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ code: -1, msg: expect.any(String), reason: expect.any(String) });
  });
});

describe('GET /api/v1/pipelines', () => {
  it('lists the newest first, or as asked', async () => {
    const names = async (query: string) =>
      (await service.request({ url: `${list}${query}`, bearer })).body.data.pipelines.map(
        (pipeline: { uuid: string }) => pipeline.uuid,
      );
    const newest = await names('');
    expect(newest.length).toBeGreaterThan(2);
    expect(newest.at(-1)).toBe(first.uuid);
    expect(await names('?sort_order=ASC')).toEqual([...newest].reverse());
    expect(await names('?sort_by=updated_at&sort_order=DESC')).toHaveLength(newest.length);
    expect(await names('?sort_by=nothing')).toEqual(newest);
  });

  it('answers 400 to a parameter given twice', async () => {
    const answer = await service.request({ url: `${list}?sort_by=a&sort_by=b`, bearer });
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].path).toBe('query.sort_by');
  });
});

const ok = { code: 0, msg: 'ok', data: {} };
const dify = (fields: object) => ({ ai: { 'dify-service-api': fields } });

describe('PUT /api/v1/pipelines/{pipeline_uuid}', () => {
  it('changes what it is given', async () => {
    const uuid = await made({ description: 'Old' });
    const before = (await read(uuid)).body.data.pipeline;
    const answer = await change(uuid.toUpperCase(), { name: 'Renamed', emoji: null });
    expect(answer).toMatchObject({ status: 200, body: ok });
    const after = (await read(uuid)).body.data.pipeline;
    expect(after).toEqual({ ...before, name: 'Renamed', emoji: null, version: 2, updated_at: after.updated_at });
    expect((await change(uuid, {})).status).toBe(200);
  });

  it('takes back what was read, and keeps secrets that are masked there', async () => {
    const uuid = await made({ config: dify({ 'api-key': 'app-0123456789abcdef' }) });
    const before = (await read(uuid)).body.data.pipeline;
    const sealed = async () =>
      (
        await service.database
          .selectFrom('pipelines')
          .select('sealed_secrets')
          .where('uuid', '=', uuid)
          .executeTakeFirstOrThrow()
      ).sealed_secrets;
    expect(before.config.ai['dify-service-api']['api-key']).toBe('app…cdef');
    expect((await change(uuid, before)).status).toBe(200);
    const after = (await read(uuid)).body.data.pipeline;
    expect(after).toEqual({ ...before, updated_at: after.updated_at });
    expect(await sealed()).toMatch(/^v1\./);
    expect((await change(uuid, { config: {} })).status).toBe(200);
    expect((await read(uuid)).body.data.pipeline.config.ai['dify-service-api']['api-key']).toBe('your-api-key');
    expect(await sealed()).toBeNull();
  });

  it('cannot be used to have a stored secret sent somewhere else', async () => {
    const uuid = await made({ config: dify({ 'api-key': 'app-0123456789abcdef' }) });
    const config = dify({ 'api-key': 'app…cdef', 'base-url': 'https://elsewhere.example.com/v1' });
    const answer = await change(uuid, { config });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: -1,
      reason: 'secret_required',
      details: [{ path: 'config.ai.dify-service-api.api-key' }],
    });
    expect((await change(uuid, { config: dify({ 'api-key': 'app…0000' }) })).body.reason).toBe('secret_required');
    expect((await change(uuid, { config: dify({ 'api-key': 'app…cdef' }) })).status).toBe(200);
  });

  it('takes a configuration as the reference system wrote it', async () => {
    const uuid = await made();
    const config = {
      trigger: { 'message-aggregation': { enabled: 'True', delay: '2' } },
      ai: {
        'local-agent': { model: '', 'knowledge-base': '__none__', 'max-round': '3' },
        'dashscope-app-api': { 'references-quote': 'From:' },
        'langflow-api': { input_type: 'any' },
      },
    };
    expect((await change(uuid, { config })).status).toBe(200);
    expect((await read(uuid)).body.data.pipeline.config).toMatchObject({
      trigger: { 'message-aggregation': { enabled: true, delay: 2 } },
      ai: {
        'local-agent': { model: { primary: '', fallbacks: [] }, 'knowledge-bases': [], 'max-round': 3 },
        'dashscope-app-api': { references_quote: 'From:' },
        'langflow-api': { 'input-type': 'any', 'output-type': 'chat' },
      },
    });
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: null }],
    ['emoji', { emoji: 7 }],
    ['colour', { colour: 'red' }],
    ['config', { config: 'ai' }],
    ['config.output.more', { config: { output: { more: {} } } }],
    ['config.output.misc.at-sender', { config: { output: { misc: { 'at-sender': 'perhaps' } } } }],
    ['config.ai.local-agent.model.primary', { config: { ai: { 'local-agent': { model: 'no uuid' } } } }],
    ['extensions_preferences.more', { extensions_preferences: { more: 1 } }],
  ])('answers 400 that names %s, and changes nothing', async (path, json) => {
    const uuid = await made();
    const before = await read(uuid);
    const answer = await change(uuid, { description: 'changed', ...json });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: -1, reason: 'invalid_request' });
    expect(new Set(answer.body.details.map((detail: { path: string }) => detail.path))).toEqual(new Set([path]));
    expect((await read(uuid)).body).toEqual(before.body);
  });
});

describe('DELETE /api/v1/pipelines/{pipeline_uuid}', () => {
  it('deletes a pipeline', async () => {
    const uuid = await made();
    expect(await remove(uuid.toUpperCase())).toMatchObject({ status: 200, body: ok });
    expect((await read(uuid)).status).toBe(404);
    expect((await remove(uuid)).status).toBe(404);
  });

  it('answers 409 for the default, and for one that bots are bound to', async () => {
    expect(await remove(first.uuid)).toMatchObject({ status: 409, body: { code: -1, reason: 'default_pipeline' } });
    const uuid = await made();
    const bot = await service.createBot({ adapter: 'websocket', name: 'Shop', enable: false, use_pipeline_uuid: uuid });
    const answer = await remove(uuid);
    expect(answer).toMatchObject({ status: 409, body: { code: -1, reason: 'in_use' } });
    expect(answer.body.details).toEqual([{ path: `bots/${bot}`, message: 'Shop' }]);
    expect((await read(uuid)).status).toBe(200);
  });
});

describe('POST /api/v1/pipelines/{pipeline_uuid}/copy', () => {
  it('makes another one, secrets included', async () => {
    const uuid = await made({ emoji: '🤖', config: dify({ 'api-key': 'app-0123456789abcdef' }) });
    const answer = await copy(uuid);
    expect(answer).toMatchObject({ status: 200, body: { code: 0, data: { uuid: expect.stringMatching(uuidShape) } } });
    const source = (await read(uuid)).body.data.pipeline;
    const { pipeline } = (await read(answer.body.data.uuid)).body.data;
    expect(pipeline).toEqual({
      ...source,
      uuid: answer.body.data.uuid,
      name: 'Made (Copy)',
      created_at: pipeline.created_at,
      updated_at: pipeline.updated_at,
    });
    expect((await read((await copy(first.uuid)).body.data.uuid)).body.data.pipeline.is_default).toBe(false);
  });

  it.each([
    ['no body with a type', undefined, 'application/json'],
    ['an object', '{"name": "ignored"}', 'application/json'],
    ['broken JSON', '{"name"', 'application/json'],
    ['another type', 'name=ignored', 'application/x-www-form-urlencoded'],
  ])('passes over %s', async (_, payload, type) => {
    const url = `${list}/${await made()}/copy`;
    const body = payload === undefined ? {} : { payload };
    const answer = await service.request({ method: 'POST', url, bearer, headers: { 'content-type': type }, ...body });
    expect(answer.status).toBe(200);
    expect((await read(answer.body.data.uuid)).body.data.pipeline.name).toBe('Made (Copy)');
  });

  it('does not read a body that is too large', async () => {
    const payload = 'x'.repeat(1024 * 1024 + 1);
    const headers = { 'content-type': 'application/json' };
    const url = `${list}/${first.uuid}/copy`;
    expect((await service.request({ method: 'POST', url, bearer, headers, payload })).status).toBe(413);
  });
});

describe('PUT /api/v1/pipelines/{pipeline_uuid}/default', () => {
  it('moves the default', async () => {
    const uuid = await made();
    const defaults = async () =>
      (await service.request({ url: list, bearer })).body.data.pipelines
        .filter((pipeline: { is_default: boolean }) => pipeline.is_default)
        .map((pipeline: { uuid: string }) => pipeline.uuid);
    expect(await makeDefault(uuid)).toMatchObject({ status: 200, body: ok });
    expect(await makeDefault(uuid)).toMatchObject({ status: 200, body: ok });
    expect(await defaults()).toEqual([uuid]);
    expect((await remove(uuid)).body.reason).toBe('default_pipeline');
    expect((await makeDefault(unknownUuid)).status).toBe(404);
    expect(await defaults()).toEqual([uuid]);
    expect((await makeDefault(first.uuid)).status).toBe(200);
    expect((await remove(uuid)).status).toBe(200);
  });
});

describe('/api/v1/pipelines/{pipeline_uuid}/extensions', () => {
  const none = {
    enable_all_plugins: true,
    enable_all_mcp_servers: false,
    bound_plugins: [],
    available_plugins: [],
    bound_mcp_servers: [],
    available_mcp_servers: [],
    mcp_tool_users: {},
  };

  it('are replaced whole, and can be sent as they were read', async () => {
    const uuid = await made();
    expect((await extensionsOf(uuid)).body).toEqual({ ...ok, data: none });
    const bound = { bound_plugins: [{ author: 'a', name: 'n' }], bound_mcp_servers: ['server'] };
    expect(await bind(uuid, { enable_all_plugins: false, ...bound })).toMatchObject({ status: 200, body: ok });
    const { data } = (await extensionsOf(uuid)).body;
    expect(data).toEqual({ ...none, ...bound, enable_all_plugins: false });
    expect((await bind(uuid, data)).status).toBe(200);
    expect((await extensionsOf(uuid)).body.data).toEqual(data);
    expect((await bind(uuid, {})).status).toBe(200);
    expect((await extensionsOf(uuid)).body.data).toEqual(none);
  });

  it.each([
    ['enable_all_plugins', { enable_all_plugins: 'true' }],
    ['bound_plugins[0].name', { bound_plugins: [{ author: 'a' }] }],
    ['bound_mcp_servers[0]', { bound_mcp_servers: [null] }],
    ['mcp_tool_users.x.allow', { mcp_tool_users: { x: { allow: 'all', users: [] } } }],
    ['mcp_tool_users.x.users[0]', { mcp_tool_users: { x: { allow: 'listed', users: ['17'] } } }],
    ['more', { more: 1 }],
  ])('answers 400 that names %s', async (path, json) => {
    const answer = await bind(first.uuid, json);
    expect(answer.status).toBe(400);
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toEqual([path]);
  });
});

describe('GET /api/v1/pipelines/_/metadata', () => {
  it.each(credentials)('describes the form to %s', async (_name, part) => {
    const answer = await service.request({ url: `${list}/_/metadata`, ...part });
    expect(answer.status).toBe(200);
    const { configs } = answer.body.data;
    expect(configs.map((tab: { name: string }) => tab.name)).toEqual(['trigger', 'safety', 'ai', 'output']);
    expect(configs[2].stages[0]).toMatchObject({
      name: 'runner',
      label: { en_US: 'Runner', zh_Hans: '运行器' },
      config: [{ name: 'runner', type: 'select', required: true, default: 'local-agent' }],
    });
  });
});

const writing: [string, string, object?][] = [
  ['PUT', '', { name: 'Renamed' }],
  ['DELETE', ''],
  ['POST', '/copy'],
  ['PUT', '/default'],
  ['PUT', '/extensions', {}],
];
const reading: [string, string, object?][] = [
  ['GET', '/extensions'],
  ['GET', ''],
];

describe.each([...writing, ...reading])('%s /api/v1/pipelines/{pipeline_uuid}%s', (method, path, json) => {
  const body = json === undefined ? {} : { json };

  it.each([unknownUuid, 'not-a-uuid', '%20', '_'])('answers 404 for %s', async (uuid) => {
    const answer = await service.request({ method, url: `${list}/${uuid}${path}`, bearer, ...body });
    expect(answer).toMatchObject({ status: 404, body: { code: -1, reason: 'not_found' } });
  });

  it('answers 401 without a credential', async () => {
    expect((await service.request({ method, url: `${list}/${first.uuid}${path}`, ...body })).status).toBe(401);
  });
});

it.each(writing)('%s …%s answers 403 to a key that may only read', async (method, path, json) => {
  const { key: apiKey } = await service.createApiKey(['read']);
  const url = `${list}/${first.uuid}${path}`;
  const answer = await service.request({ method, url, apiKey, ...(json === undefined ? {} : { json }) });
  expect(answer).toMatchObject({ status: 403, body: { reason: 'scope_required' } });
});

it('answers 409 when there are as many pipelines as there may be', async () => {
  const limited = await startTestService({ config: { maxPipelines: 2 } });
  try {
    const { token } = limited.account;
    const post = (url: string, json?: object) =>
      limited.request({ method: 'POST', url, bearer: token, ...(json === undefined ? {} : { json }) });
    const { uuid } = (await post(list, { name: 'Second' })).body.data;
    const refusal = {
      status: 409,
      body: { code: -1, reason: 'limit_reached', msg: 'Maximum number of pipelines (2) reached' },
    };
    expect(await post(list, { name: 'Third' })).toMatchObject(refusal);
    expect(await post(`${list}/${uuid}/copy`)).toMatchObject(refusal);
  } finally {
    await limited.stop();
  }
});
