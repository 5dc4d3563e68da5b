import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { Account } from '../../core/accounts/account.ts';
import type { Attempts } from '../../core/accounts/account-store.ts';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyAccountStore } from './kysely-account-store.ts';

const account = (over: Partial<Account> = {}): Account => ({
  uuid: newUuid(),
  user: 'ada@example.com',
  password_hash: 'hash',
  recovery_hash: 'recovery',
  version: 1,
  created_at: now(),
  updated_at: now(),
  ...over,
});

const oneMore = (attempts: Attempts | null): Attempts => ({
  failures: (attempts?.failures ?? 0) + 1,
  blocked_until: null,
  updated_at: now(),
});

describeOnEachEngine('the store of accounts', (storage) => {
  const store = () => new KyselyAccountStore(storage().database);

  it('is empty at first', async () => {
    expect(await store().first()).toBeNull();
    expect(await store().byUser('ada@example.com')).toBeNull();
  });

  it('gives an account back as it was stored', async () => {
    const ada = account();
    expect(await store().createFirst(ada)).toBe(true);
    expect(await store().first()).toEqual(ada);
    expect(await store().byUser(ada.user)).toEqual(ada);
    expect(await store().byUser('ADA@example.com')).toBeNull();
  });

  it('makes one first account when twenty are made at once', async () => {
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

  it('makes an account once however it is made, when both ways are gone at the same time', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? store().create(account()) : store().createFirst(account()),
      ),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
  });

  it('changes a password once per version', async () => {
    const ada = account();
    await store().createFirst(ada);
    const changed = await Promise.all(
      Array.from({ length: 10 }, (_, index) => store().changePassword(ada.uuid, 1, `hash-${index}`, `key-${index}`)),
    );
    expect(changed.filter(Boolean)).toHaveLength(1);
    const winner = changed.indexOf(true);
    expect(await store().first()).toMatchObject({
      password_hash: `hash-${winner}`,
      recovery_hash: `key-${winner}`,
      version: 2,
    });
    expect(await store().changePassword(ada.uuid, 1, 'late', 'late')).toBe(false);
    expect(await store().changePassword(newUuid(), 2, 'nobody', 'nobody')).toBe(false);
  });

  it('loses none of fifty attempts under one key', async () => {
    await Promise.all(Array.from({ length: 50 }, () => store().updateAttempts('one', oneMore)));
    expect((await store().updateAttempts('one', oneMore)).failures).toBe(51);
    expect((await store().updateAttempts('another', oneMore)).failures).toBe(1);
  });

  it('counts on while attempts are cleared', async () => {
    const keys = ['pair', 'account'];
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 3 === 0
          ? store().clearAttempts(keys, new Date(0).toISOString())
          : store().updateAttempts('pair', oneMore),
      ),
    );
    await store().clearAttempts(keys, new Date(0).toISOString());
    expect((await store().updateAttempts('pair', oneMore)).failures).toBe(1);
  });

  it('forgets attempts that are long past, and only those', async () => {
    const old: Attempts = { failures: 3, blocked_until: null, updated_at: '2020-01-01T00:00:00.000Z' };
    await store().updateAttempts('old', () => old);
    await store().updateAttempts('new', oneMore);
    await store().clearAttempts(['other'], '2021-01-01T00:00:00.000Z');
    expect((await store().updateAttempts('old', oneMore)).failures).toBe(1);
    expect((await store().updateAttempts('new', oneMore)).failures).toBe(2);
  });

  it('shows the change what was stored', async () => {
    const first: Attempts = { failures: 3, blocked_until: secondsFromNow(30), updated_at: now() };
    const seen: (Attempts | null)[] = [];
    for (let round = 0; round < 2; round += 1) {
      await store().updateAttempts('key', (attempts) => {
        seen.push(attempts);
        return first;
      });
    }
    expect(seen[0]).toBeNull();
    expect(seen[1]).toMatchObject(first);
  });
});
