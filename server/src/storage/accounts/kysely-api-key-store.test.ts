import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { ApiKey } from '../../core/accounts/api-key.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyAccountStore } from './kysely-account-store.ts';
import { KyselyApiKeyStore } from './kysely-api-key-store.ts';

type NewApiKey = Omit<ApiKey, 'id' | 'account_name' | 'account_role' | 'last_used_at'>;

const key = (over: Partial<NewApiKey> = {}): NewApiKey => ({
  name: 'program',
  key: 'lbk…wxyz',
  description: 'for a program',
  scopes: ['read', 'send'],
  account_uuid: null,
  expires_at: null,
  created_at: now(),
  updated_at: now(),
  ...over,
});

describeOnEachEngine('the store of API keys', (storage) => {
  const store = () => new KyselyApiKeyStore(storage().database, storage().engine);

  it('returns a key as it was stored, by number and by fingerprint', async () => {
    const created = await store().create(key(), 'hash');
    expect(created).toEqual({
      ...key(created),
      id: expect.any(Number),
      account_name: null,
      account_role: null,
      last_used_at: null,
    });
    expect(await store().byId(created.id)).toEqual(created);
    expect(await store().byHash('hash')).toEqual(created);
    expect(JSON.stringify(await store().list())).not.toContain('hash');
    expect(await store().byHash('another')).toBeNull();
    expect(await store().byId(created.id + 1)).toBeNull();
  });

  it('returns who created a key', async () => {
    const ada = newUuid();
    const secrets = { role: 'admin', password_hash: '', recovery_hash: '', version: 1 } as const;
    const account = { uuid: ada, user: 'ada', ...secrets, created_at: now(), updated_at: now() };
    await new KyselyAccountStore(storage().database).create(account);
    const created = await store().create(key({ account_uuid: ada }), 'hash');
    expect(created).toMatchObject({ account_uuid: ada, account_name: 'ada', account_role: 'admin' });
    expect(await store().byHash('hash')).toEqual(created);
    expect(await store().list()).toEqual([created]);
    expect(await store().update(created.id, () => ({ name: 'renamed' }), now())).toMatchObject({ account_name: 'ada' });
  });

  it('lists by age and reuses no id', async () => {
    const created = await Promise.all(Array.from({ length: 20 }, (_, index) => store().create(key(), `hash-${index}`)));
    const numbers = created.map(({ id }) => id).sort((left, right) => left - right);
    expect(new Set(numbers).size).toBe(20);
    expect((await store().list()).map(({ id }) => id)).toEqual(numbers);
    const last = numbers.at(-1) as number;
    await store().delete(last);
    expect((await store().create(key(), 'next')).id).toBeGreaterThan(last);
  });

  it('refuses a second key with the same fingerprint', async () => {
    await store().create(key(), 'hash');
    await expect(store().create(key(), 'hash')).rejects.toThrow();
    expect(await store().list()).toHaveLength(1);
  });

  it('changes, touches and deletes', async () => {
    const { id } = await store().create(key(), 'hash');
    const later = '2030-01-01T00:00:00.000Z';
    expect(await store().update(id, () => ({ name: 'renamed' }), later)).toMatchObject({
      name: 'renamed',
      description: 'for a program',
      updated_at: later,
    });
    await store().touch(id, later);
    expect((await store().byId(id))?.last_used_at).toBe(later);
    expect(await store().update(id + 1, () => ({ name: 'none' }), later)).toBeNull();
    expect(await store().delete(id)).toBe(true);
    expect(await store().delete(id)).toBe(false);
    expect(await store().byHash('hash')).toBeNull();
  });
});
