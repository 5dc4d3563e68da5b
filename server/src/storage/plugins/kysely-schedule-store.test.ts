import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { KyselyPluginValues } from './kysely-plugin-values.ts';
import { KyselyScheduleStore } from './kysely-schedule-store.ts';

const key = { plugin_id: 'example/units', name: 'nightly' };
const other = { plugin_id: 'example/other', name: 'nightly' };
const rule = { cron: '0 3 * * *', time_zone: 'Europe/Berlin' };
const [first, second, third] = ['2026-11-27T02:00:00.010Z', '2026-11-28T02:00:00.010Z', '2026-11-29T02:00:00.010Z'];
const run = { due_at: '2026-11-28T02:00:00.000Z', started_at: second };
const never = { due_at: null, started_at: null, ended_at: null, reason: null, error: null };

describeOnEachEngine('the store of schedules', (storage) => {
  const store = () => new KyselyScheduleStore(storage().database);

  it('gives a time to one of those that claim it', async () => {
    await store().save({ ...key, ...rule, handled_until: first });
    await store().save({ ...other, ...rule, handled_until: first });
    const claims = Array.from({ length: 5 }, () => store().claim(key, { from: first, until: second, run }));
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
    expect(await store().list()).toEqual([
      { ...other, ...rule, ...never, handled_until: first },
      { ...key, ...rule, ...never, ...run, handled_until: second },
    ]);
    expect(await store().claim({ ...key, name: 'none' }, { from: first, until: second, run })).toBe(false);
  });

  it('keeps how a run ended, also when times are skipped and the rule changes, until the next', async () => {
    await store().save({ ...key, ...rule, handled_until: first });
    await store().claim(key, { from: first, until: second, run });
    const end = { ended_at: second, reason: 'plugin_failed', error: 'Nichts geht: 失敗' } as const;
    await store().end(key, first, { ...end, error: 'of another run' });
    await store().end(key, second, end);
    await store().claim(key, { from: second, until: third, run: null });
    await store().save({ ...key, ...rule, cron: '0 4 * * *', handled_until: third });
    expect(await store().list()).toEqual([
      { ...key, ...rule, cron: '0 4 * * *', handled_until: third, ...run, ...end },
    ]);
    const next = { due_at: third, started_at: third };
    await store().claim(key, { from: third, until: '2026-11-30T02:00:00.000Z', run: next });
    expect(await store().list()).toMatchObject([{ ...next, ended_at: null, reason: null, error: null }]);
  });

  it('removes one, and those of a plugin with what it stored', async () => {
    for (const name of ['nightly', 'hourly']) await store().save({ ...key, name, ...rule, handled_until: first });
    await store().save({ ...other, ...rule, handled_until: first });
    await store().remove(key);
    expect((await store().list()).map(({ name }) => name)).toEqual(['nightly', 'hourly']);
    await new KyselyPluginValues(storage().database).removeAll(key.plugin_id);
    expect(await store().list()).toMatchObject([other]);
  });
});
