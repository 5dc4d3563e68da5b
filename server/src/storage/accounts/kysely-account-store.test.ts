import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { Account } from '../../core/accounts/account.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyAccountStore } from './kysely-account-store.ts';
import { KyselyApiKeyStore } from './kysely-api-key-store.ts';
import { KyselyAttemptStore } from './kysely-attempt-store.ts';

const account = (over: Partial<Account> = {}): Account => ({
  uuid: newUuid(),
  user: 'ada@example.com',
  role: 'admin',
  password_hash: 'hash',
  recovery_hash: 'recovery',
  recovery_key_created_at: null,
  version: 1,
  created_at: now(),
  updated_at: now(),
  ...over,
});

const apiKey = (account_uuid: string | null) => ({
  name: 'program',
  key: 'lbk…wxyz',
  description: '',
  scopes: ['read' as const],
  account_uuid,
  expires_at: null,
  created_at: now(),
  updated_at: now(),
});

describeOnEachEngine('the store of accounts', (storage) => {
  const store = () => new KyselyAccountStore(storage().database);
  const keys = () => new KyselyApiKeyStore(storage().database, storage().engine);

  it('is empty at first', async () => {
    expect(await store().first()).toBeNull();
    expect(await store().byUser('ada@example.com')).toBeNull();
  });

  it('returns an account as it was stored', async () => {
    const ada = account();
    expect(await store().createFirst(ada)).toBe(true);
    expect(await store().first()).toEqual(ada);
    expect(await store().byUser(ada.user)).toEqual(ada);
    expect(await store().byUser('ADA@example.com')).toBeNull();
  });

  it('creates one first account when twenty requests race', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store().createFirst(account({ user: `person-${index}` }))),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    expect((await store().first())?.user).toBe(`person-${made.indexOf(true)}`);
    const { count } = await storage()
      .database.selectFrom('accounts')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(count).toBe(1);
  });

  it('takes the first account and further ones, each name once', async () => {
    const [ada, bob] = [account(), account({ user: 'bob@example.com' })];
    expect(await store().create(ada)).toBe(true);
    expect(await store().create(bob)).toBe(true);
    expect(await store().create(account({ user: ada.user, password_hash: 'other' }))).toBe(false);
    expect(await store().byUser(ada.user)).toEqual(ada);
    expect(await store().byUser(bob.user)).toEqual(bob);
    expect(await store().createFirst(account({ user: 'eve@example.com' }))).toBe(false);
  });

  it('creates an account once when both ways of creating it race', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? store().create(account()) : store().createFirst(account()),
      ),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
  });

  it('lists for every account its last sign-in and its number of keys', async () => {
    const [bob, ada] = [account({ user: 'bob', role: 'member' }), account({ user: 'ada' })];
    await store().create(bob);
    await store().create(ada);
    for (const timestamp of ['2026-01-02T00:00:00.000Z', '2026-01-01T00:00:00.000Z']) {
      await new KyselyAttemptStore(storage().database).recordSignIn(ada.uuid, `from ${timestamp}`, timestamp);
    }
    for (const hash of ['one', 'two']) await keys().create(apiKey(ada.uuid), hash);
    await keys().create(apiKey(null), 'three');
    expect(await store().records()).toEqual([
      {
        uuid: ada.uuid,
        user: 'ada',
        role: 'admin',
        created_at: ada.created_at,
        last_signed_in_at: '2026-01-02T00:00:00.000Z',
        api_key_count: 2,
      },
      {
        uuid: bob.uuid,
        user: 'bob',
        role: 'member',
        created_at: bob.created_at,
        last_signed_in_at: null,
        api_key_count: 0,
      },
    ]);
  });

  it('removes an account with its keys, or hands them over', async () => {
    const [ada, bob, eve, dan] = [
      account({ user: 'ada' }),
      account({ user: 'bob' }),
      account({ user: 'eve' }),
      account({ user: 'dan' }),
    ];
    for (const one of [ada, bob, eve, dan]) {
      await store().create(one);
      await keys().create(apiKey(one.uuid), one.user);
    }
    const makers = async () =>
      Object.fromEntries(
        (await storage().database.selectFrom('api_keys').select(['key_hash', 'account_uuid']).execute()).map(
          ({ key_hash, account_uuid }) => [key_hash, account_uuid],
        ),
      );
    expect(await store().remove(newUuid(), null)).toBe('unknown');
    for (const heir of [bob.uuid, newUuid()]) {
      expect(await store().remove(bob.uuid, { account_uuid: heir })).toBe('no-heir');
    }
    expect(Object.keys(await makers())).toHaveLength(4);
    expect(await store().remove(bob.uuid, null)).toBe('removed');
    expect(await store().remove(eve.uuid, { account_uuid: ada.uuid })).toBe('removed');
    expect(await store().remove(dan.uuid, { account_uuid: null })).toBe('removed');
    expect(await makers()).toEqual({ ada: ada.uuid, eve: ada.uuid, dan: null });
    expect(await store().remove(ada.uuid, null)).toBe('last');
    expect((await store().records()).map(({ user }) => user)).toEqual(['ada']);
  });

  it('keeps one account when all are removed at the same time', async () => {
    const accounts = Array.from({ length: 10 }, (_, index) => account({ user: `person-${index}` }));
    for (const one of accounts) await store().create(one);
    const results = await Promise.all(accounts.map(({ uuid }) => store().remove(uuid, null)));
    expect(results.toSorted()).toEqual(['last', ...Array.from({ length: 9 }, () => 'removed')]);
    expect(await store().records()).toHaveLength(1);
  });

  it('keeps one admin when all are removed or demoted at the same time', async () => {
    const admins = Array.from({ length: 10 }, (_, index) => account({ user: `person-${index}` }));
    for (const one of [...admins, account({ user: 'mel', role: 'member' })]) await store().create(one);
    const results = await Promise.all(
      admins.map(({ uuid }, index) => (index % 2 === 0 ? store().remove(uuid, null) : store().setRole(uuid, 'member'))),
    );
    expect(results.filter((result) => result === 'last')).toHaveLength(1);
    expect((await store().records()).filter(({ role }) => role === 'admin')).toHaveLength(1);
  });

  it('sets a role, and removes members while there is an admin', async () => {
    const [ada, mel] = [account({ user: 'ada' }), account({ user: 'mel', role: 'member' })];
    for (const one of [ada, mel]) await store().create(one);
    expect(await store().setRole(newUuid(), 'admin')).toBe('unknown');
    expect(await store().setRole(ada.uuid, 'member')).toBe('last');
    expect(await store().remove(ada.uuid, null)).toBe('last');
    expect(await store().setRole(ada.uuid, 'admin')).toBe('set');
    expect(await store().setRole(mel.uuid, 'admin')).toBe('set');
    expect(await store().setRole(ada.uuid, 'member')).toBe('set');
    expect((await store().records()).map(({ user, role }) => [user, role])).toEqual([
      ['ada', 'member'],
      ['mel', 'admin'],
    ]);
    expect(await store().remove(ada.uuid, null)).toBe('removed');
  });

  it('changes a password once per version', async () => {
    const ada = account();
    await store().createFirst(ada);
    const changed = await Promise.all(
      Array.from({ length: 10 }, (_, index) => store().changePassword(ada, `hash-${index}`, `key-${index}`)),
    );
    expect(changed.filter(Boolean)).toHaveLength(1);
    const winner = changed.indexOf(true);
    expect(await store().first()).toMatchObject({
      password_hash: `hash-${winner}`,
      recovery_hash: `key-${winner}`,
      version: 2,
    });
    expect(await store().changePassword(ada, 'late', 'late')).toBe(false);
    expect(await store().changePassword({ ...ada, uuid: newUuid() }, 'none', 'none')).toBe(false);
  });

  it('replaces a recovery key once, and nothing else', async () => {
    const ada = account();
    await store().createFirst(ada);
    await store().create(account({ user: 'mel@example.com' }));
    const changed = await Promise.all(
      Array.from({ length: 10 }, (_, index) => store().changeRecoveryKey(ada, `key-${index}`)),
    );
    expect(changed.filter(Boolean)).toHaveLength(1);
    const winner = changed.indexOf(true);
    const { updated_at: _, recovery_key_created_at: __, ...unchanged } = ada;
    expect(await store().byUser(ada.user)).toMatchObject({ ...unchanged, recovery_hash: `key-${winner}` });
    expect(await store().byUser('mel@example.com')).toMatchObject({ recovery_hash: 'recovery' });
    expect(await store().changeRecoveryKey({ ...ada, uuid: newUuid() }, 'none')).toBe(false);
  });

  it('changes no password by a recovery key that was replaced, and does not bring that key back', async () => {
    const ada = account();
    await store().createFirst(ada);
    expect(await store().changeRecoveryKey(ada, 'next')).toBe(true);
    expect(await store().changePassword(ada, 'by the old key', 'another')).toBe(false);
    expect(await store().changePassword(ada, 'by the old password', ada.recovery_hash)).toBe(false);
    expect(await store().first()).toMatchObject({ password_hash: 'hash', recovery_hash: 'next', version: 1 });
    const createdAt = (await store().first())?.recovery_key_created_at;
    expect(createdAt).toEqual(expect.any(String));
    // The password changes, and the key stays.
    expect(await store().changePassword({ ...ada, recovery_hash: 'next' }, 'new', 'next')).toBe(true);
    expect((await store().first())?.recovery_key_created_at).toBe(createdAt);
    expect(await store().changeRecoveryKey({ ...ada, recovery_hash: 'next' }, 'late')).toBe(false);
  });
});
