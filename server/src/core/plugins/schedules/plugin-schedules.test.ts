import { ParleyError, type PluginContributions } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ScriptedPlugin, scriptedPlugins } from '../../../../test/factories/scripted-plugins.ts';
import { openTestStorage } from '../../../../test/stores/open-test-storage.ts';
import { otherReplica, takeOver } from '../../../../test/stores/replicas.ts';
import { ownDuty } from '../../../lib/worker-loop.ts';
import { KyselyScheduleStore } from '../../../storage/plugins/kysely-schedule-store.ts';
import type { Storage } from '../../../storage/storage.ts';
import type { PluginCalls } from '../contributions/plugin-calls.ts';
import { PluginSchedules } from './plugin-schedules.ts';

let storage: Storage;
const opened: PluginSchedules[] = [];
let time = 0;

beforeEach(async () => {
  storage = await openTestStorage('sqlite');
  time = Date.parse('2026-11-27T02:30:00.000Z');
});
afterEach(async () => {
  for (const schedules of opened.splice(0)) await schedules.stop();
  await storage.close();
});

const nightly: PluginContributions = {
  schedules: [{ name: 'nightly', label: { en_US: 'Nightly' }, cron: '0 3 * * *' }],
};
const id = 'example/plugin-1';

/** A service that starts now. The storage is as its replica has it. */
function started(plugin: ScriptedPlugin, { database, replica } = storage) {
  const runs: unknown[] = [];
  const script: ScriptedPlugin = {
    contributes: nightly,
    ...plugin,
    answers: (request, call) => {
      runs.push(call.parameters);
      return plugin.answers?.(request, call) ?? null;
    },
  };
  const scripts = [script];
  const { plugins, caller } = scriptedPlugins(scripts);
  const enabled = new Set([id]);
  const active = { ...plugins, list: () => plugins.list().filter((each) => enabled.has(each.id)) };
  const host = { during: () => ({ answer: () => Promise.reject(new Error('nothing is answered')) }) };
  const calls: PluginCalls = { plugins: active, caller, host, scopeOf: () => null };
  const logger = { ...silentLogger, warn: vi.fn() };
  const schedules = new PluginSchedules(new KyselyScheduleStore(database, replica), {
    plugins: active,
    calls,
    duty: ownDuty,
    logger,
    now: () => time,
  });
  opened.push(schedules);
  schedules.start();
  const nextAt = async () => (await schedules.statesOf(id))[0]?.next_at;
  return {
    runs,
    schedules,
    logger,
    enabled,
    changed: () => active.changed.emit(),
    /** Until all that has come by now was handled. */
    settled: (next: string | undefined) => vi.waitFor(async () => expect(await nextAt()).toBe(next)),
    lastRun: async () => (await schedules.statesOf(id))[0]?.last_run,
    /** The clock is at a time, and the loop looks again. */
    at: (text: string) => {
      time = Date.parse(text);
      active.changed.emit();
    },
  };
}
const today = '2026-11-27T03:00:00.000Z';
const tomorrow = '2026-11-28T03:00:00.000Z';

it('calls the plugin when the time has come, and records the run', async () => {
  const service = started({});
  await service.settled(today);
  expect(await service.lastRun()).toBeNull();
  service.at('2026-11-27T03:00:00.020Z');
  await service.settled(tomorrow);
  expect(service.runs).toEqual([{ name: 'nightly', due_at: today }]);
  const ended = '2026-11-27T03:00:00.020Z';
  await vi.waitFor(async () => {
    expect(await service.lastRun()).toEqual({ due_at: today, started_at: ended, ended_at: ended, failure: null });
  });
});

it('wakes by itself', async () => {
  time = Date.parse('2026-11-27T02:59:59.700Z');
  const service = started({});
  await service.settled(today);
  const begin = performance.now();
  const clock = setInterval(() => {
    time = Date.parse('2026-11-27T02:59:59.700Z') + performance.now() - begin;
  }, 5);
  await service.settled(tomorrow);
  clearInterval(clock);
  expect(service.runs).toHaveLength(1);
});

