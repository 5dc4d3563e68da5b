import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { Account } from '../../core/accounts/account.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyAccountStore } from './kysely-account-store.ts';
import { KyselyIdentityStore } from './kysely-identity-store.ts';

const issuer = 'https://id.example.com';
const account = (user: string): Account => ({
  uuid: newUuid(),
  user,
  role: 'member',
  password_hash: '',
  recovery_hash: '',
  recovery_key_created_at: null,
  version: 1,
  created_at: now(),
  updated_at: now(),
});

describeOnEachEngine('the store of identities', (storage) => {
  const store = () => new KyselyIdentityStore(storage().database);
  const accounts = () => new KyselyAccountStore(storage().database);

  it('links an identity with one account, and an account with one identity of an issuer', async () => {
    const [ada, bob] = [account('ada'), account('bob')];
    for (const one of [ada, bob]) await accounts().create(one);
    const at = now();
    expect(await store().link(ada.uuid, { issuer, subject: '1' }, at)).toBe(true);
    expect(await store().link(bob.uuid, { issuer, subject: '1' }, at)).toBe(false);
    expect(await store().link(ada.uuid, { issuer, subject: '2' }, at)).toBe(false);
    expect(await store().accountOf({ issuer, subject: '1' })).toEqual(ada);
    expect(await store().accountOf({ issuer: 'https://other.example.com', subject: '1' })).toBeNull();
    expect(await store().linkedAt(ada.uuid, issuer)).toBe(at);
    expect(await store().unlink(ada.uuid, issuer)).toBe(true);
    expect(await store().unlink(ada.uuid, issuer)).toBe(false);
    expect(await store().linkedAt(ada.uuid, issuer)).toBeNull();
  });

  it('creates one account for an identity when several requests race, without leftovers', async () => {
    const identity = { issuer, subject: '1' };
    await accounts().createFirst({ ...account('ada'), role: 'admin' });
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => store().createAccount(account(`mel ${index}`), identity)),
    );
    expect(results.filter((result) => result === 'created')).toHaveLength(1);
    expect(results.filter((result) => result === 'identity-taken')).toHaveLength(7);
    const [, made, ...others] = await accounts().records();
    expect(made?.user).toMatch(/^mel/);
    expect(others).toEqual([]);
    expect(await store().createAccount(account(made?.user ?? ''), { issuer, subject: '2' })).toBe('name-taken');
  });

  it('creates no account before the first one, so that the first is an admin', async () => {
    expect(await store().createAccount(account('mel'), { issuer, subject: '1' })).toBe('no-admin');
    expect(await accounts().createFirst({ ...account('ada'), role: 'admin' })).toBe(true);
    expect(await store().createAccount(account('mel'), { issuer, subject: '1' })).toBe('created');
  });
});
