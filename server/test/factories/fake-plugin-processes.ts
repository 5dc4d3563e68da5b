import { ParleyError } from '@parley/sdk';
import type { PluginProcesses, PluginProgram } from '../../src/core/plugins/plugin-caller.ts';

/** Processes that run nothing, and note what they are asked for. */
export class FakePluginProcesses implements PluginProcesses {
  readonly programs = new Map<string, PluginProgram>();
  /** Versions whose start was tried: `author/name 1.0.0`. */
  readonly trials: string[] = [];
  /** What a trial waits for, and fails with. */
  onTrial: (program: PluginProgram, signal: AbortSignal) => Promise<void> = async () => undefined;

  set(program: PluginProgram): void {
    this.programs.set(program.id, program);
  }

  async remove(id: string): Promise<void> {
    this.programs.delete(id);
  }

  async trial(program: PluginProgram, signal: AbortSignal): Promise<void> {
    this.trials.push(`${program.id} ${program.version}`);
    await this.onTrial(program, signal);
  }

  async call(): Promise<unknown> {
    throw new ParleyError('plugin_not_running', 'Nothing runs here');
  }

  // biome-ignore lint/correctness/useYield: it fails before the first item
  async *stream(): AsyncIterable<unknown> {
    throw new ParleyError('plugin_not_running', 'Nothing runs here');
  }

  state(id: string) {
    if (!this.programs.has(id)) return null;
    const figures = { calls: 0, failures: 0, crashes: 0, p95_ms: null, late_responses: 0, failure: null };
    return { state: 'stopped' as const, isolation: null, memory_bytes: null, started_at: null, ...figures };
  }

  async stop(): Promise<void> {
    this.programs.clear();
  }
}

/** Versions of the programs that are set, by id. */
export function versionsOf(processes: FakePluginProcesses): Record<string, string> {
  return Object.fromEntries([...processes.programs].map(([id, { version }]) => [id, version]));
}
