import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sharedResource } from '../../../test/shared/shared-resource.ts';
import { callOfTool, type MadeProgram, makeProgram } from '../testing/make-program.ts';
import { findIsolation, launchPlugin } from './launch-plugin.ts';
import { PluginProcessPool } from './plugin-process-pool.ts';

beforeAll(() => sharedResource('commandLine'), 120_000);

const pools: PluginProcessPool[] = [];
const programs: MadeProgram[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())));
afterAll(() => Promise.all(programs.map((program) => program[Symbol.asyncDispose]())));

function makePool(options: { idleMs?: number } = {}): PluginProcessPool {
  const pool = new PluginProcessPool({
    launch: (program) => launchPlugin(program, 'best'),
    hostWhileStarting: () => ({ answer: async () => ({ result: { unit: 'm' } }) }),
    ...options,
  });
  pools.push(pool);
  return pool;
}

async function program(body: string, options: Parameters<typeof makeProgram>[1] & { before?: string } = {}) {
  const made = await makeProgram(
    `${options.before ?? ''}
     export default {
       tools: { async act(parameters, { host, signal }) { ${body} } },
       listeners: { received() {} },
     };`,
    options,
  );
  programs.push(made);
  return made;
}

const text = (value: string) => expect.objectContaining({ text: value });
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('the process of a plugin', () => {
  test('starts at the first call, and serves the next ones', async () => {
    const pool = makePool();
    const made = await program(`return String(process.pid);`);
    pool.set(made);
    expect(pool.state(made.id)).toMatchObject({ state: 'stopped', isolation: null, calls: 0, p95_ms: null });
    const first = await pool.call(callOfTool(made.id));
    expect(await pool.call(callOfTool(made.id))).toEqual(first);
    expect(pool.state(made.id)).toMatchObject({
      state: 'running',
      isolation: process.platform === 'linux' ? 'landlock' : 'permission-model',
      calls: 2,
      failures: 0,
      crashes: 0,
      failure: null,
      started_at: expect.any(String),
      p95_ms: expect.any(Number),
    });
    expect(await findIsolation('best')).toBe(pool.state(made.id)?.isolation);
    if (process.platform === 'linux') {
      await expect.poll(() => pool.state(made.id)?.memory_bytes).toBeGreaterThan(1 << 20);
    }
  });

  test('ends when it is idle, and starts again for a call', async () => {
    const pool = makePool({ idleMs: 50 });
    const made = await program(`return String(process.pid);`);
    pool.set(made);
    const first = await pool.call(callOfTool(made.id));
    await expect.poll(() => pool.state(made.id)?.state).toBe('stopped');
    expect(await pool.call(callOfTool(made.id))).not.toEqual(first);
    expect(pool.state(made.id)).toMatchObject({ failure: null });
  });

  test('has no environment, no standard input and output, and a log', async () => {
    const pool = makePool();
    const made = await program(
      `console.log('to the log'); console.error('as well'); process.stdout.write('also\\n');
       return JSON.stringify([Object.keys(process.env), process.stdin ?? null, process.stdout === process.stderr]);`,
    );
    pool.set(made);
    expect(await pool.call(callOfTool(made.id))).toEqual(text('[["OPENSSL_CONF"],null,true]'));
    await expect.poll(() => pool.log(made.id).map((line) => line.text)).toEqual(['to the log', 'as well', 'also']);
  });

  test('has the modules and abilities that plugins need', async () => {
    const pool = makePool();
    const made = await program(
      `const module = await WebAssembly.instantiate(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
       await setTimeout(1);
       const packed = gzipSync('text');
       const { data } = await import('./data.json', { with: { type: 'json' } }).then((module) => module.default);
       return [typeof module, gunzipSync(packed), createHash('sha256').update('a').digest('hex').length, data, join('a', 'b'),
         new URL('https://a.example/b').pathname, await more()].join(' ');`,
      {
        before: `import { setTimeout } from 'node:timers/promises';
                 import { gzipSync, gunzipSync } from 'zlib';
                 import { createHash } from 'node:crypto';
                 import { join } from 'node:path/posix';
                 import 'node:stream/web';
                 import { more } from './more.mjs';`,
        files: { 'data.json': '{"data": 7}', 'more.mjs': `export const more = async () => 'more';` },
      },
    );
    pool.set(made);
    expect(await pool.call(callOfTool(made.id))).toEqual(text('object text 64 7 a/b /b more'));
  });
});

