import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { Account } from '../../core/accounts/account.ts';
import { now } from '../../lib/clock.ts';
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
});
