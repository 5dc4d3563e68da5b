import { problemError } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import type { OtherReplicas } from '../replicas/other-replicas.ts';
import type { CallHandlers, CallPrincipal } from '../replicas/peer-calls.ts';
import type { InstalledPlugins } from './installed-plugins.ts';
import type { PluginLogLine, PluginProcesses, PluginProcessState } from './plugin-caller.ts';

/** A plugin on one replica. */
export interface PluginAtReplica {
  replica: string;
  /** Null while the plugin may not run there. */
  process: PluginProcessState | null;
  /** What is wrong with its files there. */
  fault: string | null;
}

/** Plugins on all replicas that answered. */
export interface PluginsAtReplicas {
  /** By replica. */
  of: (id: string) => PluginAtReplica[];
  /** Those that did not answer. */
  unreachable_replicas: string[];
}

export interface PluginsOfReplicasOptions {
  plugins: Pick<InstalledPlugins, 'all' | 'get' | 'faultOf'>;
  processes: Pick<PluginProcesses, 'state'>;
  /** The latest lines of the log of a plugin here, oldest first. */
  logs: (id: string, limit: number) => readonly PluginLogLine[];
  others: Pick<OtherReplicas, 'ask'>;
  /** The id of this replica. */
  replica: () => string;
}

const loggedPlugin = Type.Object({ id: Type.String(), limit: Type.Integer({ minimum: 1, maximum: 1000 }) });
type PluginStates = Record<string, Omit<PluginAtReplica, 'replica'>>;

/** The most serious first. */
const states: readonly PluginProcessState['state'][] = ['paused', 'waiting', 'running', 'starting', 'stopped'];

/** The processes of plugins and their logs, which each replica has of its own, for requests that reach any of them. */
export class PluginsOfReplicas {
  readonly #options: PluginsOfReplicasOptions;

  constructor(options: PluginsOfReplicasOptions) {
    this.#options = options;
  }

  /** Answers what other replicas ask for. */
  answer(handlers: CallHandlers): void {
    handlers.add('plugin_states', Type.Object({}), async () => this.#statesHere());
    handlers.add<Static<typeof loggedPlugin>>('plugin_log', loggedPlugin, async ({ id, limit }) =>
      this.#options.logs(id, limit),
    );
  }

  /** @param principal who asks */
  async states(principal: CallPrincipal): Promise<PluginsAtReplicas> {
    const { others, replica } = this.#options;
    const { answers, unreachable_replicas } = split(await others.ask('plugin_states', {}, principal));
    // They answer with what they have.
    const elsewhere = answers.map(({ replica, answer }) => ({ replica, found: answer as PluginStates }));
    const all = [{ replica: replica(), found: this.#statesHere() }, ...elsewhere];
    return {
      of: (id) => all.flatMap(({ replica, found }) => (found[id] === undefined ? [] : [{ replica, ...found[id] }])),
      unreachable_replicas,
    };
  }

  /**
   * The latest lines of the log of a plugin, oldest first.
   * @throws ParleyError `not_found`
   */
  async log(
    id: string,
    limit: number,
    principal: CallPrincipal,
  ): Promise<{ lines: (PluginLogLine & { replica: string })[]; unreachable_replicas: string[] }> {
    const { plugins, logs, others, replica } = this.#options;
    if (plugins.get(id) === null) throw problemError('plugin_not_found');
    const { answers, unreachable_replicas } = split(await others.ask('plugin_log', { id, limit }, principal));
    const all = [{ replica: replica(), answer: logs(id, limit) }, ...answers];
    const lines = all.flatMap(({ replica, answer }) =>
      // They answer with lines.
      (answer as readonly PluginLogLine[]).map(({ at, level, text }) => ({ at, level, text, replica })),
    );
    lines.sort((left, right) => Date.parse(left.at) - Date.parse(right.at));
    return { lines: lines.slice(-limit), unreachable_replicas };
  }

  #statesHere(): PluginStates {
    const { plugins, processes } = this.#options;
    return Object.fromEntries(
      plugins.all().map(({ id }) => [id, { process: processes.state(id), fault: plugins.faultOf(id) }]),
    );
  }
}

/** What processes of a plugin are together: null without any. */
export function processOf(all: readonly PluginAtReplica[]): PluginProcessState | null {
  const processes = all.flatMap(({ process: own }) => own ?? []);
  const sum = (value: 'calls' | 'failures' | 'crashes' | 'late_responses') =>
    processes.reduce((total, one) => total + one[value], 0);
  const known = <Value>(values: readonly (Value | null)[]) => values.filter((value) => value !== null);
  const memory = known(processes.map(({ memory_bytes }) => memory_bytes));
  const p95 = known(processes.map(({ p95_ms }) => p95_ms));
  const failures = known(processes.map(({ failure }) => failure));
  const state = states.find((one) => processes.some((own) => own.state === one));
  if (state === undefined) return null;
  return {
    state,
    isolation: known(processes.map(({ isolation }) => isolation))[0] ?? null,
    memory_bytes: memory.length === 0 ? null : memory.reduce((total, bytes) => total + bytes, 0),
    started_at: known(processes.map(({ started_at }) => started_at)).sort()[0] ?? null,
    calls: sum('calls'),
    failures: sum('failures'),
    crashes: sum('crashes'),
    p95_ms: p95.length === 0 ? null : Math.max(...p95),
    late_responses: sum('late_responses'),
    failure: failures.sort((left, right) => Date.parse(left.at) - Date.parse(right.at)).at(-1) ?? null,
  };
}

function split(asked: Awaited<ReturnType<OtherReplicas['ask']>>) {
  return {
    answers: asked.filter(({ answer }) => answer !== null),
    unreachable_replicas: asked.flatMap(({ replica, answer }) => (answer === null ? [replica] : [])),
  };
}
