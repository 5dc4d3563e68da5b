import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ParleyError } from '@parley/sdk';
import type { PluginProcessPool } from '../../src/plugin-host/supervision/plugin-process-pool.ts';
import { callOfTool, makeProgram } from '../../src/plugin-host/testing/make-program.ts';
import { type ProbeStage, probingPlugin } from './probe-stage.ts';
import { probes } from './probes.ts';

/**
 * Has a plugin try all probes, one after the other.
 * @returns what became of each, by its name: `got through`, `refused: …`, or the reason that its call failed with
 */
export async function tryProbes(pool: PluginProcessPool, stage: ProbeStage): Promise<Record<string, string>> {
  await using program = await makeProgram(probingPlugin.main, {
    id: 'example/hostile',
    files: probingPlugin.files,
    // Enough for a worker thread, for which V8 reserves as much as for the process.
    limits: { memory_mb: 1024 },
  });
  pool.set(program);
  const outcomes: Record<string, string> = {};
  for (const { name } of probes) {
    const to = { ...stage.targets, own: program.folder };
    outcomes[name] = await pool
      .call(callOfTool(program.id, { name, to }, { timeoutMs: 5000 }))
      // The result of a tool, which is a text here.
      .then((result) => (result as { text: string }).text)
      .catch((error: unknown) => {
        if (!(error instanceof ParleyError)) throw error;
        return `${error.reason}: ${error.message}`;
      });
    // A plugin whose folder has other files is not started again.
    for (const file of await readdir(program.folder)) {
      if (!Object.hasOwn(program.files, file)) await rm(join(program.folder, file));
    }
  }
  await pool.remove(program.id);
  return outcomes;
}

export function gotThrough(outcomes: Record<string, string>): string[] {
  return Object.keys(outcomes).filter((name) => outcomes[name] === 'got through');
}
