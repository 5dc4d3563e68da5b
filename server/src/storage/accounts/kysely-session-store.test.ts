import { beforeEach, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { Account } from '../../core/accounts/account.ts';
import type { Session } from '../../core/accounts/session.ts';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyAccountStore } from './kysely-account-store.ts';
import { KyselySessionStore } from './kysely-session-store.ts';

const account: Account = {
  uuid: newUuid(),
  user: 'ada@example.com',
  role: 'admin',
  password_hash: 'hash',
  recovery_hash: 'recovery',
  recovery_key_created_at: null,
  version: 1,
  created_at: now(),
  updated_at: now(),
};

const session = (over: Partial<Session> = {}): Session => ({
  uuid: newUuid(),
  account_uuid: account.uuid,
  address: '203.0.113.7',
  user_agent: 'A browser',
  created_at: now(),
  last_used_at: now(),
  expires_at: secondsFromNow(60),
  ...over,
});

describeOnEachEngine('the store of sessions', (storage) => {
  const store = () => new KyselySessionStore(storage().database, storage().engine);
  const accounts = () => new KyselyAccountStore(storage().database);
  const listed = async () => (await store().list(account.uuid, now(), 100)).map(({ uuid }) => uuid);
  beforeEach(async () => {
    await accounts().createFirst(account);
  });

  it('returns a session as it was stored, with its account', async () => {
    const stored = session();
    expect(await store().create(stored, 1)).toBe(true);
    expect(await store().withAccount(stored.uuid)).toEqual({ session: stored, account });
    expect(await store().list(account.uuid, now(), 100)).toEqual([stored]);
    expect(await store().withAccount(newUuid())).toBeNull();
    expect(await store().list(newUuid(), now(), 100)).toEqual([]);
  });

  it('keeps texts of programs that no database takes', async () => {
    const stored = session({ user_agent: 'A \0 browser \ud800' });
    await store().create(stored, 1);
    expect((await store().withAccount(stored.uuid))?.session.user_agent).toBe('A \ufffd browser \ufffd');
  });

  it('stores none for an account that was deleted or whose password was changed', async () => {
    expect(await store().create(session(), 2)).toBe(false);
    expect(await store().create(session({ account_uuid: newUuid() }), 1)).toBe(false);
    expect(await listed()).toEqual([]);
  });

  it('leaves none behind when the password changes during sign-ins', async () => {
    const begun = Promise.all(Array.from({ length: 20 }, () => store().create(session(), 1)));
    const changed = accounts().changePassword(account, 'new', 'new');
    const late = Promise.all(Array.from({ length: 20 }, () => store().create(session(), 1)));
    expect(await changed).toBe(true);
    await Promise.all([begun, late]);
    expect(await listed()).toEqual([]);
  });

  it('keeps the sessions when the password was not changed', async () => {
    const current = session();
    await store().create(current, 1);
    expect(await accounts().changePassword({ ...account, version: 7 }, 'new', 'new')).toBe(false);
    expect(await listed()).toEqual([current.uuid]);
  });

  it('removes what has expired when another is created, and nothing else', async () => {
    const [expired, good] = [session({ expires_at: secondsFromNow(-1) }), session()];
    await store().create(expired, 1);
    await store().create(good, 1);
    expect(await listed()).toEqual([good.uuid]);
    expect(await store().withAccount(expired.uuid)).toBeNull();
  });

  it('lists the one used last first, and not more than asked for', async () => {
    const sessions = [3, 1, 2].map((minutes) => session({ last_used_at: secondsFromNow(-minutes * 60) }));
    for (const one of sessions) await store().create(one, 1);
    const [oldest, latest, middle] = sessions.map(({ uuid }) => uuid);
    expect(await listed()).toEqual([latest, middle, oldest]);
    expect(await store().list(account.uuid, now(), 1)).toEqual([sessions[1]]);
    expect(await store().list(account.uuid, secondsFromNow(120), 100)).toEqual([]);
  });

  it('extends, touches and ends', async () => {
    const [one, other] = [session(), session()];
    await store().create(one, 1);
    await store().create(other, 1);
    const later = '2100-01-01T00:00:00.000Z';
    expect(await store().extend(one.uuid, later)).toBe(true);
    await store().touch(one.uuid, '2099-01-01T00:00:00.000Z', now());
    await store().touch(one.uuid, '2099-01-01T00:00:30.000Z', '2098-12-31T23:59:30.000Z');
    const found = await store().withAccount(one.uuid);
    expect(found?.session).toEqual({ ...one, expires_at: later, last_used_at: '2099-01-01T00:00:00.000Z' });
    expect(await store().end(newUuid(), one.uuid)).toBe(false);
    const ended = await Promise.all(Array.from({ length: 5 }, () => store().end(account.uuid, one.uuid)));
    expect(ended.filter(Boolean)).toHaveLength(1);
    expect(await store().extend(one.uuid, later)).toBe(false);
    await store().touch(one.uuid, later, later);
    expect(await store().withAccount(one.uuid)).toBeNull();
    expect(await listed()).toEqual([other.uuid]);
  });

  it('ends all but one, and none of another account', async () => {
    const stranger = { ...account, uuid: newUuid(), user: 'bob@example.com' };
    await storage().database.insertInto('accounts').values(stranger).execute();
    const [current, ended, foreign] = [session(), session(), session({ account_uuid: stranger.uuid })];
    for (const one of [current, ended, foreign]) await store().create(one, 1);
    await store().endOthers(account.uuid, current.uuid);
    expect(await listed()).toEqual([current.uuid]);
    expect(await store().withAccount(foreign.uuid)).not.toBeNull();
  });

  it('loses the sessions with the account', async () => {
    await store().create(session(), 1);
    await storage().database.deleteFrom('accounts').execute();
    expect(await storage().database.selectFrom('sessions').selectAll().execute()).toEqual([]);
  });
});
