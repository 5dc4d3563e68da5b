import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { pluginMessage, recordedHost, startParameters } from '../../test/factories/plugin-host-calls.ts';
import { connectPlugin, type PluginConnection } from './plugin-connection.ts';

const entry = fileURLToPath(new URL('../../test/factories/plugin-process.ts', import.meta.url));
const { signal } = new AbortController();
const running: ChildProcessByStdio<Writable, Readable, Readable>[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

const shared = `
const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let cancelledAt = 0;
export default {
  tools: {
    echo: ({ value }) => ({ text: value }),
    ask: async (_, { host }) => ({ text: JSON.stringify(await host.settings()) }),
    wait: (_, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => {
      cancelledAt = Date.now();
      reject(signal.reason);
    })),
    cancelled_at: () => ({ text: String(cancelledAt) }),
    loop: () => { for (;;); },
    exit: () => process.exit(3),
    reject: () => { Promise.reject(new Error('nobody catches this')); return delay(5000); },
    noise: () => { process.stdout.write('Hello from a library\\n'); return delay(1000); },
    flood: async (_, { host }) => { for (let line = 0; line < 100000; line += 1) host.log('info', 'line ' + line); return { text: '' }; },
    calls: async (_, { host }) => {
      const results = await Promise.allSettled(Array.from({ length: 5000 }, () => host.settings()));
      return { text: String(results.filter(({ status }) => status === 'fulfilled').length) };
    },
  },
  runners: { endless: async function* () { for (;;) yield { type: 'text', text: 'x'.repeat(1000) }; } },
};`;
const names = ['echo', 'ask', 'wait', 'cancelled_at', 'loop', 'exit', 'reject', 'noise', 'flood', 'calls'];

async function started() {
  const module = `data:text/javascript,${encodeURIComponent(shared)}`;
  const child = spawn(process.execPath, [entry, module], { stdio: ['pipe', 'pipe', 'pipe'] });
  running.push(child);
  let lines = 0;
  const log = () => {
    lines += 1;
  };
  const connection = connectPlugin({ input: child.stdout, output: child.stdin, log });
  const host = recordedHost();
  const tools = names.map((name) => ({ name, description: name, parameters: {} }));
  const runners = [{ name: 'endless', label: { en_US: 'Endless' } }];
  await connection.start(startParameters({ tools, runners }), { signal, timeoutMs: 20_000, host });
  return { child, connection, lines: () => lines, tool: toolOf(connection) };
}

function toolOf(connection: PluginConnection) {
  return (
    name: string,
    parameters: Record<string, unknown> = {},
    more: { signal?: AbortSignal; timeoutMs?: number } = {},
  ) =>
    connection.call({
      method: 'tool',
      parameters: { message: pluginMessage, attempt: 1, name, parameters },
      timeoutMs: 20_000,
      signal,
      host: recordedHost(),
      ...more,
    }) as Promise<{ text: string }>;
}

it('calls and calls back are cheap', { timeout: 60_000 }, async () => {
  const { tool, connection, child } = await started();
  const value = 'x'.repeat(800);
  for (const name of ['echo', 'ask']) {
    const times: number[] = [];
    for (let call = 0; call < 2000; call += 1) {
      const startedAt = performance.now();
      await tool(name, { value });
      times.push(performance.now() - startedAt);
    }
    const median = times.toSorted((one, other) => one - other)[1000] ?? 0;
    expect(median).toBeLessThan(5);
  }
  connection.close();
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

it('cancelling reaches a process that is busy with others', { timeout: 60_000 }, async () => {
  const { tool, connection } = await started();
  const stop = new AbortController();
  const load = Array.from({ length: 6 }, async () => {
    while (!stop.signal.aborted) await tool('echo', { value: 'x'.repeat(10_000) });
  });
  const delays: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const controller = new AbortController();
    const waiting = tool('wait', {}, { signal: controller.signal });
    await tool('echo', { value: '' });
    const at = Date.now();
    controller.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    const { text } = await tool('cancelled_at');
    expect(Number(text)).toBeGreaterThan(0);
    delays.push(Number(text) - at);
  }
  stop.abort();
  await Promise.all(load);
  expect(delays.toSorted((one, other) => one - other)[18]).toBeLessThan(2000);
  connection.close();
});

it('a process that loops answers nothing, and one that exits fails its calls', { timeout: 60_000 }, async () => {
  const looping = await started();
  const call = looping.tool('loop', {}, { timeoutMs: 300 });
  await expect(looping.connection.ping(200)).rejects.toMatchObject({ reason: 'plugin_timeout' });
  await expect(call).rejects.toMatchObject({ reason: 'plugin_timeout' });
  looping.child.kill('SIGKILL');
  await looping.connection.closed;
  const exiting = await started();
  await expect(exiting.tool('exit')).rejects.toMatchObject({ reason: 'plugin_crashed' });
  await exiting.connection.closed;
});

it('an error that no handler catches ends the process, which says so', { timeout: 60_000 }, async () => {
  const { tool, child, connection } = await started();
  const call = tool('reject');
  call.catch(() => undefined);
  const [said] = await once(child.stderr, 'data');
  expect(String(said)).toMatch(/^Unhandled rejection: Error: nobody catches this/);
  await expect(call).rejects.toMatchObject({ reason: 'plugin_crashed' });
  await connection.closed;
});

it('noise on the standard output closes the connection', { timeout: 60_000 }, async () => {
  const { tool, connection } = await started();
  await expect(tool('noise')).rejects.toMatchObject({ reason: 'plugin_crashed' });
  expect(await connection.closed).toBeInstanceOf(Error);
});

it('floods of lines and of calls leave time for other work', { timeout: 60_000 }, async () => {
  const { tool, connection, lines } = await started();
  let longest = 0;
  // Other work of the machine does not count.
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  }, 1);
  try {
    await tool('flood');
    const { text } = await tool('calls');
    // The host answers at once, so there were never too many.
    expect(Number(text)).toBe(5000);
  } finally {
    clearInterval(timer);
  }
  expect(lines()).toBe(100_000);
  expect(longest).toBeLessThan(1000);
  expect((await tool('echo', { value: 'still' })).text).toBe('still');
  connection.close();
});

it('leaving an endless answer of a process ends it there', { timeout: 60_000 }, async () => {
  const { tool, connection } = await started();
  const request = { message: pluginMessage, attempt: 1, name: 'endless', request: {} as never };
  let read = 0;
  const answer = connection.stream({
    method: 'runner',
    parameters: request,
    timeoutMs: 20_000,
    signal,
    host: recordedHost(),
  });
  for await (const _ of answer) {
    read += 1;
    if (read === 500) break;
  }
  expect((await tool('echo', { value: 'on' })).text).toBe('on');
  const late = connection.lateResponses;
  await tool('echo', { value: 'on' });
  expect(connection.lateResponses).toBe(late);
  connection.close();
});
