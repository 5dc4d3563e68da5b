import { afterAll, describe, expect, it, vi } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService({ listen: false });
const bearer = service.account.token;
const list = '/api/v1/apikeys';

afterAll(() => service.stop());

const create = (json: object) => service.request({ method: 'POST', url: list, bearer, json });
const read = (id: number) => service.request({ url: `${list}/${id}`, bearer });
const use = (apiKey: string) => service.request({ url: '/api/v1/pipelines', apiKey });

describe('POST /api/v1/apikeys', () => {
  it('shows the key in full once', async () => {
    const answer = await create({ name: 'program' });
    const { key } = answer.body.data;
    expect(key).toEqual({
      id: expect.any(Number),
      name: 'program',
      key: expect.stringMatching(/^lbk_[\w-]{43}$/),
      description: '',
      scopes: ['read', 'write', 'send'],
      account_uuid: expect.any(String),
      account_name: service.account.user,
      account_role: 'admin',
      expires_at: null,
      last_used_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    const shown = (await read(key.id)).body.data.key;
    expect(shown).toEqual({ ...key, key: `lbk…${key.key.slice(-4)}` });
    const { keys } = (await service.request({ url: list, bearer })).body.data;
    expect(keys).toContainEqual(shown);
    expect(JSON.stringify(await service.database.selectFrom('api_keys').selectAll().execute())).not.toContain(key.key);
  });

  it('makes a different key each time', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => create({ name: 'same' })));
    expect(new Set(made.map(({ body }) => body.data.key.key)).size).toBe(20);
    expect(new Set(made.map(({ body }) => body.data.key.id)).size).toBe(20);
  });

  it('accepts an expiry in any time zone', async () => {
    const answer = await create({ name: 'expires', expires_at: '2100-01-01T02:00:00+02:00' });
    expect(answer.body.data.key.expires_at).toBe('2100-01-01T00:00:00.000Z');
  });

  it.each([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(256) }],
    ['description', { name: 'k', description: 'x'.repeat(513) }],
    ['scopes', { name: 'k', scopes: [] }],
    ['scopes', { name: 'k', scopes: ['read', 'read'] }],
    ['scopes[0]', { name: 'k', scopes: ['everything'] }],
    ['expires_at', { name: 'k', expires_at: '2020-01-01T00:00:00Z' }],
    ['expires_at', { name: 'k', expires_at: 'tomorrow' }],
    ['expires_at', { name: 'k', expires_at: '9999-12-31T23:59:60Z' }],
    ['expires_at', { name: 'k', expires_at: '2026-13-45T99:99:99Z' }],
    ['key', { name: 'k', key: 'lbk_mine' }],
    ['id', { name: 'k', id: 1 }],
  ])('answers 400 that names %s', async (path, json) => {
    const answer = await create(json);
    expect(answer.status).toBe(400);
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('lets a key with the scope admin make keys', async () => {
    const admin = await service.createApiKey(['admin']);
    const answer = await service.request({ method: 'POST', url: list, apiKey: admin.key, json: { name: 'made' } });
    expect(answer.status).toBe(200);
    // Of the account that made the key that made it.
    expect(answer.body.data.key.account_name).toBe(service.account.user);
  });
});

describe('an API key', () => {
  it('is renamed, and keeps what is not sent', async () => {
    const { id, key } = (await create({ name: 'before', description: 'original' })).body.data.key;
    const renamed = await service.request({ method: 'PUT', url: `${list}/${id}`, bearer, json: { name: 'after' } });
    expect(renamed.body.data.key).toMatchObject({ id, name: 'after', description: 'original' });
    expect(renamed.body.data.key.key).not.toBe(key);
    const unchanged = await service.request({ method: 'PUT', url: `${list}/${id}`, bearer, json: {} });
    expect(unchanged.body.data.key).toMatchObject({ name: 'after', description: 'original' });
    expect((await use(key)).status).toBe(200);
  });

  it('can be read and written back', async () => {
    const { id } = (await create({ name: 'round trip', scopes: ['send'] })).body.data.key;
    const { key } = (await read(id)).body.data;
    const written = await service.request({ method: 'PUT', url: `${list}/${id}`, bearer, json: key });
    expect(written.status).toBe(200);
    expect(written.body.data.key).toEqual({ ...key, updated_at: expect.any(String) });
  });

  it('is worth nothing from the request after it was revoked', async () => {
    const { id, key } = await service.createApiKey();
    expect((await use(key)).status).toBe(200);
    const revoked = await service.request({ method: 'DELETE', url: `${list}/${id}`, bearer });
    expect(revoked.body).toEqual({ code: 0, msg: 'ok', data: {} });
    expect((await use(key)).status).toBe(401);
    expect((await read(id)).status).toBe(404);
    expect((await service.request({ method: 'DELETE', url: `${list}/${id}`, bearer })).status).toBe(404);
  });

  it('remembers its last use, at most once a minute', async () => {
    const { id, key } = await service.createApiKey();
    const lastUse = async () => (await read(id)).body.data.key.last_used_at;
    await use(key);
    const first = await lastUse();
    expect(Date.now() - Date.parse(first)).toBeLessThan(10_000);
    await use(key);
    expect(await lastUse()).toBe(first);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    try {
      await use(key);
      expect(Date.parse(await lastUse())).toBeGreaterThan(Date.parse(first) + 60_000);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each(['0', '-1', '1.5', 'one', '2147483648', '99999999999999999999', '1e3x', '%00'])(
    'is not found under %s',
    async (id) => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const body = method === 'PUT' ? { json: { name: 'x' } } : {};
        const answer = await service.request({ method, url: `${list}/${id}`, bearer, ...body });
        expect(answer.status, method).toBe(404);
        expect(answer.body.reason).toBe('not_found');
      }
    },
  );
});
