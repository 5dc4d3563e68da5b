import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyAccountStore } from './kysely-account-store.ts';
import { KyselySecondFactorStore } from './kysely-second-factor-store.ts';

describeOnEachEngine('the store of second factors', (storage) => {
  const store = () => new KyselySecondFactorStore(storage().database);
  const accounts = () => new KyselyAccountStore(storage().database);

  async function addAccount(user = 'ada'): Promise<string> {
    const uuid = newUuid();
    const secrets = { role: 'admin', password_hash: '', recovery_hash: '', version: 1 } as const;
    await accounts().create({ uuid, user, ...secrets, created_at: now(), updated_at: now() });
    return uuid;
  }

  it('replaces a secret until it is enabled', async () => {
    const ada = await addAccount();
    expect(await store().byAccount(ada)).toBeNull();
    for (const secret of ['one', 'two']) expect(await store().propose(ada, secret)).toBe(true);
    expect(await store().enable(ada, 'one', 7, ['a'], now())).toBe(false);
    const at = now();
    expect(await store().enable(ada, 'two', 7, ['a', 'b'], at)).toBe(true);
    expect(await store().enable(ada, 'two', 8, ['c'], at)).toBe(false);
    expect(await store().propose(ada, 'three')).toBe(false);
    expect(await store().byAccount(ada)).toEqual({ sealed_secret: 'two', enabled_at: at, recovery_codes_left: 2 });
  });

  it('takes each step once and never an earlier one, also when several come at once', async () => {
    const ada = await addAccount();
    await store().propose(ada, 'secret');
    expect(await store().useStep(ada, 9)).toBe(false);
    await store().enable(ada, 'secret', 7, ['a'], now());
    expect(await store().useStep(ada, 7)).toBe(false);
    const taken = await Promise.all(Array.from({ length: 10 }, () => store().useStep(ada, 8)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await store().useStep(ada, 6)).toBe(false);
    expect(await store().useStep(ada, 9)).toBe(true);
  });

  it('takes each recovery code once, of the account alone', async () => {
    const [ada, bob] = [await addAccount(), await addAccount('bob')];
    for (const uuid of [ada, bob]) {
      await store().propose(uuid, 'secret');
      await store().enable(uuid, 'secret', 1, [`code of ${uuid}`], now());
    }
    expect(await store().useRecoveryCode(ada, `code of ${bob}`)).toBe(false);
    const taken = await Promise.all(Array.from({ length: 10 }, () => store().useRecoveryCode(ada, `code of ${ada}`)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await store().byAccount(bob)).toMatchObject({ recovery_codes_left: 1 });
  });

  it('removes it with its codes, and with the account', async () => {
    const [ada, bob] = [await addAccount(), await addAccount('bob')];
    for (const uuid of [ada, bob]) await store().propose(uuid, 'secret');
    expect(await store().remove(ada)).toBe(false);
    await store().propose(ada, 'secret');
    for (const uuid of [ada, bob]) await store().enable(uuid, 'secret', 1, ['code'], now());
    expect(await store().remove(ada)).toBe(true);
    expect(await store().remove(ada)).toBe(false);
    expect(await store().byAccount(ada)).toBeNull();
    await accounts().remove(bob, null);
    expect(await storage().database.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
  });
});
