import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestService, type TestRequest, type TestService } from '../../../../test/factories/start-test-service.ts';
import type { AuditEntry } from '../../../core/audit/audit-entry.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.stop());

const url = '/api/v1/audit';
const key = 'sk-0123456789abcdefghijwxyz';

/** Asks as the signed-in person, and expects that it works. */
async function ask(method: string, path: string, json?: object, more: Partial<TestRequest> = {}) {
  const request = { method, url: `/api/v1${path}`, bearer: service.account.token, ...(json && { json }), ...more };
  const answer = await service.request(request);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}
const page = (query = '') => ask('GET', `/audit${query}`);
const entries = async (query = ''): Promise<AuditEntry[]> => (await page(query)).entries;
const latest = async (): Promise<AuditEntry | undefined> => (await entries())[0];
const makeProvider = async (): Promise<string> =>
  (
    await ask('POST', '/provider/providers', {
      name: 'One',
      requester: 'openai-chat-completions',
      base_url: 'http://127.0.0.1:1/v1',
      api_keys: [key],
    })
  ).uuid;

describe('a change', () => {
  it('of a record contains old and new values, actor and address', async () => {
    const uuid = await makeProvider();
    const sessions = await ask('GET', '/user/sessions');
    const { uuid: session } = sessions.sessions[0];
    const account = await service.database.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
    const made = await latest();
    expect(made).toEqual({
      id: expect.any(Number),
      created_at: expect.any(String),
      actor_kind: 'user',
      actor_id: account.uuid,
      actor_name: service.account.user,
      credential: session,
      address: '127.0.0.1',
      request_id: expect.any(String),
      action: 'provider.create',
      record_kind: 'provider',
      record_id: uuid,
      changed: [],
      before: null,
      after: expect.objectContaining({ uuid, name: 'One', api_keys: ['(secret)'] }),
    });

    await ask('PUT', `/provider/providers/${uuid.toUpperCase()}`, { name: 'Two', api_keys: ['sk-another-key-0123'] });
    const updated = await latest();
    expect(updated).toMatchObject({ action: 'provider.update', record_id: uuid });
    expect(updated?.changed.sort()).toEqual(['api_keys', 'name']);
    expect(updated?.before).toMatchObject({ name: 'One', api_keys: ['(secret)'] });
    expect(updated?.after).toMatchObject({ name: 'Two', api_keys: ['(secret)'] });

    await ask('DELETE', `/provider/providers/${uuid}`);
    expect(await latest()).toMatchObject({ action: 'provider.delete', record_id: uuid, changed: [], after: null });
    const stored = await service.database.selectFrom('audit_entries').selectAll().execute();
    expect(JSON.stringify(stored)).not.toMatch(/wxyz|0123|sk-/);
  });

  it('by a program contains its key', async () => {
    const { id, key: apiKey } = await service.createApiKey(['write']);
    const { uuid } = await ask('POST', '/pipelines', { name: 'p' }, { apiKey, remoteAddress: '203.0.113.7' });
    const entry = await latest();
    expect(entry).toMatchObject({
      actor_kind: 'api-key',
      actor_id: String(id),
      actor_name: 'test',
      credential: String(id),
      address: '203.0.113.7',
      action: 'pipeline.create',
      record_id: uuid,
    });
    expect((await entries('?record_kind=api-key'))[0]).toMatchObject({
      action: 'api-key.create',
      record_id: String(id),
      after: { id, key: '(secret)' },
    });
  });

  it('that creates a copy refers to the copy', async () => {
    const { uuid: source } = await ask('POST', '/pipelines', { name: 'p' });
    const { uuid } = await ask('POST', `/pipelines/${source}/copy`);
    expect(uuid).not.toBe(source);
    expect(await latest()).toMatchObject({ action: 'pipeline.copy', record_id: uuid, before: null, after: { uuid } });
  });

  it('that is refused is not told, nor is what changes nothing', async () => {
    const count = (await entries()).length;
    const uuid = '00000000-0000-7000-8000-000000000000';
    const bearer = service.account.token;
    for (const request of [
      { method: 'DELETE', url: `/api/v1/provider/providers/${uuid}`, bearer },
      { method: 'POST', url: '/api/v1/provider/providers', bearer, json: { name: 7 } },
      { method: 'POST', url: '/api/v1/provider/providers', json: {} },
      { method: 'GET', url: '/api/v1/provider/providers', bearer },
    ]) {
      await service.request(request);
    }
    expect(await entries()).toHaveLength(count);
  });

  it('happens and is answered although it could not be recorded', async () => {
    await service.database.schema.dropTable('audit_entries').execute();
    const uuid = await makeProvider();
    expect((await ask('GET', `/provider/providers/${uuid}`)).provider.name).toBe('One');
  });
});

