import type { PluginLimits, PluginPermissions } from '@parley/sdk';
import type { HostMethod, HostMethods, PluginMethod, PluginMethods, PluginNotifications } from './plugin-protocol.ts';

/*
 * How the core calls plugins. `plugin-host/` implements it with processes, tests with functions.
 */

/** A plugin that may run: installed, enabled, with the consent of an admin. */
export interface PluginProgram {
  /** `author/name` */
  id: string;
  version: string;
  /** Absolute path of the folder with the unpacked files. */
  folder: string;
  /** The module, relative to the folder. */
  main: string;
  /** SHA-256 of each file by path; the process is not started when they differ. */
  files: Readonly<Record<string, string>>;
  limits: Required<PluginLimits>;
  permissions: PluginPermissions;
  /** What it gets while it is tried before it is installed. */
  default_settings?: Readonly<Record<string, unknown>>;
  /** Parameters of `start`. */
  start: PluginMethods['start']['parameters'];
}

/** What the server does for a plugin during a call of it. */
export interface HostCalls {
  /**
   * Answers a request of the plugin. Its parameters are unchecked.
   * @returns the result; with `bytes` or `items`, what is streamed to the plugin besides
   * @throws ParleyError that the plugin gets; other errors are `internal` to it
   */
  answer(method: HostMethod, parameters: unknown, signal: AbortSignal): Promise<HostAnswer>;
  /** A notification about the call, unchecked. */
  notify?(name: Exclude<keyof PluginNotifications, 'log'>, parameters: unknown): void;
}
export interface HostAnswer<Method extends HostMethod = HostMethod> {
  result: HostMethods[Method]['result'];
  bytes?: AsyncIterable<Uint8Array>;
  items?: AsyncIterable<unknown>;
}

export interface PluginRequest<Method extends PluginMethod = PluginMethod> {
  /** `author/name` */
  plugin: string;
  method: Method;
  parameters: PluginMethods[Method]['parameters'];
  /** Streamed to the plugin. */
  bytes?: AsyncIterable<Uint8Array>;
  /** Longest time with waiting and starting the process, milliseconds. */
  timeoutMs: number;
  signal: AbortSignal;
  host: HostCalls;
}

/** Calls plugins; starts the process of one when it is needed. */
export interface PluginCaller {
  /**
   * @returns what the plugin responded, as parsed JSON; unchecked
   * @throws ParleyError `plugin_not_running`, `plugin_busy`, `plugin_timeout`, `plugin_crashed`, `plugin_paused`,
   *   `plugin_files_changed`, `plugin_isolation_missing` or `plugin_failed` with the message of the plugin; the reason of
   *   the signal when it is aborted
   */
  call(request: PluginRequest): Promise<unknown>;
  /**
   * As {@link call}, with what the plugin streams; unchecked. The plugin is slowed down by a slow reader, and cancelled
   * when the reader leaves.
   */
  stream(request: PluginRequest): AsyncIterable<unknown>;
}

/** What protects the system from a plugin: both walls, or the permission model of Node.js alone. */
export type PluginIsolation = 'landlock' | 'permission-model';

/** What isolates plugins on this system. */
export interface IsolationInForce {
  /** What the operator requires: as much as the system has, or the kernel. */
  setting: 'best' | 'kernel';
  /** Null where plugins do not run, because the system lacks what the setting requires. */
  isolation: PluginIsolation | null;
  without_plugins: boolean;
}

/** The state of a process. */
export interface PluginProcessState {
  state: 'stopped' | 'starting' | 'running' | 'waiting' | 'paused';
  /** Null while it has not been started. */
  isolation: PluginIsolation | null;
  /** Of its own, bytes; null while it does not run or the system does not tell. */
  memory_bytes: number | null;
  /** ISO 8601 UTC; null while it does not run. */
  started_at: string | null;
  /** Calls since the service started. */
  calls: number;
  failures: number;
  /** How often it ended by itself, or could not be started. */
  crashes: number;
  /** Of the last 1,000 calls, milliseconds; null without any. */
  p95_ms: number | null;
  /** Responses that came after their call had ended. */
  late_responses: number;
  /** The latest failure of the process; null without one. */
  failure: { reason: string; message: string; at: string } | null;
}

/** The processes of plugins. */
export interface PluginProcesses extends PluginCaller {
  /** Adds a plugin, or replaces its program: the process of the former one ends once its calls have. Starts nothing. */
  set(program: PluginProgram): void;
  /** Ends the process of a plugin and forgets it; calls that run fail with `plugin_not_running`. */
  remove(id: string): Promise<void>;
  /**
   * Starts a program beside the one that is set, and ends it again: whether it can be started.
   * @throws ParleyError with the reason why not
   */
  trial(program: PluginProgram, signal: AbortSignal): Promise<void>;
  state(id: string): PluginProcessState | null;
  /** Ends all processes. */
  stop(): Promise<void>;
}

/** Lines of the log of a plugin. */
export interface PluginLogLine {
  /** ISO 8601 UTC. */
  at: string;
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
}