it('runs no time twice after a restart, also when the process ended during the run', async () => {
  const dead = await otherReplica(storage);
  const first = started({ answers: () => new Promise(() => undefined) }, dead);
  await first.settled(today);
  first.at(today);
  await first.settled(tomorrow);
  await takeOver(dead);
  time = Date.parse('2026-11-27T03:00:05.000Z');
  const second = started({});
  await second.settled(tomorrow);
  expect([first.runs.length, second.runs.length]).toEqual([1, 0]);
  expect((await second.lastRun())?.failure?.reason).toBe('interrupted');
});

it('runs a time once that was missed by less than an hour', async () => {
  const first = started({});
  await first.settled(today);
  await first.schedules.stop();
  time = Date.parse('2026-11-27T03:59:00.000Z');
  const second = started({});
  await second.settled(tomorrow);
  expect(second.runs).toEqual([{ name: 'nightly', due_at: today }]);
});

it('skips a time that was missed by more than an hour, and says so', async () => {
  const first = started({});
  await first.settled(today);
  await first.schedules.stop();
  time = Date.parse('2026-11-27T04:01:00.000Z');
  const second = started({});
  await second.settled(tomorrow);
  expect(second.runs).toEqual([]);
  expect(second.logger.warn).toHaveBeenCalledExactlyOnceWith(
    { plugin: id, schedule: 'nightly', from: today },
    expect.stringContaining('missed by more than an hour'),
  );
});

it('does not take for missed what came up before it was installed, while it was disabled, or by another rule', async () => {
  const service = started({});
  await service.settled(today);
  service.enabled.delete(id);
  service.changed();
  await service.settled(undefined);
  time = Date.parse('2026-11-27T03:10:00.000Z');
  service.enabled.add(id);
  service.changed();
  await service.settled(tomorrow);
  await service.schedules.stop();
  const changed = started({
    contributes: { schedules: [{ name: 'nightly', label: { en_US: 'Nightly' }, cron: '5 * * * *' }] },
  });
  await changed.settled('2026-11-27T04:05:00.000Z');
  expect([...service.runs, ...changed.runs]).toEqual([]);
});

it('forgets schedules that a version of the plugin has no more', async () => {
  const first = started({});
  await first.settled(today);
  await first.schedules.stop();
  const second = started({ contributes: { schedules: [{ ...nightly.schedules?.[0], name: 'daily' } as never] } });
  await second.settled(today);
  expect((await new KyselyScheduleStore(storage.database, storage.replica).list()).map(({ name }) => name)).toEqual([
    'daily',
  ]);
});

it('does not start a schedule again that still runs, and says so', async () => {
  const finished = Promise.withResolvers<null>();
  const service = started({
    contributes: { schedules: [{ name: 'often', label: { en_US: 'Often' }, cron: '* * * * *' }] },
    answers: () => finished.promise,
  });
  await service.settled('2026-11-27T02:31:00.000Z');
  service.at('2026-11-27T02:31:00.000Z');
  await service.settled('2026-11-27T02:32:00.000Z');
  expect((await service.schedules.statesOf(id))[0]?.is_running).toBe(true);
  service.at('2026-11-27T02:32:00.000Z');
  await service.settled('2026-11-27T02:33:00.000Z');
  expect(service.runs).toHaveLength(1);
  expect(service.logger.warn).toHaveBeenCalledExactlyOnceWith(
    { plugin: id, schedule: 'often', due_at: '2026-11-27T02:32:00.000Z' },
    expect.stringContaining('has not ended'),
  );
  finished.resolve(null);
  await vi.waitFor(async () => expect((await service.schedules.statesOf(id))[0]?.is_running).toBe(false));
  service.at('2026-11-27T02:33:00.000Z');
  await vi.waitFor(() => expect(service.runs).toHaveLength(2));
});