describe('a crash', () => {
  test('fails the calls that run, and the process starts again after a second', async () => {
    const pool = makePool();
    const made = await program(`if (parameters.exit) process.exit(3); return String(process.pid);`);
    pool.set(made);
    const first = await pool.call(callOfTool(made.id));
    const error = await pool.call(callOfTool(made.id, { exit: true })).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ reason: 'plugin_crashed', message: expect.stringContaining('code 3') });
    expect(pool.state(made.id)).toMatchObject({
      state: 'waiting',
      failures: 1,
      crashes: 1,
      failure: { reason: 'plugin_crashed', message: expect.stringContaining('code 3') },
    });
    await expect(pool.call(callOfTool(made.id, {}, { timeoutMs: 300 }))).rejects.toMatchObject({
      reason: 'plugin_crashed',
      message: expect.stringContaining('starts again'),
    });
    const begun = performance.now();
    expect(await pool.call(callOfTool(made.id))).not.toEqual(first);
    expect(performance.now() - begun).toBeGreaterThan(500);
  });
});

describe('files', () => {
  const changes: [string, (made: MadeProgram) => Promise<unknown>][] = [
    ['changed', (made) => writeFile(join(made.folder, 'main.js'), 'export default { tools: { act: () => "other" } };')],
    ['linked', (made) => symlink('/etc/passwd', join(made.folder, 'passwd'))],
  ];
  test.each(changes)('that were %s on disk keep it from starting', async (_, change) => {
    const pool = makePool();
    const made = await program(`return 'as it was';`);
    pool.set(made);
    await change(made);
    await expect(pool.call(callOfTool(made.id))).rejects.toMatchObject({ reason: 'plugin_files_changed' });
    await expect(pool.trial(made, new AbortController().signal)).rejects.toMatchObject({
      reason: 'plugin_files_changed',
    });
    expect(pool.state(made.id)).toMatchObject({ failure: { reason: 'plugin_files_changed' } });
  });
});

describe('calls', () => {
  test('run eight at once, and the others in their order', async () => {
    const pool = makePool();
    const made = await program(
      `running += 1; most = Math.max(most, running);
       await new Promise((resolve) => setTimeout(resolve, 20));
       running -= 1;
       order.push(parameters.number);
       return JSON.stringify({ most, order });`,
      { before: 'let running = 0; let most = 0; const order = [];' },
    );
    pool.set(made);
    const calls = Array.from({ length: 24 }, (_, number) => pool.call(callOfTool(made.id, { number })));
    const results = await Promise.all(calls);
    const { most, order } = JSON.parse((results.at(-1) as { text: string }).text);
    expect(most).toBe(8);
    expect(order).toEqual(Array.from({ length: 24 }, (_, number) => number));
  });

  test('above the queue are refused, and those in it end with their time and their signal', async () => {
    const pool = makePool();
    const made = await program(`if (parameters.isFirst) return ''; await new Promise(() => {});`);
    pool.set(made);
    await pool.call(callOfTool(made.id, { isFirst: true }));
    const cancelled = new AbortController();
    const running = Array.from({ length: 8 }, () => pool.call(callOfTool(made.id, {}, { signal: cancelled.signal })));
    const late = pool.call(callOfTool(made.id, {}, { timeoutMs: 200 }));
    const queued = Array.from({ length: 999 }, () => pool.call(callOfTool(made.id, {}, { signal: cancelled.signal })));
    const settled = Promise.allSettled([...running, ...queued]);
    const refused = pool.call(callOfTool(made.id)).catch((error: unknown) => error);
    await expect(late).rejects.toMatchObject({ reason: 'plugin_timeout' });
    expect(await refused).toMatchObject({ reason: 'plugin_busy' });
    const reason = new Error('cancelled');
    cancelled.abort(reason);
    expect(new Set((await settled).map((outcome) => outcome.status === 'rejected' && outcome.reason))).toEqual(
      new Set([reason]),
    );
    expect(pool.state(made.id)).toMatchObject({ state: 'running', calls: 1010, failures: 2 });
  });

  test('finish on the former process while new ones go to the new one', async () => {
    const pool = makePool();
    const former = await program(`await new Promise((resolve) => setTimeout(resolve, 600)); return 'former';`);
    pool.set(former);
    const running = pool.call(callOfTool(former.id));
    await expect.poll(() => pool.state(former.id)?.state).toBe('running');
    pool.set(await program(`return 'new';`));
    expect(await pool.call(callOfTool(former.id))).toEqual(text('new'));
    expect(await running).toEqual(text('former'));
    expect(pool.state(former.id)).toMatchObject({ state: 'running', failures: 0, failure: null });
  });

  test('end with the removal of the plugin', async () => {
    const pool = makePool();
    const made = await program(`host.log('info', String(process.pid)); await new Promise(() => {});`);
    pool.set(made);
    const running = pool.call(callOfTool(made.id));
    running.catch(() => undefined);
    await expect.poll(() => pool.log(made.id)).toHaveLength(1);
    const pid = Number(pool.log(made.id)[0]?.text);
    await pool.remove(made.id);
    await expect(running).rejects.toMatchObject({ reason: 'plugin_not_running' });
    await expect(pool.call(callOfTool(made.id))).rejects.toMatchObject({ reason: 'plugin_not_running' });
    expect([pool.state(made.id), isAlive(pid)]).toEqual([null, false]);
  });
});

