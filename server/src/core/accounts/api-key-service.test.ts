import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { secondsFromNow } from '../../lib/clock.ts';
import { KyselyApiKeyStore } from '../../storage/accounts/kysely-api-key-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { ApiKeyService } from './api-key-service.ts';
import { CredentialChanges } from './credential-changes.ts';

let storage: Storage;
let service: ApiKeyService;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') });
  storage = await openTestStorage('sqlite');
  service = new ApiKeyService(new KyselyApiKeyStore(storage.database, storage.engine), new CredentialChanges());
});
afterEach(async () => {
  vi.useRealTimers();
  await storage.close();
});

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

it('shows a key once and keeps only its fingerprint', async () => {
  const made = await service.create({ name: 'program' }, null);
  expect(made.key).toMatch(/^lbk_[A-Za-z0-9_-]{43}$/);
  expect(made).toMatchObject({
    description: '',
    scopes: ['read', 'write', 'send'],
    expires_at: null,
    last_used_at: null,
  });
  const masked = `lbk…${made.key.slice(-4)}`;
  expect(await service.get(made.id)).toEqual({ ...made, key: masked });
  expect(await service.list()).toEqual([{ ...made, key: masked }]);
  const rows = await storage.database.selectFrom('api_keys').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(made.key.slice(4, -4));
});

it('knows a key until it is revoked', async () => {
  const { id, key } = await service.create({ name: 'program', scopes: ['send'] }, null);
  expect(await service.authenticate(key)).toMatchObject({ id, name: 'program', scopes: ['send'] });
  for (const other of ['', 'lbk_', `${key}a`, key.toUpperCase()]) expect(await service.authenticate(other)).toBeNull();
  await service.revoke(id);
  expect(await service.authenticate(key)).toBeNull();
  await expect(service.revoke(id)).rejects.toMatchObject({ reason: 'not_found' });
  await expect(service.get(id)).rejects.toMatchObject({ reason: 'not_found' });
});

it('knows a key until it expires', async () => {
  const { key } = await service.create({ name: 'program', expires_at: secondsFromNow(60) }, null);
  pass(59);
  expect(await service.authenticate(key)).not.toBeNull();
  pass(1);
  expect(await service.authenticate(key)).toBeNull();
});

it('makes no key that has expired already, and reads any time zone', async () => {
  await expect(service.create({ name: 'late', expires_at: '2026-01-01T00:30:00+01:00' }, null)).rejects.toMatchObject({
    reason: 'invalid_request',
    details: [{ path: 'expires_at', message: 'must be in the future' }],
  });
  expect(await service.list()).toEqual([]);
  const made = await service.create({ name: 'later', expires_at: '2026-01-01T02:00:00+01:00' }, null);
  expect(made.expires_at).toBe('2026-01-01T01:00:00.000Z');
});

it('writes the last use at most once a minute', async () => {
  const { id, key } = await service.create({ name: 'program' }, null);
  const uses: (string | null)[] = [];
  for (let index = 0; index < 5; index += 1) {
    await service.authenticate(key);
    uses.push((await service.get(id)).last_used_at);
    pass(30);
  }
  const [first, later] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:30.000Z'];
  expect(uses).toEqual([first, first, first, later, later]);
});

it('renames', async () => {
  const { id } = await service.create({ name: 'program' }, null);
  pass(5);
  expect((await service.update(id, { name: 'renamed' })).record).toMatchObject({
    name: 'renamed',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:05.000Z',
  });
  await expect(service.update(id + 1, { name: 'unknown' })).rejects.toMatchObject({ reason: 'not_found' });
});
