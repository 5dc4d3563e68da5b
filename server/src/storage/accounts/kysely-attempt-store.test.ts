import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { Attempts } from '../../core/accounts/attempt-store.ts';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyAccountStore } from './kysely-account-store.ts';
import { KyselyAttemptStore } from './kysely-attempt-store.ts';

const oneMore = (attempts: Attempts | null): Attempts => ({
  failures: (attempts?.failures ?? 0) + 1,
  blocked_until: null,
  updated_at: now(),
});

describeOnEachEngine('the store of attempts', (storage) => {
  const store = () => new KyselyAttemptStore(storage().database);

  it('loses none of fifty attempts under one key', async () => {
    await Promise.all(Array.from({ length: 50 }, () => store().update('one', oneMore)));
    expect((await store().update('one', oneMore)).failures).toBe(51);
    expect((await store().update('another', oneMore)).failures).toBe(1);
  });

  it('counts on while attempts are cleared', async () => {
    const keys = ['pair', 'account'];
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 3 === 0 ? store().clear(keys) : store().update('pair', oneMore),
      ),
    );
    await store().clear(keys);
    expect((await store().update('pair', oneMore)).failures).toBe(1);
  });

  it('forgets attempts that are long past, and only those', async () => {
    const old: Attempts = { failures: 3, blocked_until: null, updated_at: '2020-01-01T00:00:00.000Z' };
    await store().update('old', () => old);
    await store().update('new', oneMore);
    expect(await store().prune('2021-01-01T00:00:00.000Z', 500)).toBe(1);
    expect((await store().update('old', oneMore)).failures).toBe(1);
    expect((await store().update('new', oneMore)).failures).toBe(2);
  });

  it('passes the stored record to the change', async () => {
    const first: Attempts = { failures: 3, blocked_until: secondsFromNow(30), updated_at: now() };
    const seen: (Attempts | null)[] = [];
    for (let round = 0; round < 2; round += 1) {
      await store().update('key', (attempts) => {
        seen.push(attempts);
        return first;
      });
    }
    expect(seen[0]).toBeNull();
    expect(seen[1]).toMatchObject(first);
  });

  it('reads attempts and writes none', async () => {
    await store().update('one', oneMore);
    expect(await store().read(['one', 'another'])).toEqual([expect.objectContaining({ failures: 1 })]);
    expect(await store().read(['another'])).toEqual([]);
    expect(await storage().database.selectFrom('attempts').selectAll().execute()).toHaveLength(1);
  });

  it('knows from where an account signed in, the last time at each network', async () => {
    const account = {
      uuid: newUuid(),
      role: 'member' as const,
      password_hash: '',
      recovery_hash: '',
      version: 1,
      created_at: '',
      updated_at: '',
    };
    await new KyselyAccountStore(storage().database).create({ ...account, user: 'ada' });
    const timestamps = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'] as const;
    await store().recordSignIn(account.uuid, '10.0.0.1', timestamps[0]);
    await store().recordSignIn(account.uuid, '10.0.0.2', timestamps[0]);
    await store().recordSignIn(account.uuid, '10.0.0.1', timestamps[2]);
    expect(await store().hasSignedIn('ada', '10.0.0.1', timestamps[1])).toBe(true);
    expect(await store().hasSignedIn('ada', '10.0.0.2', timestamps[1])).toBe(false);
    expect(await store().hasSignedIn('bob', '10.0.0.1', timestamps[1])).toBe(false);
    expect(await store().pruneSignIns(timestamps[1], 500)).toBe(1);
    expect(await store().hasSignedIn('ada', '10.0.0.1', timestamps[1])).toBe(true);
    await storage().database.deleteFrom('accounts').execute();
    expect(await storage().database.selectFrom('account_networks').selectAll().execute()).toEqual([]);
  });
});
