import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { KyselyAuditStore } from '../../storage/audit/kysely-audit-store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { NewAuditEntry } from './audit-entry.ts';
import { AuditLog } from './audit-log.ts';

const entry = (over: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  actor_kind: 'command-line',
  actor_id: '',
  actor_name: 'root',
  credential: '',
  address: '',
  request_id: '',
  action: 'account.create',
  record_kind: 'account',
  record_id: 'one',
  changed: [],
  before: null,
  after: null,
  ...over,
});

describe('the audit log', () => {
  let storage: Storage;
  let log: AuditLog;
  beforeEach(async () => {
    storage = await openTestStorage('sqlite');
    log = new AuditLog(new KyselyAuditStore(storage.database), { retentionDays: 30 });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await storage.close();
  });

  it('records the time, and limits the length of input', async () => {
    await log.record(entry({ actor_name: 'x'.repeat(5000), address: 'y'.repeat(5000) }));
    const { entries } = await log.list({}, 10, null);
    expect(entries[0]).toMatchObject({ actor_name: 'x'.repeat(255), address: 'y'.repeat(255) });
    expect(Math.abs(Date.now() - Date.parse(entries[0]?.created_at ?? ''))).toBeLessThan(10_000);
  });

  it('returns a cursor, and none on the last page', async () => {
    for (const record_id of ['a', 'b', 'c']) await log.record(entry({ record_id }));
    const first = await log.list({}, 2, null);
    const second = await log.list({}, 2, first.next);
    expect([first, second].map(({ entries }) => entries.map(({ record_id }) => record_id))).toEqual([
      ['c', 'b'],
      ['a'],
    ]);
    expect(second.next).toBeNull();
    expect((await log.list({}, 3, null)).next).toBeNull();
  });

  it('deletes entries past their retention time, and no others', async () => {
    await log.record(entry({ record_id: 'old' }));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 29 * 86_400_000 });
    await log.record(entry({ record_id: 'new' }));
    expect(await log.prune(10)).toBe(0);
    vi.setSystemTime(Date.now() + 2 * 86_400_000);
    expect(await log.prune(10)).toBe(1);
    expect((await log.list({}, 10, null)).entries.map(({ record_id }) => record_id)).toEqual(['new']);
  });
});