describe('what happens to accounts', () => {
  const actions = async () => (await entries()).map(({ action }) => action);
  const post = (path: string, json: object, bearer?: string) =>
    service.request({ method: 'POST', url: `/api/v1/user/${path}`, json, ...(bearer && { bearer }) });

  it('is recorded from the first account on', async () => {
    const [signedIn, made] = await entries();
    const account = await service.database.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
    const session = await service.database.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
    expect(made).toMatchObject({
      action: 'account.initialize',
      actor_kind: 'anonymous',
      actor_name: service.account.user,
      record_id: account.uuid,
      before: null,
      after: { user: service.account.user },
    });
    expect(signedIn).toMatchObject({
      action: 'session.sign-in',
      actor_kind: 'user',
      actor_id: account.uuid,
      credential: session.uuid,
      record_id: session.uuid,
    });
  });

  it('includes failed sign-ins with the name that was tried, and no password', async () => {
    await post('auth', { user: 'mallory', password: 'the password of mallory' });
    const entry = await latest();
    expect(entry).toMatchObject({
      action: 'session.sign-in-failed',
      actor_kind: 'anonymous',
      actor_id: '',
      actor_name: 'mallory',
      credential: '',
      record_kind: 'session',
      record_id: '',
    });
    expect(JSON.stringify(entry)).not.toContain('the password');
  });

  it('includes password changes, and failures to change them', async () => {
    const { user, password, token, recoveryKey } = service.account;
    const next = 'the next password of all';
    await post('change-password', { current_password: 'wrong', new_password: next }, token);
    await post('reset-password', { user, recovery_key: 'rk_wrong', new_password: next });
    expect((await actions()).slice(0, 2)).toEqual(['account.reset-password-failed', 'account.change-password-failed']);
    await post('change-password', { current_password: password, new_password: next }, token);
    const reset = await post('reset-password', { user, recovery_key: recoveryKey, new_password: password });
    expect(reset.status).toBe(200);
    const again = await post('auth', { user, password });
    service.account.token = again.body.data.token;
    const account = await service.database.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
    expect((await entries()).slice(1, 3)).toMatchObject([
      { action: 'account.reset-password', actor_kind: 'anonymous', actor_name: user, record_id: account.uuid },
      { action: 'account.change-password', actor_kind: 'user', actor_id: account.uuid, record_id: account.uuid },
    ]);
    const stored = JSON.stringify(await service.database.selectFrom('audit_entries').selectAll().execute());
    for (const secret of [password, next, recoveryKey]) expect(stored).not.toContain(secret);
  });

  it('includes new recovery keys, and failures to create them', async () => {
    const { password, token } = service.account;
    await post('recovery-key', { current_password: 'wrong' }, token);
    const created = await post('recovery-key', { current_password: password }, token);
    service.account.recoveryKey = created.body.data.recovery_key;
    const account = await service.database.selectFrom('accounts').select('uuid').executeTakeFirstOrThrow();
    expect((await entries()).slice(0, 2)).toMatchObject([
      { action: 'account.create-recovery-key', actor_kind: 'user', actor_id: account.uuid, record_id: account.uuid },
      { action: 'account.create-recovery-key-failed', actor_kind: 'user', record_id: account.uuid },
    ]);
    const stored = JSON.stringify(await service.database.selectFrom('audit_entries').selectAll().execute());
    for (const secret of [password, service.account.recoveryKey]) expect(stored).not.toContain(secret);
  });

  it('includes ended sessions', async () => {
    const { user, password, token } = service.account;
    const other = (await post('auth', { user, password })).body.data.token;
    const { sessions } = await ask('GET', '/user/sessions', undefined, { bearer: other });
    await post('sign-out', {}, other);
    expect(await latest()).toMatchObject({ action: 'session.sign-out', record_id: sessions[0].uuid });
    await ask('DELETE', '/user/sessions', undefined, { bearer: token });
    expect(await latest()).toMatchObject({ action: 'session.end-others', record_kind: 'session', record_id: '' });
  });
});

