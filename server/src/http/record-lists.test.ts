import { ParleyError } from '@parley/sdk';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createFakePlatform } from '../../test/factories/fake-platform.ts';
import { basesUrl, KnowledgeClient } from '../../test/factories/knowledge-client.ts';
import { startTestService, type TestRequest } from '../../test/factories/start-test-service.ts';
import { newUuid } from '../lib/uuid.ts';

const fake = createFakePlatform();
const service = await startTestService({ extensions: { platforms: [fake.platform] } });
const bearer = service.account.token;
const bots = '/api/v1/platform/bots';

afterAll(() => service.stop());

const request = (method: string, url: string, json?: unknown, part: Partial<TestRequest> = {}) =>
  service.request({ method, url, bearer, ...(json === undefined ? {} : { json }), ...part });
const data = async (method: string, url: string, json?: unknown) => {
  const { status, body, text } = await request(method, url, json);
  if (status !== 200) throw new Error(`${method} ${url}: ${status} ${text}`);
  return body.data;
};
const bulk = (json: object, url = bots) => data('POST', `${url}/bulk`, json);
const newKey = async (scopes: string[]): Promise<string> =>
  (await data('POST', '/api/v1/apikeys', { name: scopes.join(), scopes })).key.key;

/** Bots that connect, and with a token that is refused if it is `wrong`. */
async function addBots(count: number, token: string, enable = true): Promise<string[]> {
  const uuids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const bot = { name: `Bot ${token} ${index}`, adapter: 'fake', adapter_config: { token }, enable };
    uuids.push((await data('POST', bots, bot)).uuid);
  }
  return uuids;
}

beforeEach(async () => {
  fake.start = async ({ config }) => {
    if (config.token === 'wrong-token') throw new ParleyError('platform_unauthorized', 'The token is refused');
  };
  const { bots: all } = await data('GET', bots);
  const ids = all.map(({ uuid }: { uuid: string }) => uuid);
  if (ids.length > 0) await bulk({ action: 'delete', ids });
});

describe('a list with parameters', () => {
  it('answers as without them when there are none', async () => {
    await addBots(2, 'good-token');
    const { status, body } = await request('GET', bots);
    expect([status, Object.keys(body.data), body.data.bots.length]).toEqual([200, ['bots'], 2]);
    // Clients of the reference system send parameters that are not known.
    expect(Object.keys((await data('GET', `${bots}?_=1`)) as object)).toEqual(['bots']);
    expect(Object.keys(await data('GET', '/api/v1/pipelines?sort_by=updated_at&sort_order=ASC'))).toEqual([
      'pipelines',
    ]);
    for (const [list, noun] of [
      ['/api/v1/pipelines', 'pipelines'],
      ['/api/v1/apikeys', 'keys'],
      ['/api/v1/webhooks', 'webhooks'],
      [basesUrl, 'bases'],
      ['/api/v1/provider/models/llm', 'models'],
    ] as const) {
      expect(Object.keys(await data('GET', list)), list).toEqual([noun]);
      expect(Object.keys(await data('GET', `${list}?limit=1`)).sort(), list).toEqual([noun, 'total'].sort());
    }
  });

  it('is filtered by the present state of connections', async () => {
    const wrong = await addBots(3, 'wrong-token');
    const good = await addBots(2, 'good-token');
    await addBots(1, 'off-token', false);
    const names = async (query: string) => {
      const { bots: found, total } = await data('GET', `${bots}?${query}`);
      return [total, ...found.map(({ name }: { name: string }) => name)];
    };
    expect(await names('state=error&sort_by=name&sort_order=DESC&limit=2')).toEqual([
      3,
      'Bot wrong-token 2',
      'Bot wrong-token 1',
    ]);
    expect(await names('state=running')).toEqual([2, 'Bot good-token 0', 'Bot good-token 1']);
    expect(await names('state=stopped')).toEqual([1, 'Bot off-token 0']);
    expect(await names('enabled=false')).toEqual([1, 'Bot off-token 0']);
    expect(await names(`ids=${wrong[0]?.toUpperCase()},${good[1]}&sort_by=name`)).toEqual([
      2,
      'Bot good-token 1',
      'Bot wrong-token 0',
    ]);
    expect(await names('search=OFF-')).toEqual([1, 'Bot off-token 0']);
    // The answer in memory is another one when a state has changed, though the address and the records have not.
    fake.up().at(-2)?.context.reportConnection({ state: 'reconnecting', reason: 'platform_failed', message: 'gone' });
    await expect.poll(() => names('state=running')).toEqual([1, 'Bot good-token 1']);
  });

  it.each([
    'limit=0',
    'limit=1001',
    'offset=-1',
    'sort_by=adapter_config',
    'sort_order=up',
    'state=odd',
    'enabled=perhaps',
    'search=',
    `search=${'x'.repeat(201)}`,
    "ids=a'b",
    `ids=${Array.from({ length: 101 }, newUuid).join(',')}`,
    'pipeline_uuid=x',
  ])('is refused with %s', async (query) => {
    const { status, body } = await request('GET', `${bots}?${query}`);
    expect([status, body.reason, body.details[0].path]).toEqual([
      400,
      'invalid_request',
      `query.${query.split('=')[0]}`,
    ]);
  });
});

