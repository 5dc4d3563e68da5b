import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import { KyselyPluginValues } from './kysely-plugin-values.ts';
import { KyselyScheduleStore } from './kysely-schedule-store.ts';

const key = { plugin_id: 'example/units', name: 'nightly' };
const other = { plugin_id: 'example/other', name: 'nightly' };
const rule = { cron: '0 3 * * *', time_zone: 'Europe/Berlin' };
const [first, second, third] = ['2026-11-27T02:00:00.010Z', '2026-11-28T02:00:00.010Z', '2026-11-29T02:00:00.010Z'];
const run = { due_at: '2026-11-28T02:00:00.000Z', started_at: second };
const never = { due_at: null, started_at: null, ended_at: null, reason: null, error: null };

describeOnEachEngine('the store of schedules', (storage) => {
  const store = ({ database, replica } = storage()) => new KyselyScheduleStore(database, replica);

  it('gives a time to one of those that claim it', async () => {
    await store().save({ ...key, ...rule, handled_until: first });
    await store().save({ ...other, ...rule, handled_until: first });
    const claims = Array.from({ length: 5 }, () => store().claim(key, { from: first, until: second, run }));
    expect((await Promise.all(claims)).sort()).toEqual(['begun', null, null, null, null]);
    expect(await store().list()).toEqual([
      { ...other, ...rule, ...never, handled_until: first },
      { ...key, ...rule, ...never, ...run, handled_until: second },
    ]);
    expect(await store().claim({ ...key, name: 'none' }, { from: first, until: second, run })).toBeNull();
  });

  it('keeps how a run ended, also when times are skipped and the rule changes, until the next', async () => {
    await store().save({ ...key, ...rule, handled_until: first });
    await store().claim(key, { from: first, until: second, run });
    const end = { ended_at: second, reason: 'plugin_failed', error: 'Nichts geht: 失敗' } as const;
    expect(await store().end(key, first, { ...end, error: 'of another run' })).toBe(false);
    expect(await store().end(key, second, end)).toBe(true);
    expect(await store().claim(key, { from: second, until: third, run: null })).toBe('skipped');
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
    await new KyselyPluginValues(storage().database, storage().engine).removeAll(key.plugin_id);
    expect(await store().list()).toMatchObject([other]);
  });

  const rows = () => storage().database.selectFrom('plugin_schedules').selectAll().orderBy('plugin_id').execute();
  const next = { due_at: third, started_at: third };
  const good = { ended_at: third, reason: null, error: null };

  it('begins no run while another replica has one, and takes the time all the same', async () => {
    const [one, two] = [store(await otherReplica(storage())), store(await otherReplica(storage()))];
    await one.save({ ...key, ...rule, handled_until: first });
    expect(await one.claim(key, { from: first, until: second, run })).toBe('begun');
    expect(JSON.stringify(await one.list())).not.toContain('claimed_by');
    expect(await two.claim(key, { from: second, until: third, run: next })).toBe('skipped');
    expect(await two.list()).toEqual([{ ...key, ...rule, ...never, ...run, handled_until: third }]);
    expect(await two.end(key, second, good)).toBe(false);
    expect(await one.end(key, second, good)).toBe(true);
    const last = { due_at: third, started_at: '2026-11-30T02:00:00.010Z' };
    expect(await two.claim(key, { from: third, until: last.started_at, run: last })).toBe('begun');
    const before = await rows();
    expect(await one.end(key, second, good)).toBe(false);
    expect(await one.end(key, last.started_at, good)).toBe(false);
    expect(await rows()).toEqual(before);
  });

  it('begins a run after one of the same replica whose end was lost, which ends no more', async () => {
    await store().save({ ...key, ...rule, handled_until: first });
    await store().claim(key, { from: first, until: second, run });
    expect(await store().claim(key, { from: second, until: third, run: next })).toBe('begun');
    const before = await rows();
    expect(await store().end(key, second, good)).toBe(false);
    expect(await rows()).toEqual(before);
  });

  it('ends the runs of dead replicas alone', async () => {
    const [dead, living] = [await otherReplica(storage()), await otherReplica(storage())];
    for (const each of [key, other]) await store().save({ ...each, ...rule, handled_until: first });
    await store(dead).claim(key, { from: first, until: second, run });
    await store(living).claim(other, { from: first, until: second, run });
    const before = await rows();
    await store().recover(third);
    expect(await rows()).toEqual(before);
    await takeOver(dead, store(living));
    const [kept, ended] = await rows();
    expect(kept).toEqual(before[0]);
    expect(ended).toMatchObject({ reason: 'interrupted', ended_at: expect.any(String), claimed_by: null });
    expect(await store(dead).end(key, second, good)).toBe(false);
    expect((await rows())[1]).toEqual(ended);
  });
});
