import type {
  PluginLogLine,
  PluginProcesses,
  PluginProcessState,
  PluginProgram,
  PluginRequest,
} from '../../core/plugins/plugin-caller.ts';
import { PluginLog } from './plugin-log.ts';
import type { PluginStarter } from './running-plugin.ts';
import { startPlugin } from './start-plugin.ts';
import { notRunning, SupervisedPlugin } from './supervised-plugin.ts';

export interface PluginProcessPoolOptions extends PluginStarter {
  /** How long a process without calls runs on, milliseconds; default 10 minutes. */
  idleMs?: number;
}

/** One process for each plugin. */
export class PluginProcessPool implements PluginProcesses {
  readonly #starter: PluginStarter;
  readonly #idleMs: number;
  readonly #plugins = new Map<string, SupervisedPlugin>();
  readonly #logs = new Map<string, PluginLog>();

  constructor({ idleMs = 10 * 60_000, ...starter }: PluginProcessPoolOptions) {
    this.#starter = starter;
    this.#idleMs = idleMs;
  }

  set(program: PluginProgram): void {
    const known = this.#plugins.get(program.id);
    if (known !== undefined) {
      known.replace(program);
      return;
    }
    const log = this.#logOf(program.id);
    this.#plugins.set(program.id, new SupervisedPlugin(program, { starter: this.#starter, log, idleMs: this.#idleMs }));
  }

  async remove(id: string): Promise<void> {
    const plugin = this.#plugins.get(id);
    this.#plugins.delete(id);
    this.#logs.delete(id);
    await plugin?.remove();
  }

  async trial(program: PluginProgram, signal: AbortSignal): Promise<void> {
    const running = await startPlugin(program, { starter: this.#starter, log: this.#logOf(program.id), signal });
    await running.stop();
  }

  async call(request: PluginRequest): Promise<unknown> {
    return await this.#find(request.plugin).call(request);
  }

  async *stream(request: PluginRequest): AsyncIterable<unknown> {
    yield* this.#find(request.plugin).stream(request);
  }

  state(id: string): PluginProcessState | null {
    return this.#plugins.get(id)?.state ?? null;
  }

  /** The latest lines of its log, oldest first; none of a plugin that was not started. */
  log(id: string): readonly PluginLogLine[] {
    return this.#logs.get(id)?.lines ?? [];
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#plugins.keys()].map((id) => this.remove(id)));
  }

  #find(id: string): SupervisedPlugin {
    const plugin = this.#plugins.get(id);
    if (plugin === undefined) throw notRunning(id);
    return plugin;
  }

  #logOf(id: string): PluginLog {
    const log = this.#logs.get(id) ?? new PluginLog();
    this.#logs.set(id, log);
    return log;
  }
}