describe('a change of many records', () => {
  it('disables and deletes all matches of a filter, and writes an entry for each', async () => {
    const wrong = (await addBots(5, 'wrong-token')).sort();
    const [good = ''] = await addBots(1, 'good-token');
    const disabled = await bulk({ action: 'disable', matching: { state: 'error' } });
    expect({ ...disabled, changed: disabled.changed.sort() }).toEqual({
      matched: 5,
      changed: wrong,
      failures: [],
      next: null,
    });
    expect(await bulk({ action: 'disable', matching: { state: 'error' } })).toMatchObject({ matched: 0, changed: [] });
    // Those that are as wanted are not written.
    expect(await bulk({ action: 'disable', ids: wrong })).toMatchObject({ matched: 5, changed: [] });
    const { bots: stopped } = await data('GET', `${bots}?state=stopped`);
    expect(stopped.map(({ uuid }: { uuid: string }) => uuid).sort()).toEqual(wrong);

    const deleted = await bulk({ action: 'delete', ids: [...wrong, wrong[0]?.toUpperCase(), newUuid()] });
    expect([deleted.matched, deleted.changed.sort()]).toEqual([6, wrong]);
    expect(deleted.failures).toMatchObject([{ name: '', reason: 'not_found' }]);
    expect((await data('GET', bots)).bots.map(({ uuid }: { uuid: string }) => uuid)).toEqual([good]);

    const { entries } = await data('GET', '/api/v1/audit?record_kind=bot&limit=10');
    const own = entries.filter(({ record_id }: { record_id: string }) => wrong.includes(record_id));
    expect(own).toHaveLength(10);
    const of = (action: string) => own.filter((entry: { action: string }) => entry.action === action);
    expect(of('bot.update')).toHaveLength(5);
    for (const entry of of('bot.update'))
      expect(entry).toMatchObject({ changed: ['enable'], after: { enable: false } });
    for (const entry of of('bot.delete')) expect(entry).toMatchObject({ before: { adapter: 'fake' }, after: null });
  });

  it('goes on after a record that fails, and says why it did', async () => {
    const made: string[] = [];
    for (const name of ['bound', 'free']) made.push((await data('POST', '/api/v1/pipelines', { name })).uuid);
    const [bound = '', free = ''] = made;
    await data('POST', bots, { name: 'B', adapter: 'fake', adapter_config: {}, use_pipeline_uuid: bound });
    const answer = await bulk({ action: 'delete', ids: made }, '/api/v1/pipelines');
    expect(answer).toEqual({
      matched: 2,
      changed: [free],
      failures: [{ id: bound, name: 'bound', reason: 'in_use', message: expect.any(String) }],
      next: null,
    });
  });

  it('can be sent again with an idempotency key', async () => {
    const [uuid = ''] = await addBots(1, 'good-token', false);
    const part = { headers: { 'idempotency-key': newUuid() } };
    const json = { action: 'enable', ids: [uuid] };
    const answers = [
      await request('POST', `${bots}/bulk`, json, part),
      await request('POST', `${bots}/bulk`, json, part),
    ];
    expect(answers.map(({ body }) => body.data.changed)).toEqual([[uuid], [uuid]]);
    expect(answers[1]?.headers['idempotency-replayed']).toBe('true');
  });

  it('continues where a request ended', async () => {
    const uuids = (await addBots(3, 'good-token')).sort();
    const answer = await bulk({ action: 'disable', matching: { adapter: 'fake' }, after: uuids[0] });
    expect(answer.changed.sort()).toEqual(uuids.slice(1));
  });

  it.each([
    [{ action: 'delete' }, 'ids'],
    [{ action: 'delete', ids: [newUuid()], matching: {} }, 'ids'],
    [{ action: 'delete', ids: [] }, 'ids'],
    [{ action: 'delete', ids: ['x'] }, 'ids[0]'],
    [{ action: 'delete', ids: Array.from({ length: 1001 }, newUuid) }, 'ids'],
    [{ action: 'connect', matching: {} }, 'action'],
    [{ action: 'delete', matching: { name: 'x' } }, 'matching.name'],
    [{ action: 'delete', matching: { state: 'odd' } }, 'matching.state'],
  ])('is refused with %j', async (json, path) => {
    const [uuid] = await addBots(1, 'good-token');
    const { status, body } = await request('POST', `${bots}/bulk`, json);
    expect([status, body.details[0].path]).toEqual([400, path]);
    expect((await data('GET', bots)).bots.map((bot: { uuid: string }) => bot.uuid)).toEqual([uuid]);
  });

  it('needs the rights of the change of one record', async () => {
    const [uuid = ''] = await addBots(1, 'good-token');
    const [reading, writing] = [await newKey(['read']), await newKey(['write'])];
    const json = { action: 'disable', ids: [uuid] };
    const as = async (apiKey: string, url: string) =>
      (await service.request({ method: 'POST', url: `${url}/bulk`, json, apiKey })).status;
    expect(await as(reading, bots)).toBe(403);
    expect(await as(writing, '/api/v1/webhooks')).toBe(403);
    expect(await as(writing, bots)).toBe(200);
  });

  it('has numbers for webhooks and keys', async () => {
    const ids: number[] = [];
    for (const name of ['a', 'b']) {
      ids.push((await data('POST', '/api/v1/webhooks', { name, url: 'https://hook.example' })).webhook.id);
    }
    const url = '/api/v1/webhooks';
    expect((await bulk({ action: 'disable', ids }, url)).changed.sort()).toEqual(ids);
    expect((await data('GET', `${url}?enabled=false&search=HOOK.EX&ids=${ids[0]},x`)).total).toBe(1);
    expect((await bulk({ action: 'delete', matching: { enabled: false } }, url)).matched).toBe(2);
    await newKey(['send']);
    const revoked = await bulk({ action: 'delete', matching: { scope: 'send' } }, '/api/v1/apikeys');
    expect(revoked.changed).toHaveLength(revoked.matched);
    expect((await data('GET', '/api/v1/audit?action=api-key.revoke')).entries[0].before.key).toBe('(secret)');
  });
});

