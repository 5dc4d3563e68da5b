import { describe, expect, it } from 'vitest';
import { CallHandlers } from '../replicas/peer-calls.ts';
import type { InstalledPlugin } from './plugin.ts';
import type { PluginLogLine, PluginProcessState } from './plugin-caller.ts';
import { PluginsOfReplicas, processOf } from './plugins-of-replicas.ts';

const id = 'example/units';
const principal = { kind: 'user', id: 'ada' } as const;
const line = (second: number, text: string): PluginLogLine => ({
  at: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
  level: 'info',
  text,
});
const stopped: PluginProcessState = {
  state: 'stopped',
  isolation: null,
  memory_bytes: null,
  started_at: null,
  calls: 0,
  failures: 0,
  crashes: 0,
  p95_ms: null,
  late_responses: 0,
  failure: null,
};

interface FakeReplica {
  lines: readonly PluginLogLine[];
  process: PluginProcessState | null;
  fault?: string;
  /** Whether it answers others. */
  isCut?: boolean;
}

/** Replicas that ask one another without a network, by name. */
function replicas(all: Record<string, FakeReplica>): Map<string, PluginsOfReplicas> {
  const handlers = new Map(Object.keys(all).map((name) => [name, new CallHandlers()]));
  const call = (from: string, to: string, name: string, payload: unknown) =>
    handlers.get(to)?.find(name, payload)?.({ from, principal, signal: new AbortController().signal });
  return new Map(
    Object.entries(all).map(([name, { lines, process, fault = null }]) => {
      const others = Object.keys(all).filter((other) => other !== name);
      const plugins = new PluginsOfReplicas({
        plugins: {
          // Only the id is used.
          all: () => [{ id } as InstalledPlugin],
          get: (given) => (given === id ? ({ id } as InstalledPlugin) : null),
          faultOf: () => fault,
        },
        processes: { state: () => process },
        logs: (_, limit) => lines.slice(-limit),
        others: {
          ask: (asked, payload) =>
            Promise.all(
              others.map(async (replica) => {
                const answer = all[replica]?.isCut ? null : await call(name, replica, asked, payload);
                return { replica, answer: answer ?? null };
              }),
            ),
        },
        replica: () => name,
      });
      plugins.answer(handlers.get(name) as CallHandlers);
      return [name, plugins];
    }),
  );
}

const two = {
  a: { lines: [line(1, 'a1'), line(3, 'a3')], process: stopped },
  b: { lines: [line(2, 'b2')], process: null },
};

describe('the log of a plugin', () => {
  it.each(['a', 'b'])('has the latest lines of all replicas in order, asked at %s', async (name) => {
    const asked = replicas(two).get(name);
    const { lines, unreachable_replicas } = (await asked?.log(id, 1000, principal)) ?? {};
    expect(lines?.map(({ replica, text }) => `${replica} ${text}`)).toEqual(['a a1', 'b b2', 'a a3']);
    expect(unreachable_replicas).toEqual([]);
    const latest = (await asked?.log(id, 2, principal))?.lines;
    expect(latest?.map(({ text }) => text)).toEqual(['b2', 'a3']);
  });

  it('says which replica did not answer', async () => {
    const asked = replicas({ ...two, b: { ...two.b, isCut: true } }).get('a');
    expect(await asked?.log(id, 1000, principal)).toMatchObject({
      lines: [{ text: 'a1' }, { text: 'a3' }],
      unreachable_replicas: ['b'],
    });
    await expect(asked?.log('no/one', 1, principal)).rejects.toMatchObject({ reason: 'not_found' });
  });
});

describe('the processes of a plugin', () => {
  it.each(['a', 'b'])('are those of all replicas, asked at %s', async (name) => {
    const paused: PluginProcessState = { ...stopped, state: 'paused', crashes: 5 };
    const all = {
      ...two,
      b: { ...two.b, process: paused, fault: 'its files are missing' },
      c: { ...two.a, isCut: true },
    };
    const states = await replicas(all).get(name)?.states(principal);
    expect(states?.of(id).toSorted((left, right) => left.replica.localeCompare(right.replica))).toEqual([
      { replica: 'a', process: stopped, fault: null },
      { replica: 'b', process: paused, fault: 'its files are missing' },
    ]);
    expect([states?.of('no/one'), states?.unreachable_replicas]).toEqual([[], ['c']]);
  });

  it('are summed up', () => {
    const at = (process: PluginProcessState | null) => ({ replica: '', process, fault: null });
    const failure = (second: number) => ({ reason: 'plugin_crashed', message: '', at: line(second, '').at });
    const one: PluginProcessState = {
      ...stopped,
      state: 'running',
      isolation: 'landlock',
      memory_bytes: 10,
      started_at: line(2, '').at,
      calls: 3,
      failures: 1,
      p95_ms: 5,
      failure: failure(9),
    };
    const other: PluginProcessState = {
      ...one,
      state: 'waiting',
      memory_bytes: 20,
      started_at: line(1, '').at,
      calls: 4,
      crashes: 2,
      p95_ms: 7,
      failure: failure(8),
    };
    expect(processOf([at(one), at(null), at(other), at(stopped)])).toEqual({
      state: 'waiting',
      isolation: 'landlock',
      memory_bytes: 30,
      started_at: line(1, '').at,
      calls: 7,
      failures: 2,
      crashes: 2,
      p95_ms: 7,
      late_responses: 0,
      failure: failure(9),
    });
    expect(processOf([at(one)])).toEqual(one);
    expect([processOf([at(null)]), processOf([])]).toEqual([null, null]);
  });
});
