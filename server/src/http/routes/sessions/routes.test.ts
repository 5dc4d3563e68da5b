import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestService, type TestService } from '../../../../test/factories/start-test-service.ts';
import { newUuid } from '../../../lib/uuid.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ listen: false });
});
afterEach(async () => {
  vi.useRealTimers();
  await service.stop();
});

const url = '/api/v1/user/sessions';

async function signIn(headers: Record<string, string> = {}, remoteAddress = '127.0.0.1'): Promise<string> {
  const { user, password } = service.account;
  const json = { user, password };
  const answer = await service.request({ method: 'POST', url: '/api/v1/user/auth', json, headers, remoteAddress });
  return answer.body.data.token;
}
const list = async (bearer = service.account.token) => (await service.request({ url, bearer })).body.data.sessions;
const end = (uuid: string, bearer = service.account.token) =>
  service.request({ method: 'DELETE', url: `${url}/${uuid}`, bearer });
const isGood = async (bearer: string) => (await service.request({ url, bearer })).status === 200;

describe('the sessions of an account', () => {
  it('are listed with where they come from, the one of the call marked', async () => {
    const token = await signIn({ 'user-agent': 'A browser' }, '203.0.113.7');
    const sessions = await list(token);
    expect(sessions).toHaveLength(2);
    expect(sessions[0]).toEqual({
      uuid: expect.any(String),
      address: '203.0.113.7',
      user_agent: 'A browser',
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      expires_at: expect.any(String),
      current: true,
    });
    expect(sessions[1].current).toBe(false);
    const lifetime = Date.parse(sessions[0].expires_at) - Date.parse(sessions[0].created_at);
    expect(Math.abs(lifetime - service.config.tokenLifetimeSeconds * 1000)).toBeLessThan(2000);
  });

  it('keep as much of a strange user agent as there is room for', async () => {
    const token = await signIn({ 'user-agent': 'x'.repeat(5000) });
    expect((await list(token))[0].user_agent).toBe('x'.repeat(255));
  });

  it('stay the same over check-token, which moves the end', async () => {
    const [before] = await list();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    const answer = await service.request({ url: '/api/v1/user/check-token', bearer: service.account.token });
    const after = await list(answer.body.data.token);
    expect(after).toHaveLength(1);
    expect(after[0].uuid).toBe(before.uuid);
    expect(Date.parse(after[0].expires_at) - Date.parse(before.expires_at)).toBeGreaterThanOrEqual(3_600_000);
  });

  it('are forgotten when they expire', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (service.config.tokenLifetimeSeconds + 1) * 1000 });
    expect(await list(await signIn())).toHaveLength(1);
    expect(await service.database.selectFrom('sessions').selectAll().execute()).toHaveLength(1);
  });

  it('end with every change of the password', async () => {
    const other = await signIn();
    const { password, token } = service.account;
    const json = { current_password: password, new_password: 'the next password of all' };
    await service.request({ method: 'POST', url: '/api/v1/user/change-password', bearer: token, json });
    expect([await isGood(token), await isGood(other)]).toEqual([false, false]);
    expect(await service.database.selectFrom('sessions').selectAll().execute()).toEqual([]);
  });
});

describe('ending a session', () => {
  it('makes its tokens worth nothing at once, and only those', async () => {
    const token = await signIn();
    const [{ uuid }] = await list(token);
    expect((await end(uuid.toUpperCase())).body.data).toEqual({});
    expect([await isGood(token), await isGood(service.account.token)]).toEqual([false, true]);
    expect((await end(uuid)).status).toBe(404);
  });

  it('can end the one of the call', async () => {
    const [{ uuid }] = await list();
    expect((await end(uuid)).status).toBe(200);
    expect(await isGood(service.account.token)).toBe(false);
  });

  it.each([newUuid(), 'no-uuid', '%00', 'x'.repeat(500)])('answers 404 to %s', async (uuid) => {
    const answer = await end(uuid);
    expect([answer.status, answer.body.reason]).toEqual([404, 'not_found']);
  });

  it('does not reach those of another account', async () => {
    const token = await signIn();
    const [{ uuid }] = await list(token);
    const [account] = await service.database.selectFrom('accounts').selectAll().execute();
    if (account === undefined) throw new Error('there is no account');
    const stranger = { ...account, uuid: newUuid(), user: 'bob@example.com' };
    await service.database.insertInto('accounts').values(stranger).execute();
    await service.database
      .updateTable('sessions')
      .set({ account_uuid: stranger.uuid })
      .where('uuid', '=', uuid)
      .execute();
    expect((await end(uuid)).status).toBe(404);
    expect(await list()).toHaveLength(1);
  });

  it('ends all others with one call', async () => {
    const others = [await signIn(), await signIn()];
    const answer = await service.request({ method: 'DELETE', url, bearer: service.account.token });
    expect(answer.body.data).toEqual({});
    for (const other of others) expect(await isGood(other)).toBe(false);
    expect(await list()).toMatchObject([{ current: true }]);
  });
});
