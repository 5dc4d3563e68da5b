import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ParleyError } from '@parley/sdk';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { multipart, multipartType } from '../../test/factories/multipart.ts';
import {
  startTestService,
  type TestAnswer,
  type TestRequest,
  type TestService,
  type TestServiceOptions,
} from '../../test/factories/start-test-service.ts';
import type { FreshDatabase } from '../../test/postgres/fresh-database.ts';
import { migratedDatabase } from '../../test/postgres/test-database.ts';

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function begin(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService(options);
  stops.push(() => service.stop());
  return service;
}

/** Adds `POST /api/v1/tests/:name`, answered by a function. */
function testRoute(answer: (name: string) => Promise<object>): TestServiceOptions {
  const beforeRoutes = async (server: FastifyInstance) => {
    const config = { access: { credential: 'either', scope: 'write', role: 'member' }, audit: false } as const;
    server.post<{ Params: { name: string } }>('/api/v1/tests/:name', { config }, ({ params }) => answer(params.name));
  };
  return { extensions: { beforeRoutes } };
}

const keyed = (key = 'a-key') => ({ 'idempotency-key': key });
const expectReplay = (again: TestAnswer, first: TestAnswer) => {
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(again.headers['content-type']).toBe(first.headers['content-type']);
};

describe.each(['SQLite', 'PostgreSQL'])('a request that is named, with %s', (engine) => {
  let service: TestService;
  let fresh: FreshDatabase | undefined;
  const filesFolder = () => join(service.config.dataDir, 'files');
  beforeAll(async () => {
    if (engine === 'PostgreSQL') fresh = await migratedDatabase();
    service = await startTestService(fresh === undefined ? {} : { databaseUrl: fresh.url });
  });
  afterAll(async () => {
    await service.stop();
    await fresh?.drop();
  });
  beforeEach(async () => {
    for (const table of ['idempotency_keys', 'audit_entries', 'files'] as const) {
      await service.database.deleteFrom(table).execute();
    }
    for (const name of readdirSync(filesFolder())) rmSync(join(filesFolder(), name), { recursive: true });
  });

  const post = (path: string, json: object, key?: string, more: Partial<TestRequest> = {}) =>
    service.request({
      method: 'POST',
      url: `/api/v1${path}`,
      bearer: service.account.token,
      json,
      headers: keyed(key),
      ...more,
    });
  const pipelines = async () =>
    (await service.request({ url: '/api/v1/pipelines', bearer: service.account.token })).body.data.pipelines.length;

  it('is carried out once, and answered again', async () => {
    const before = await pipelines();
    const first = await post('/pipelines', { name: 'p', description: 'd' });
    expect(first.status).toBe(200);
    expectReplay(await post('/pipelines', { description: 'd', name: 'p' }), first);
    expect(await pipelines()).toBe(before + 1);
    const entries = await service.request({
      url: '/api/v1/audit?action=pipeline.create',
      bearer: service.account.token,
    });
    expect(entries.body.data.entries).toHaveLength(1);
  });

  it('is carried out once when it comes many times at once', async () => {
    const before = await pipelines();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/pipelines', { name: 'p' })));
    expect(await pipelines()).toBe(before + 1);
    const uuids = new Set<string>();
    for (const { status, body } of answers) {
      if (status === 200) uuids.add(body.data.uuid);
      else expect([status, body.reason]).toEqual([409, 'idempotency_running']);
    }
    expect(uuids.size).toBe(1);
  });

  it('is refused when it holds something else than before', async () => {
    const first = await post('/pipelines', { name: 'p' });
    const other = await post('/pipelines', { name: 'q' });
    expect([other.status, other.body.reason]).toEqual([422, 'idempotency_mismatch']);
    expectReplay(await post('/pipelines', { name: 'p' }), first);
  });

  it('is another one for another caller, path or name', async () => {
    const { key: apiKey } = await service.createApiKey();
    const { uuid } = (await post('/pipelines', { name: 'p' })).body.data;
    const made = new Set([
      uuid,
      (await post('/pipelines', { name: 'p' }, 'another')).body.data.uuid,
      (await post('/pipelines', { name: 'p' }, undefined, { apiKey })).body.data.uuid,
    ]);
    expect(made.size).toBe(3);
    const copies = new Set<string>();
    for (const source of made) copies.add((await post(`/pipelines/${source}/copy`, {})).body.data.uuid);
    expect(copies.size).toBe(3);
    const again = await post(`/pipelines/${uuid.toUpperCase()}/copy`, {});
    expect(copies.has(again.body.data.uuid)).toBe(true);
  });

  it('is the same for an account over its sessions', async () => {
    const first = await post('/pipelines', { name: 'p' });
    const { user, password } = service.account;
    const signedIn = await service.request({ method: 'POST', url: '/api/v1/user/auth', json: { user, password } });
    expectReplay(await post('/pipelines', { name: 'p' }, undefined, { bearer: signedIn.body.data.token }), first);
  });

  it('is forgotten after a day', async () => {
    const first = await post('/pipelines', { name: 'p' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_399_000 });
    expectReplay(await post('/pipelines', { name: 'p' }), first);
    vi.setSystemTime(Date.now() + 2000);
    const fresh = await post('/pipelines', { name: 'q' });
    expect(fresh.status).toBe(200);
    expect(fresh.headers['idempotency-replayed']).toBeUndefined();
  });

  it('keeps a refusal of its handler, and none that came before it', async () => {
    const copy = '/pipelines/00000000-0000-7000-8000-000000000000/copy';
    const missing = await post(copy, {});
    expect(missing.status).toBe(404);
    expectReplay(await post(copy, {}), missing);

    expect((await post('/pipelines', { name: 7 }, 'b')).status).toBe(400);
    expect((await post('/pipelines', { name: 'p' }, 'b', { bearer: 'unknown' })).status).toBe(401);
    expect((await post('/pipelines', { name: 'p' }, 'b')).status).toBe(200);
  });

  it('stores no more than one file that is sent twice', async () => {
    const upload = (path: string, name: string, content: string, type = 'text/plain') =>
      service.request({
        method: 'POST',
        url: `/api/v1/files/${path}`,
        bearer: service.account.token,
        payload: multipart({ name: 'file', filename: name, type, content: Buffer.from(content, 'latin1') }),
        headers: { ...keyed(), 'content-type': multipartType },
      });
    const first = await upload('documents', 'a.txt', 'content');
    expect(first.status).toBe(200);
    expectReplay(await upload('documents', 'a.txt', 'content'), first);
    for (const [name, content, type] of [
      ['a.txt', 'Content', 'text/plain'],
      ['b.txt', 'content', 'text/plain'],
      ['a.txt', 'content', 'text/html'],
    ] as const) {
      const other = await upload('documents', name, content, type);
      expect([other.status, other.body.reason]).toEqual([422, 'idempotency_mismatch']);
    }
    const stored = () => service.database.selectFrom('files').selectAll().execute();
    expect(await stored()).toHaveLength(1);
    const onDisk = () =>
      readdirSync(filesFolder(), { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.isFile() && entry.name !== 'installation',
      );
    expect(onDisk()).toHaveLength(1);

    const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89';
    const images = await Promise.all(Array.from({ length: 5 }, () => upload('images', 'a.png', png, 'image/png')));
    expect(new Set(images.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    for (const { status } of images) expect([200, 409]).toContain(status);
    expect(await stored()).toHaveLength(2);
    expect(onDisk()).toHaveLength(2);
  });
});

describe('the name of a request', () => {
  it.each(['', ' ', 'two words', 'x'.repeat(256), 'caf\u00e9', 'a\tb', '\u007f'])('cannot be %j', async (key) => {
    const service = await begin({ listen: false });
    const bearer = service.account.token;
    const asJson = { method: 'POST', url: '/api/v1/pipelines', bearer, json: { name: 'p' }, headers: keyed(key) };
    const asFile = {
      method: 'POST',
      url: '/api/v1/files/documents',
      bearer,
      payload: multipart({ name: 'file', filename: 'a', content: 'a' }),
      headers: { ...keyed(key), 'content-type': multipartType },
    };
    for (const request of [asJson, asFile]) {
      const answer = await service.request(request);
      expect(answer.status).toBe(400);
      expect(answer.body.details[0].path).toBe('idempotency-key');
    }
  });

  it('can be long and strange', async () => {
    const service = await begin({ listen: false });
    const headers = keyed('\'"%_\\;--/*'.padEnd(255, '~'));
    const request = { method: 'POST', url: '/api/v1/pipelines', bearer: service.account.token, json: { name: 'p' } };
    const first = await service.request({ ...request, headers });
    expectReplay(await service.request({ ...request, headers }), first);
  });

  it('means nothing where answers hold secrets, and with other methods', async () => {
    const service = await begin({ listen: false });
    const bearer = service.account.token;
    const make = () =>
      service.request({ method: 'POST', url: '/api/v1/apikeys', bearer, json: { name: 'k' }, headers: keyed() });
    expect((await make()).body.data.key.id).not.toBe((await make()).body.data.key.id);
    await service.request({ url: '/api/v1/pipelines', bearer, headers: keyed() });
    expect(await service.database.selectFrom('idempotency_keys').selectAll().execute()).toEqual([]);
  });

  it('is taken by every POST but those of accounts and those that answer secrets, and by all that are not open', async () => {
    const service = await begin({ listen: false });
    const description = (await service.request({ url: '/api/v1/openapi.json' })).body;
    const without: string[] = [];
    for (const [path, { post }] of Object.entries<{ post?: { parameters?: { name: string }[] } }>(description.paths)) {
      if (post !== undefined && !post.parameters?.some(({ name }) => name === 'idempotency-key')) without.push(path);
    }
    const excepted = without.filter((path) => !path.startsWith('/api/v1/user/') && !path.startsWith('/bots/'));
    expect(excepted).toEqual([
      '/api/v1/accounts',
      '/api/v1/apikeys',
      '/api/v1/webhooks',
      '/api/v1/webhooks/{id}/rotate-secret',
      '/api/v1/alerts/targets',
      '/api/v1/alerts/targets/{target_uuid}/rotate-secret',
      '/api/v1/plugins/{author}/{name}/pages/{page}/frames',
      // What a plugin answers may be secret.
      '/api/v1/plugins/{author}/{name}/pages/{page}/requests',
    ]);
  });

  it('does not make a body that is nested without end a fault of ours', async () => {
    const service = await begin({ listen: false, ...testRoute(async () => ({ code: 0 })) });
    const answer = await service.request({
      method: 'POST',
      url: '/api/v1/tests/x',
      bearer: service.account.token,
      payload: '['.repeat(200_000) + ']'.repeat(200_000),
      headers: { ...keyed(), 'content-type': 'application/json' },
    });
    expect([answer.status, answer.body.reason]).toEqual([400, 'invalid_request']);
  });
});

describe('an answer', () => {
  const send = (service: TestService, name: string) =>
    service.request({
      method: 'POST',
      url: `/api/v1/tests/${name}`,
      bearer: service.account.token,
      headers: keyed(),
    });

  it('of a server error, or of a temporary one, is not stored', async () => {
    const calls: string[] = [];
    const service = await begin(
      testRoute(async (name) => {
        calls.push(name);
        if (calls.filter((call) => call === name).length > 1) return { code: 0, msg: 'ok', data: {} };
        if (name === 'fault') throw new Error('a fault');
        if (name === 'upstream') throw new ParleyError('platform_failed', 'The platform is away');
        throw new ParleyError('too_many_requests', 'Later', { retryAfterSeconds: 1 });
      }),
    );
    const outcomes: Record<string, number> = { fault: 500, upstream: 502, limited: 429 };
    for (const [name, status] of Object.entries(outcomes)) {
      expect((await send(service, name)).status).toBe(status);
      const second = await send(service, name);
      expect([second.status, second.headers['idempotency-replayed']]).toEqual([200, undefined]);
      expectReplay(await send(service, name), second);
    }
    expect(calls).toHaveLength(6);
  });

  it('that is on its way is not waited for', async () => {
    const gate = Promise.withResolvers<object>();
    const begun = Promise.withResolvers<void>();
    const service = await begin(
      testRoute(() => {
        begun.resolve();
        return gate.promise;
      }),
    );
    const first = send(service, 'slow');
    await begun.promise;
    expect((await send(service, 'slow')).body.reason).toBe('idempotency_running');
    gate.resolve({ code: 0, msg: 'ok', data: { once: true } });
    expectReplay(await send(service, 'slow'), await first);
  });

  it('is returned although it could not be stored', async () => {
    const service: TestService = await begin(
      testRoute(async () => {
        await service.database.schema.dropTable('idempotency_keys').execute();
        return { code: 0, msg: 'ok', data: {} };
      }),
    );
    expect((await send(service, 'x')).status).toBe(200);
    // From here on, nothing can tell whether the request was made before.
    expect((await send(service, 'x')).status).toBe(500);
  });

  it('that a stop prevented is never guessed', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-idempotency-'));
    stops.push(() => rmSync(dataDir, { recursive: true }));
    const gate = Promise.withResolvers<object>();
    const options = { ...testRoute(() => gate.promise), config: { dataDir } };
    const first = await startTestService(options);
    const { user, password } = first.account;
    const interrupted = send(first, 'slow');
    const running = () => first.database.selectFrom('idempotency_keys').select('state').execute();
    await expect.poll(running).toEqual([{ state: 'running' }]);
    await first.stop();
    gate.resolve({ code: 0, msg: 'ok', data: {} });
    expect((await interrupted).status).toBe(200);

    const second = await begin({ ...options, account: false });
    const signedIn = await second.request({ method: 'POST', url: '/api/v1/user/auth', json: { user, password } });
    second.account.token = signedIn.body.data.token;
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await send(second, 'slow');
      expect([answer.status, answer.body.reason]).toEqual([409, 'idempotency_interrupted']);
    }
  });
});