describe('the audit log', () => {
  it('is for administrators', async () => {
    const { key: reader } = await service.createApiKey(['read', 'write', 'send']);
    const { key: administrator } = await service.createApiKey(['admin']);
    expect((await service.request({ url })).status).toBe(401);
    expect((await service.request({ url, apiKey: reader })).body.reason).toBe('scope_required');
    expect((await service.request({ url, apiKey: administrator })).status).toBe(200);
  });

  it('is read in pages, newest first', async () => {
    for (let index = 0; index < 5; index += 1) await service.createApiKey();
    const all = (await entries()).map(({ id }) => id);
    expect(all).toEqual([...all].sort((left, right) => right - left));
    const seen: number[] = [];
    for (let cursor = ''; ; ) {
      const { entries: some, next_cursor } = await page(`?limit=3${cursor}`);
      expect(some.length).toBeLessThanOrEqual(3);
      seen.push(...some.map(({ id }: AuditEntry) => id));
      if (next_cursor === null) break;
      cursor = `&cursor=${next_cursor}`;
    }
    expect(seen).toEqual(all);
  });

  it('is filtered by record, action, actor and time', async () => {
    const { id } = await service.createApiKey();
    await service.createApiKey();
    const account = await service.database.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
    expect(await entries(`?record_kind=api-key&record_id=${id}`)).toHaveLength(1);
    expect(await entries('?action=api-key.create')).toHaveLength(2);
    expect(await entries(`?actor_id=${account.uuid}`)).toHaveLength(3);
    expect(await entries('?record_kind=nothing')).toEqual([]);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(await entries(`?since=${soon}`)).toEqual([]);
    expect(await entries(`?until=${soon}`)).toHaveLength(4);
    // The same time with another offset.
    expect(await entries(`?since=${encodeURIComponent(soon.replace('Z', '+00:00'))}`)).toEqual([]);
  });

  it.each([
    ['limit', '0'],
    ['limit', '501'],
    ['limit', 'many'],
    ['cursor', '0'],
    ['cursor', '-1'],
    ['cursor', '99999999999999999999'],
    ['cursor', 'x'],
    ['since', 'yesterday'],
    ['until', '2026-12-31T23:59:60Z'],
    ['record_id', 'x'.repeat(256)],
    ['action', ''],
  ])('refuses %s=%s', async (field, value) => {
    const answer = await service.request({ url: `${url}?${field}=${value}`, bearer: service.account.token });
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].path).toBe(`query.${field}`);
  });
});

describe('a route that does not say what it changes', () => {
  it('keeps the server from starting', async () => {
    const beforeRoutes: NonNullable<Parameters<typeof startTestService>[0]>['extensions'] = {
      beforeRoutes: async (server) => {
        server.post('/api/v1/secretly', { config: { access: 'open' } }, async () => ({}));
      },
    };
    await expect(startTestService({ extensions: beforeRoutes })).rejects.toThrow(
      'routes that do not say what they change: POST /api/v1/secretly',
    );
  });
});