describe('a trial', () => {
  test('starts a program beside the one that is set, and leaves that running', async () => {
    const pool = makePool();
    const made = await program(`return String(process.pid);`);
    pool.set(made);
    const first = await pool.call(callOfTool(made.id));
    await pool.trial(await program(`return 'next';`), new AbortController().signal);
    const failing = await program('', { before: `throw new Error('cannot be loaded');` });
    await expect(pool.trial(failing, new AbortController().signal)).rejects.toMatchObject({ reason: 'plugin_failed' });
    const ending = await program('', { before: 'process.exit(2);' });
    await expect(pool.trial(ending, new AbortController().signal)).rejects.toMatchObject({ reason: 'plugin_crashed' });
    expect(await pool.call(callOfTool(made.id))).toEqual(first);
  });
});

describe('a service that is killed', () => {
  test.each([
    ['waits', 'await new Promise(() => {});'],
    // Nothing but the kernel can end it.
    ...(process.platform === 'linux' ? [['loops', 'for (;;);']] : []),
  ])('leaves no process behind of a plugin that %s', async (_, body = '') => {
    const made = await program(`host.log('info', String(process.pid)); await new Promise(setImmediate); ${body}`);
    const folder = await mkdtemp(join(tmpdir(), 'parley-killed-'));
    try {
      const script = join(folder, 'service.ts');
      const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
      await writeFile(
        script,
        `import { PluginProcessPool } from ${url('./plugin-process-pool.ts')};
         import { launchPlugin } from ${url('./launch-plugin.ts')};
         import { callOfTool } from ${url('../testing/make-program.ts')};
         const pool = new PluginProcessPool({
           launch: (program) => launchPlugin(program, 'best'),
           hostWhileStarting: () => ({ answer: async () => ({ result: {} }) }),
         });
         const program = ${JSON.stringify(made)};
         pool.set(program);
         pool.call(callOfTool(program.id)).catch(() => undefined);
         const told = setInterval(() => {
           const [line] = pool.log(program.id);
           if (line !== undefined) { clearInterval(told); console.log(line.text); }
         }, 20);`,
      );
      const service = spawn(process.execPath, ['--no-warnings', script], {
        cwd: fileURLToPath(new URL('.', import.meta.url)),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = await once(service.stdout, 'data');
      const pid = Number(String(line));
      expect(isAlive(pid)).toBe(true);
      service.kill('SIGKILL');
      await expect.poll(() => isAlive(pid)).toBe(false);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