it('records why a run failed, and runs at the next time', async () => {
  const service = started({
    answers: () => {
      throw new ParleyError('plugin_failed', 'No connection to the market');
    },
  });
  await service.settled(today);
  service.at(today);
  const failure = { reason: 'plugin_failed', message: 'No connection to the market' };
  await vi.waitFor(async () => expect(await service.lastRun()).toMatchObject({ ended_at: today, failure }));
  service.at(tomorrow);
  await vi.waitFor(() => expect(service.runs).toHaveLength(2));
});

it('cancels what runs when the service stops', async () => {
  let signal: AbortSignal | undefined;
  const service = started({
    answers: (_, call) => {
      signal = call.signal;
      return new Promise(() => undefined);
    },
  });
  await service.settled(today);
  service.at(today);
  await vi.waitFor(() => expect(signal?.aborted).toBe(false));
  await service.schedules.stop();
  expect(signal?.aborted).toBe(true);
  expect(await new KyselyScheduleStore(storage.database, storage.replica).list()).toMatchObject([
    { reason: 'interrupted', ended_at: today },
  ]);
});

it('runs a time once when two services share a database', async () => {
  const [one, other] = [started({}), started({}, await otherReplica(storage))];
  await Promise.all([one.settled(today), other.settled(today)]);
  time = Date.parse(today);
  one.changed();
  other.changed();
  await Promise.all([one.settled(tomorrow), other.settled(tomorrow)]);
  expect(one.runs.length + other.runs.length).toBe(1);
});

it('skips a time while another service has not ended the run before, and knows which runs go on', async () => {
  const answer = Promise.withResolvers<null>();
  const one = started({ answers: () => answer.promise });
  await one.settled(today);
  one.at(today);
  await one.settled(tomorrow);
  const other = started({}, await otherReplica(storage));
  await other.settled(tomorrow);
  expect(await other.schedules.statesOf(id)).toMatchObject([{ is_running: true, last_run: { ended_at: null } }]);
  other.at(tomorrow);
  await other.settled('2026-11-29T03:00:00.000Z');
  expect(other.runs).toEqual([]);
  expect(other.logger.warn).toHaveBeenCalledWith(
    expect.objectContaining({ due_at: tomorrow }),
    expect.stringContaining('the run before has not ended'),
  );
  answer.resolve(null);
  await vi.waitFor(async () => expect(await one.schedules.statesOf(id)).toMatchObject([{ is_running: false }]));
  other.at('2026-11-29T03:00:00.000Z');
  await vi.waitFor(() => expect(other.runs).toHaveLength(1));
});

it('does not end the runs of another service that lives, nor one that was taken over', async () => {
  const answer = Promise.withResolvers<null>();
  const place = await otherReplica(storage);
  const one = started({ answers: () => answer.promise }, place);
  await one.settled(today);
  one.at(today);
  await one.settled(tomorrow);
  const other = started({});
  await other.settled(tomorrow);
  expect(await other.lastRun()).toMatchObject({ ended_at: null, failure: null });
  await takeOver(place, new KyselyScheduleStore(storage.database, storage.replica));
  answer.resolve(null);
  // It reads that its run was ended.
  await vi.waitFor(async () => expect((await one.lastRun())?.failure?.reason).toBe('interrupted'));
});

it('runs no time twice when the clock is put back', async () => {
  const service = started({});
  await service.settled(today);
  service.at('2026-11-27T03:00:00.100Z');
  await service.settled(tomorrow);
  service.at('2026-11-27T02:15:00.000Z');
  service.at('2026-11-27T03:00:00.200Z');
  await service.settled(tomorrow);
  await service.schedules.stop();
  const after = started({});
  await after.settled(tomorrow);
  expect([service.runs.length, after.runs.length]).toEqual([1, 0]);
});