describe('an export', () => {
  it('has all matches and no secrets, and no formulas', async () => {
    await data('POST', bots, {
      name: '=1+1',
      description: 'a "b"\nc',
      adapter: 'fake',
      adapter_config: { token: 'tttttttt' },
    });
    await addBots(2, 'good-token');
    const csv = await request('GET', `${bots}/export?sort_by=name`);
    expect([csv.status, csv.headers['content-type'], csv.headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="bots.csv"',
    ]);
    const [head, first] = csv.text.replace('\uFEFF', '').split('\n');
    expect(head).toMatch(/^uuid,name,description,adapter,enable,state,/);
    expect(first).toContain(`'=1+1`);
    expect(csv.text).toContain('"a ""b""\nc"');
    expect(csv.text).not.toMatch(/tttt|ttt…/);
    const { text } = await request('GET', `${bots}/export?format=json&search=good`);
    const json = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(json.map(({ name, enable, state }: Record<string, unknown>) => [name, enable, state])).toEqual([
      ['Bot good-token 0', true, 'running'],
      ['Bot good-token 1', true, 'running'],
    ]);
    expect((await request('GET', `${bots}/export?format=json&search=none`)).text).toBe('');
  });

  it('of every list is a file', async () => {
    const base = await data('POST', basesUrl, { name: 'B', knowledge_engine_plugin_id: 'parley/built-in' });
    const lists = [
      '/api/v1/pipelines',
      '/api/v1/apikeys',
      '/api/v1/webhooks',
      basesUrl,
      `${basesUrl}/${base.uuid}/files`,
    ];
    for (const kind of ['llm', 'embedding', 'rerank']) lists.push(`/api/v1/provider/models/${kind}`);
    for (const list of lists) {
      const { status, text } = await request('GET', `${list}/export`);
      expect([status, text.includes('name')], list).toEqual([200, true]);
    }
    expect((await request('GET', `${basesUrl}/${newUuid()}/files/export`)).status).toBe(404);
  });
});

