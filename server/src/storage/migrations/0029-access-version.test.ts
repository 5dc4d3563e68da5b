import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyAccountStore } from '../accounts/kysely-account-store.ts';
import { KyselyApiKeyStore } from '../accounts/kysely-api-key-store.ts';
import { storedVersions } from '../records/stored-versions.ts';

const stamp = '2026-01-01T00:00:00.000Z';

describeOnEachEngine('the version of access', (storage) => {
  /** How much something raises it. */
  const raisedBy = async (work: () => Promise<unknown>) => {
    const read = storedVersions(storage().database);
    const before = await read();
    await work();
    const after = await read();
    expect(after.records).toBe(before.records);
    return after.access - before.access;
  };
  const createAccount = async () => {
    const uuid = newUuid();
    const account = { uuid, user: uuid, role: 'member' as const, password_hash: '', recovery_hash: '', version: 1 };
    await storage()
      .database.insertInto('accounts')
      .values({ ...account, created_at: stamp, updated_at: stamp })
      .execute();
    return uuid;
  };
  const createKey = async (account_uuid: string | null) => {
    const key = { name: 'key', key: 'lbk_…', description: '', scopes: [], account_uuid, expires_at: null };
    const stamps = { created_at: stamp, updated_at: stamp };
    return (await new KyselyApiKeyStore(storage().database, storage().engine).create({ ...key, ...stamps }, newUuid()))
      .id;
  };

  it('is raised by every change of an API key', async () => {
    const keys = new KyselyApiKeyStore(storage().database, storage().engine);
    let id = 0;
    expect(
      await raisedBy(async () => {
        id = await createKey(null);
      }),
    ).toBe(1);
    expect(await raisedBy(() => keys.update(id, () => ({ name: 'other' }), stamp))).toBe(1);
    const expire = (expires_at: string | null) =>
      storage().database.updateTable('api_keys').set({ expires_at }).where('id', '=', id).execute();
    expect(await raisedBy(() => expire(stamp))).toBe(1);
    const scopes = JSON.stringify(['read']);
    expect(await raisedBy(() => storage().database.updateTable('api_keys').set({ scopes }).execute())).toBe(1);
    expect(await raisedBy(() => keys.delete(id))).toBe(1);
  });

  it('is not raised when a key is used', async () => {
    const id = await createKey(null);
    const keys = new KyselyApiKeyStore(storage().database, storage().engine);
    expect(await raisedBy(() => keys.touch(id, '2030-01-01T00:00:00.000Z'))).toBe(0);
    expect((await keys.byId(id))?.last_used_at).toBe('2030-01-01T00:00:00.000Z');
  });

  it('is raised by another role of an account, and not by another password', async () => {
    const accounts = new KyselyAccountStore(storage().database);
    const uuid = await createAccount();
    expect(await raisedBy(() => accounts.setRole(uuid, 'admin'))).toBe(1);
    expect(await raisedBy(() => accounts.changePassword({ uuid, version: 1, recovery_hash: '' }, 'hash', 'hash'))).toBe(
      0,
    );
  });

  it('is raised when an account goes with its keys, or leaves them to another', async () => {
    const accounts = new KyselyAccountStore(storage().database);
    const [admin, first, second] = [await createAccount(), await createAccount(), await createAccount()];
    await accounts.setRole(admin, 'admin');
    const [left, inherited] = [await createKey(first), await createKey(second)];
    expect(await raisedBy(() => accounts.remove(first, null))).toBeGreaterThan(0);
    expect(await raisedBy(() => accounts.remove(second, { account_uuid: admin }))).toBeGreaterThan(0);
    const keys = new KyselyApiKeyStore(storage().database, storage().engine);
    expect(await keys.byId(left)).toBeNull();
    expect(await keys.byId(inherited)).toMatchObject({ account_uuid: admin });
  });
});
