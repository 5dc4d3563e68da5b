import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { AuditEntry, AuditFilter } from '../../core/audit/audit-entry.ts';
import { KyselyAuditStore } from './kysely-audit-store.ts';

const entry = (over: Partial<AuditEntry> = {}): Omit<AuditEntry, 'id'> => ({
  created_at: '2026-01-01T00:00:00.000Z',
  actor_kind: 'user',
  actor_id: 'account',
  actor_name: 'ada@example.com',
  credential: 'session',
  address: '203.0.113.7',
  request_id: 'request',
  action: 'provider.update',
  record_kind: 'provider',
  record_id: 'one',
  changed: ['name'],
  before: { name: 'before' },
  after: { name: 'after', list: [1, null, 'x'] },
  ...over,
});

describeOnEachEngine('the store of the audit log', (storage) => {
  const store = () => new KyselyAuditStore(storage().database);
  const found = async (filter: AuditFilter = {}) =>
    (await store().list(filter, 100, null)).map(({ request_id }) => request_id);

  it('returns entries as they were stored, newest first', async () => {
    const [first, second] = [entry(), entry({ actor_kind: 'anonymous', before: null, after: null, changed: [] })];
    await store().record(first);
    await store().record(second);
    const entries = await store().list({}, 10, null);
    expect(entries.map(({ id: _, ...rest }) => rest)).toEqual([second, first]);
    expect(entries[0]?.id).toBeGreaterThan(entries[1]?.id ?? Number.POSITIVE_INFINITY);
  });

  it('pages stably while entries are added', async () => {
    for (let index = 0; index < 5; index += 1) await store().record(entry({ request_id: String(index) }));
    const first = await store().list({}, 2, null);
    await store().record(entry({ request_id: 'later' }));
    const second = await store().list({}, 2, first.at(-1)?.id ?? 0);
    const third = await store().list({}, 2, second.at(-1)?.id ?? 0);
    expect([first, second, third].map((page) => page.map(({ request_id }) => request_id))).toEqual([
      ['4', '3'],
      ['2', '1'],
      ['0'],
    ]);
  });

  it('filters by record, action, actor and time', async () => {
    await store().record(entry({ request_id: 'a' }));
    await store().record(entry({ request_id: 'b', record_id: 'two', action: 'provider.delete' }));
    await store().record(entry({ request_id: 'c', record_kind: 'bot', created_at: '2026-01-02T00:00:00.000Z' }));
    await store().record(entry({ request_id: 'd', actor_id: 'other', created_at: '2026-01-03T00:00:00.000Z' }));
    expect(await found()).toEqual(['d', 'c', 'b', 'a']);
    expect(await found({ record_kind: 'provider', record_id: 'one' })).toEqual(['d', 'a']);
    expect(await found({ action: 'provider.delete' })).toEqual(['b']);
    expect(await found({ actor_id: 'other' })).toEqual(['d']);
    expect(await found({ since: '2026-01-02T00:00:00.000Z', until: '2026-01-03T00:00:00.000Z' })).toEqual(['c']);
    expect(await found({ record_id: "' or 1=1 --", actor_id: undefined })).toEqual([]);
  });

  it('removes the oldest expired entries, up to the limit', async () => {
    const timestamp = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
    for (const day of [3, 1, 2, 4])
      await store().record(entry({ request_id: String(day), created_at: timestamp(day) }));
    expect(await store().removeBefore(timestamp(4), 2)).toBe(2);
    expect(await found()).toEqual(['4', '3']);
    expect(await store().removeBefore(timestamp(4), 2)).toBe(1);
    expect(await store().removeBefore(timestamp(4), 2)).toBe(0);
    expect(await found()).toEqual(['4']);
  });

  it('loses none that are recorded at once', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, index) => store().record(entry({ request_id: String(index) }))));
    expect(new Set(await found()).size).toBe(30);
  });
});