describe('documents', () => {
  it('are listed by state, removed together, and uploaded again after a failure', async () => {
    const apiKey = await newKey(['read', 'write']);
    const client = new KnowledgeClient(service, apiKey);
    const base = await client.createBase();
    const failing = await client.attach(base, 'broken.pdf', '%PDF-1.4 not a document');
    const fine = await client.attach(base, 'fine.txt', 'A text.');
    const listed = async (query: string) => {
      const { files, total } = await client.ok('GET', `${base}/files?${query}`);
      return [total, files.map(({ uuid }: { uuid: string }) => uuid)];
    };
    await expect.poll(() => listed('state=failed'), { timeout: 30_000 }).toEqual([1, [failing]]);
    await expect.poll(() => listed('state=ready&search=FINE'), { timeout: 30_000 }).toEqual([1, [fine]]);
    expect(await client.refused('GET', `${base}/files?search=a&cursor=x`)).toEqual([
      400,
      'invalid_request',
      'query.cursor',
    ]);
    expect(Object.keys(await client.ok('GET', `${base}/files?limit=1`)).sort()).toEqual(['files', 'next_cursor']);

    // The same content as a document that failed is a second attempt, not a duplicate.
    expect(await client.attach(base, 'broken again.pdf', '%PDF-1.4 not a document')).toBe(failing);
    await expect.poll(() => listed('state=failed'), { timeout: 30_000 }).toEqual([1, [failing]]);
    const file_id = await client.upload('fine again.txt', 'A text.');
    expect(await client.refused('POST', `${base}/files`, { file_id })).toMatchObject([
      409,
      'duplicate_document',
      `documents/${fine}`,
    ]);

    const answer = await client.ok('POST', `${base}/files/bulk`, { action: 'delete', matching: {} });
    expect([answer.matched, answer.changed.sort(), answer.failures]).toEqual([2, [failing, fine].sort(), []]);
    expect(await listed('offset=0')).toEqual([0, []]);
  }, 90_000);
});

describe('a change of many records while the service stops', () => {
  it('ends between two records, and says where to go on', async () => {
    const stopping = createFakePlatform();
    const other = await startTestService({ extensions: { platforms: [stopping.platform] } });
    const send = (method: string, url: string, json?: object) =>
      other.request({ method, url, bearer: other.account.token, ...(json === undefined ? {} : { json }) });
    for (let index = 0; index < 20; index += 1) {
      await send('POST', bots, { name: `Bot ${index}`, adapter: 'fake', adapter_config: {}, enable: true });
    }
    const isReached = Promise.withResolvers<void>();
    stopping.stop = async () => {
      isReached.resolve();
      await new Promise((resolve) => setTimeout(resolve, 300));
    };
    const changing = send('POST', `${bots}/bulk`, { action: 'disable', matching: { adapter: 'fake' } });
    await isReached.promise;
    const stopped = other.stop();
    const { status, body } = await changing;
    await stopped;
    expect(status).toBe(200);
    expect(body.data.matched).toBe(8);
    expect(body.data.changed).toHaveLength(8);
    expect(body.data.next).toEqual(body.data.changed.toSorted().at(-1));
  });
});
