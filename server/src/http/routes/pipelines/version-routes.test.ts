import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
const bearer = service.account.token;
const list = '/api/v1/pipelines';
afterAll(() => service.stop());

let uuid: string;
const send = (method: string, path: string, json?: object, headers: Record<string, string> = {}) =>
  service.request({ method, url: `${list}/${uuid}${path}`, bearer, headers, ...(json === undefined ? {} : { json }) });
const dataOf = async (path: string) => (await send('GET', path)).body.data;
const hint = (text: string) => ({ config: { output: { misc: { 'failure-hint': text } } } });
const dify = (key: string, url = 'https://dify.example.com/v1') => ({
  config: { ai: { 'dify-service-api': { 'api-key': key, 'base-url': url } } },
});
const publishedHint = async () => (await dataOf('')).pipeline.config.output.misc['failure-hint'];

beforeEach(async () => {
  const answer = await service.request({ method: 'POST', url: list, bearer, json: { name: 'First', ...hint('one') } });
  uuid = answer.body.data.uuid;
});

describe('versions of a pipeline', () => {
  it('are recorded with each change, by whom, and restored as the next version', async () => {
    const { key: apiKey } = await service.createApiKey(['read', 'write']);
    const change = { method: 'PUT', url: `${list}/${uuid}`, apiKey, json: { name: 'Second', ...hint('two') } };
    expect((await service.request(change)).status).toBe(200);
    const { versions } = await dataOf('/versions');
    expect(versions).toMatchObject([
      { version: 2, author: { kind: 'api-key' }, restored_from: null },
      { version: 1, author: { kind: 'user', name: service.account.user }, restored_from: null },
    ]);
    const first = await dataOf('/versions/1');
    expect(first.pipeline).toMatchObject({ name: 'First', config: { output: { misc: { 'failure-hint': 'one' } } } });
    expect((await send('POST', '/versions/1/restore')).status).toBe(200);
    expect((await dataOf('')).pipeline).toMatchObject({ name: 'First', version: 3 });
    expect(await publishedHint()).toBe('one');
    expect((await dataOf('/versions')).versions[0]).toMatchObject({ version: 3, restored_from: 1 });
  });

  it('show no secrets, and are restored with those that they had', async () => {
    await send('PUT', '', dify('app-0123456789abcdef'));
    await send('PUT', '', dify('app-fedcba9876543210', 'https://other.example.com'));
    const shown = JSON.stringify([await dataOf('/versions'), await dataOf('/versions/2'), await dataOf('/versions/3')]);
    expect(shown).toContain('app…cdef');
    expect(shown).not.toContain('0123456789abcdef');
    expect(shown).not.toContain('v1.');
    const rows = await service.database.selectFrom('pipeline_versions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('0123456789abcdef');
    expect((await send('POST', '/versions/2/restore')).status).toBe(200);
    expect((await dataOf('')).pipeline.config.ai['dify-service-api']['api-key']).toBe('app…cdef');
  });

  it('are not restored over a change that the caller has not seen', async () => {
    const { etag = '' } = (await send('GET', '')).headers;
    await send('PUT', '', hint('two'));
    const answer = await send('POST', '/versions/1/restore', undefined, { 'if-match': String(etag) });
    expect(answer).toMatchObject({ status: 412, body: { reason: 'record_changed' } });
    expect(await publishedHint()).toBe('two');
  });

  it.each(['/versions/9', '/versions/0', '/versions/x', '/versions/1e9', '/versions/-1'])(
    'answers %s with an error',
    async (path) => {
      expect([400, 404]).toContain((await send('GET', path)).status);
      expect([400, 404]).toContain((await send('POST', `${path}/restore`)).status);
    },
  );
});

describe('a draft of a pipeline', () => {
  it('begins as what is published, changes nothing that is published, and becomes the next version', async () => {
    expect(await dataOf('/draft')).toMatchObject({ draft: null, pipeline: { name: 'First', version: 1 } });
    expect((await send('PUT', '/draft', hint('drafted'))).status).toBe(200);
    expect((await send('PUT', '/draft', { name: 'Draft' })).status).toBe(200);
    expect(await dataOf('/draft')).toMatchObject({
      draft: { base_version: 1, author: { name: service.account.user } },
      pipeline: { uuid, name: 'Draft', config: { output: { misc: { 'failure-hint': 'drafted' } } } },
    });
    expect((await dataOf('')).pipeline).toMatchObject({ name: 'First', version: 1 });
    expect((await send('POST', '/draft/publish', { replaces: 1 })).status).toBe(200);
    expect((await dataOf('')).pipeline).toMatchObject({ name: 'Draft', version: 2 });
    expect(await publishedHint()).toBe('drafted');
    expect((await dataOf('/draft')).draft).toBeNull();
    expect((await send('POST', '/draft/publish', {})).status).toBe(404);
  });

  it('keeps secrets that are masked, and publishes them', async () => {
    await send('PUT', '', dify('app-0123456789abcdef'));
    await send('PUT', '/draft', dify('app…cdef'));
    await send('PUT', '/draft', { ...dify('app…cdef'), name: 'Draft' });
    const elsewhere = await send('PUT', '/draft', dify('app…cdef', 'https://evil.example.com'));
    expect(elsewhere).toMatchObject({ status: 400, body: { reason: 'secret_required' } });
    expect((await send('POST', '/draft/publish', {})).status).toBe(200);
    const { pipeline } = await dataOf('');
    expect(pipeline.config.ai['dify-service-api']['api-key']).toBe('app…cdef');
    expect(pipeline.name).toBe('Draft');
  });

  it('is discarded', async () => {
    await send('PUT', '/draft', hint('drafted'));
    expect((await send('DELETE', '/draft')).status).toBe(200);
    expect((await dataOf('/draft')).draft).toBeNull();
    expect((await send('DELETE', '/draft')).status).toBe(404);
  });

  it('is not published over another version than the caller has seen', async () => {
    await send('PUT', '/draft', hint('drafted'));
    await send('PUT', '', hint('by a program'));
    expect(await dataOf('/draft')).toMatchObject({ draft: { base_version: 1 }, pipeline: { version: 2 } });
    const refused = await send('POST', '/draft/publish', { replaces: 1 });
    expect(refused).toMatchObject({ status: 412, body: { reason: 'record_changed' } });
    expect(await publishedHint()).toBe('by a program');
    expect((await send('POST', '/draft/publish', { replaces: 2 })).status).toBe(200);
    expect(await publishedHint()).toBe('drafted');
  });

  it('is not saved over a change that the caller has not seen', async () => {
    const { etag = '' } = (await send('GET', '/draft')).headers;
    const match = { 'if-match': String(etag) };
    expect((await send('PUT', '/draft', hint('mine'), match)).status).toBe(200);
    expect((await send('PUT', '/draft', hint('again'), match)).status).toBe(412);
    expect((await dataOf('/draft')).pipeline.config.output.misc['failure-hint']).toBe('mine');
  });

  it.each<[string, object]>([
    ['config.ai.local-agent.max-round', { config: { ai: { 'local-agent': { 'max-round': 'many' } } } }],
    [
      'config.ai.local-agent.model.primary',
      { config: { ai: { 'local-agent': { model: { primary: '00000000-0000-4000-8000-000000000000' } } } } },
    ],
    ['name', { name: '' }],
    ['more', { more: 1 }],
  ])('names the field of a fault: %s', async (path, json) => {
    const answer = await send('PUT', '/draft', json);
    expect(answer.status).toBe(400);
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toEqual([path]);
    expect((await dataOf('/draft')).draft).toBeNull();
  });
});

it('are for admins', async () => {
  const { key: apiKey } = await service.createApiKey(['read']);
  const requests: [string, string, object?][] = [
    ['PUT', '/draft', {}],
    ['DELETE', '/draft'],
    ['POST', '/draft/publish', {}],
    ['POST', '/versions/1/restore'],
  ];
  for (const [method, path, json] of requests) {
    const url = `${list}/${uuid}${path}`;
    expect((await service.request({ method, url, apiKey, ...(json && { json }) })).status).toBe(403);
    expect((await service.request({ method, url, ...(json && { json }) })).status).toBe(401);
  }
});
