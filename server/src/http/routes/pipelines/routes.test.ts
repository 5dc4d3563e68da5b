import { afterAll, describe, expect, it } from 'vitest';
import { badCredentials, everyCredential } from '../../../../test/factories/every-credential.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
const bearer = service.account.token;
const list = '/api/v1/pipelines';
const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const dateShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

afterAll(() => service.stop());

const create = (json: object) => service.request({ method: 'POST', url: list, bearer, json });
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
    ['config.ai.local-agent.max-round', { name: 'Wrong', config: { ai: { 'local-agent': { 'max-round': '3' } } } }],
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
    expect(answer.body.msg).toContain('config.ai.runner');
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
