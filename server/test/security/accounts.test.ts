import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../src/core/accounts/account.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import { startTestService, type TestRequest, type TestService } from '../factories/start-test-service.ts';

/** A former user: signed in, with an API key. */
interface Leaver {
  uuid: string;
  token: string;
  key: string;
}

let service: TestService;
let bob: Leaver;
beforeEach(async () => {
  service = await startTestService({ listen: false });
  bob = await join('bob@example.com');
});
afterEach(() => service.stop());

const url = '/api/v1/accounts';

/** Gives another account the password of the first one, with the command line. */
async function join(user: string): Promise<Leaver> {
  const [first] = await service.database.selectFrom('accounts').selectAll().execute();
  const account = { ...(first as Account), uuid: newUuid(), user };
  await service.database.insertInto('accounts').values(account).execute();
  const json = { user, password: service.account.password };
  const signedIn = await service.request({ method: 'POST', url: '/api/v1/user/auth', json });
  const { token } = signedIn.body.data;
  const made = await service.request({ method: 'POST', url: '/api/v1/apikeys', bearer: token, json: { name: user } });
  return { uuid: account.uuid, token, key: made.body.data.key.key };
}

const list = async () => (await service.request({ url, bearer: service.account.token })).body.data.accounts;
const status = async (credential: Partial<TestRequest>) =>
  (await service.request({ url: '/api/v1/pipelines', ...credential })).status;
const remove = (uuid: string, query = '', credential: Partial<TestRequest> = { bearer: service.account.token }) =>
  service.request({ method: 'DELETE', url: `${url}/${uuid}${query}`, ...credential });

describe('an account that is removed', () => {
  it('is listed before, with what it has', async () => {
    expect(await list()).toEqual([
      expect.objectContaining({ user: service.account.user, api_key_count: 0 }),
      {
        uuid: bob.uuid,
        user: 'bob@example.com',
        role: 'admin',
        created_at: expect.any(String),
        last_signed_in_at: expect.any(String),
        api_key_count: 1,
      },
    ]);
  });

  it('ends with its sessions and the keys that it made', async () => {
    expect((await remove(bob.uuid.toUpperCase())).body.data).toEqual({});
    expect(await status({ bearer: bob.token })).toBe(401);
    expect(await status({ apiKey: bob.key })).toBe(401);
    expect(await list()).toHaveLength(1);
    expect((await remove(bob.uuid)).status).toBe(404);
  });

  it('ends with the keys that its keys made', async () => {
    const json = { name: 'admin', scopes: ['admin'] };
    const admin = await service.request({ method: 'POST', url: '/api/v1/apikeys', bearer: bob.token, json });
    const made = await service.request({
      method: 'POST',
      url: '/api/v1/apikeys',
      apiKey: admin.body.data.key.key,
      json: { name: 'made by a key' },
    });
    const { key } = made.body.data.key;
    expect(await status({ apiKey: key })).toBe(200);
    await remove(bob.uuid);
    expect(await status({ apiKey: key })).toBe(401);
  });

  it('leaves its keys to whom they were handed', async () => {
    const eve = await join('eve@example.com');
    const [first] = await list();
    expect((await remove(bob.uuid, `?api_keys=${first.uuid.toUpperCase()}`)).status).toBe(200);
    expect((await remove(eve.uuid, '?api_keys=installation')).status).toBe(200);
    for (const { key } of [bob, eve]) expect(await status({ apiKey: key })).toBe(200);
    const { keys } = (await service.request({ url: '/api/v1/apikeys', bearer: service.account.token })).body.data;
    expect(keys).toMatchObject([
      { account_uuid: first.uuid, account_name: service.account.user },
      { account_uuid: null, account_name: null },
    ]);
  });

  it.each(['', 'unknown', newUuid()])('stays when its keys are handed to "%s"', async (heir) => {
    const answer = await remove(bob.uuid, `?api_keys=${heir}`);
    expect([answer.status, answer.body.reason]).toEqual([400, 'invalid_request']);
    expect(await status({ bearer: bob.token })).toBe(200);
    expect((await remove(bob.uuid, `?api_keys=${bob.uuid}`)).status).toBe(400);
  });

  it('is in the audit log by its name', async () => {
    await remove(bob.uuid);
    const { entries } = (await service.request({ url: '/api/v1/audit?limit=1', bearer: service.account.token })).body
      .data;
    expect(entries[0]).toMatchObject({
      action: 'account.delete',
      record_id: bob.uuid,
      actor_name: service.account.user,
      before: { user: 'bob@example.com' },
      after: null,
    });
  });

  it('is never the last one', async () => {
    const [first] = await list();
    expect((await remove(bob.uuid, '', { bearer: bob.token })).status).toBe(200);
    const answer = await remove(first.uuid);
    expect([answer.status, answer.body.reason]).toEqual([409, 'last_admin']);
    expect(await status({ bearer: service.account.token })).toBe(200);
  });

  it('cannot be removed without permission', async () => {
    for (const scope of ['read', 'write', 'send'] as const) {
      const { key } = await service.createApiKey([scope]);
      expect((await remove(bob.uuid, '', { apiKey: key })).status).toBe(403);
      expect((await service.request({ url, apiKey: key })).status).toBe(403);
    }
    expect((await remove(bob.uuid, '', {})).status).toBe(401);
    expect(await status({ bearer: bob.token })).toBe(200);
  });
});

it('keys of before and of the command line belong to the installation, and end with no account', async () => {
  const { key, id } = await service.createApiKey();
  await service.database.updateTable('api_keys').set({ account_uuid: null }).where('id', '=', id).execute();
  const [first] = await list();
  expect((await remove(first.uuid, '', { bearer: bob.token })).status).toBe(200);
  expect(await status({ apiKey: key })).toBe(200);
});
