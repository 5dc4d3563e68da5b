import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { hostFor } from '../core/plugins/contributions/plugin-calls.ts';
import { bundleModule } from './bundle-module.ts';
import { defaultExport, type PackedPlugin, packPlugin } from './pack-plugin.ts';
import { type AnySamples, contributionChecks, type PluginCheck } from './plugin-checks.ts';
import { openTrialHost, type TrialHost } from './trial-host.ts';

/** How a check went. */
export interface CheckedPlugin {
  name: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** What was found, or why it failed or was not made; may be empty. */
  remark: string;
  milliseconds: number;
}

const samplesFile = 'samples.ts';

/**
 * Tests the project of a plugin: its types, its own tests, and whether it does in a process of the server what its
 * manifest declares, on the samples of `samples.ts`.
 * @param project absolute path of its folder
 * @param settings for the test, besides those of the samples
 * @param hasTypes whether its types are checked; they take most of the time
 */
export async function* checkPlugin(
  project: string,
  { settings = {}, hasTypes = true }: { settings?: Record<string, unknown>; hasTypes?: boolean } = {},
): AsyncGenerator<CheckedPlugin> {
  let packed: PackedPlugin | undefined;
  let samples: AnySamples = {};
  yield await made({
    name: 'packs',
    run: async () => {
      packed = await packPlugin(project);
      samples = await readSamples(project);
      return `${packed.inspected.size} bytes`;
    },
  });
  if (packed === undefined) return;
  if (hasTypes && existsSync(join(project, 'tsconfig.json'))) {
    yield await made({ name: 'type-checks', run: () => typeCheck(project) });
  }
  const tests = await testFiles(project);
  if (tests.length > 0) yield await made({ name: 'passes its own tests', run: () => runTests(project, tests) });
  await using host = await openTrialHost(packed, { ...samples.settings, ...settings });
  const started = await made({ name: 'starts, with a handler for all that it contributes', run: () => start(host) });
  yield started;
  if (started.outcome === 'failed') return;
  for (const check of contributionChecks(host, samples, project)) yield await made(check);
  yield await made({ name: 'runs on', run: () => checkState(host) });
}

async function made({ name, missing, run }: PluginCheck): Promise<CheckedPlugin> {
  const begun = performance.now();
  const ended = (outcome: CheckedPlugin['outcome'], remark: string) => ({
    name,
    outcome,
    remark,
    milliseconds: Math.round(performance.now() - begun),
  });
  if (missing !== undefined) return ended('skipped', missing);
  try {
    return ended('passed', await run());
  } catch (error) {
    const { details = [] } = error as { details?: { path: string; message: string }[] };
    const faults = details.map(({ path, message }) => `${path}: ${message}`);
    return ended(
      'failed',
      faults.length > 0 ? faults.join('; ') : error instanceof Error ? error.message : String(error),
    );
  }
}

async function readSamples(project: string): Promise<AnySamples> {
  const file = join(project, samplesFile);
  if (!existsSync(file)) return {};
  return (await defaultExport(await bundleModule(file, project, 'node'), samplesFile)) as AnySamples;
}

/** Starts the process by a call that no handler has: its answer says that the plugin has started. */
async function start({ pool, plugin, calls }: TrialHost): Promise<string> {
  const call = {
    plugin: plugin.id,
    method: 'page' as const,
    parameters: { name: '-', endpoint: '', method: 'GET', body: null },
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    host: hostFor(calls, plugin.id, null),
  };
  await pool.call(call).catch((error: { reason?: string }) => {
    if (error.reason !== 'not_found') throw error;
  });
  const isolation = pool.state(plugin.id)?.isolation;
  return isolation === 'landlock' ? 'behind both walls' : 'behind the wall of Node.js only';
}

async function checkState({ pool, plugin }: TrialHost): Promise<string> {
  const state = pool.state(plugin.id);
  if (state?.state !== 'running' || state.failure !== null) {
    throw new Error(state?.failure?.message ?? `the process is ${state?.state}`);
  }
  const memory = state.memory_bytes === null ? '' : `, ${Math.round(state.memory_bytes / 1e6)} MB of memory`;
  return `${state.calls} calls, p95 ${Math.round(state.p95_ms ?? 0)} ms${memory}`;
}

async function typeCheck(project: string): Promise<string> {
  const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  return await succeed([compiler, '-p', project, '--pretty', 'false'], project);
}

async function testFiles(project: string): Promise<string[]> {
  const folder = join(project, 'test');
  if (!existsSync(folder)) return [];
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\.test\.[jt]s$/.test(name)).map((name) => join(folder, name));
}

async function runTests(project: string, tests: readonly string[]): Promise<string> {
  await succeed(['--no-warnings', '--test', '--test-reporter=dot', ...tests], project);
  return tests.length === 1 ? '1 file' : `${tests.length} files`;
}

/** Runs a program of Node.js. @throws Error with what it printed when it fails */
async function succeed(args: readonly string[], folder: string): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const code = new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject));
  const [stdout, stderr, ended] = await Promise.all([text(child.stdout), text(child.stderr), code]);
  if (ended !== 0) throw new Error(`${stdout}${stderr}`.trim() || `it ended with ${ended}`);
  return '';
}
