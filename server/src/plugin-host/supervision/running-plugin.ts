import { readFile } from 'node:fs/promises';
import { ParleyError, type Reason } from '@parley/sdk';
import type { HostCalls, PluginIsolation, PluginProgram } from '../../core/plugins/plugin-caller.ts';
import { now } from '../../lib/clock.ts';
import { inTime, pause, untilAborted } from '../../lib/waiting.ts';
import { connectPlugin, type PluginConnection } from '../plugin-connection.ts';
import { checkPluginFiles } from './check-plugin-files.ts';
import type { LaunchedPlugin } from './launch-plugin.ts';
import type { PluginLog } from './plugin-log.ts';

/** Time between two pings, milliseconds. */
const pingMs = 2000;
/** How much later than asked for a timer of a service that is not stalled itself fires, milliseconds. */
const stalledMs = 1000;
/** Time for Node.js to start on a busy machine, milliseconds. */
const bootMs = 20_000;
/** Time for the module to load, and for its `start`, milliseconds. */
const startMs = 30_000;
/** How long a process may take to end after its input was closed, milliseconds. */
const graceMs = 1000;
/** Bytes of standard error that are read within a second; then the process waits when it writes more. */
const loggedBytes = 8 << 20;

/** How processes of plugins are started. */
export interface PluginStarter {
  launch(program: PluginProgram): LaunchedPlugin;
  /** What a plugin may ask for while it starts. */
  hostWhileStarting(program: PluginProgram): HostCalls;
}

export interface StartOptions {
  starter: PluginStarter;
  log: PluginLog;
  signal: AbortSignal;
}

/** Why a process ended. */
export interface PluginEnding {
  reason: Reason;
  message: string;
}

/** A process that is ready for calls. It is pinged, and killed when it does not respond or exceeds its memory. */
export class RunningPlugin {
  readonly startedAt = now();
  readonly connection: PluginConnection;
  readonly isolation: PluginIsolation;
  /** Resolves when the process has ended. */
  readonly ended: Promise<PluginEnding>;
  /** Of its own, bytes; null where the system does not tell. */
  memoryBytes: number | null = null;
  readonly #process: StartingProcess;
  #calls = 0;
  #isRetired = false;

  constructor(started: StartingProcess, isolation: PluginIsolation) {
    this.#process = started;
    this.isolation = isolation;
    this.connection = started.connection;
    this.ended = started.ended;
    void this.#watchMemory(started.program.limits.memory_mb);
  }

  get pid(): number | undefined {
    return this.#process.child.pid;
  }

  get isBusy(): boolean {
    return this.#calls > 0;
  }

  /** Whether it takes further calls. */
  get isOpen(): boolean {
    return !this.#isRetired && !this.#process.signal.aborted;
  }

  /** Keeps the process from being retired until the result is called. */
  enter(): () => void {
    this.#calls += 1;
    return () => {
      this.#calls -= 1;
      if (this.#isRetired && this.#calls === 0) void this.stop();
    };
  }

  /** Ends the process once its calls have ended. */
  retire(): void {
    this.#isRetired = true;
    if (this.#calls === 0) void this.stop();
  }

  /** Ends the process at once. */
  stop(): Promise<void> {
    return this.#process.stop();
  }

  /** The kernel has a limit besides; where it has none, this is what ends a process with too much memory. */
  async #watchMemory(limitMegabytes: number): Promise<void> {
    const atStart = await ownMemory(this.pid);
    this.memoryBytes = atStart;
    while (!this.#process.signal.aborted) {
      await pause(pingMs * 5, this.#process.signal);
      const memory = await ownMemory(this.pid);
      this.memoryBytes = memory;
      if (memory === null || atStart === null) return;
      if (memory - atStart <= limitMegabytes << 20) continue;
      this.#process.kill({ reason: 'plugin_crashed', message: `it used more than ${limitMegabytes} MB of memory` });
    }
  }
}

/**
 * Starts the process of a plugin and waits until the plugin has started.
 * @throws ParleyError why not: `plugin_files_changed`, `plugin_isolation_missing`, `plugin_crashed`, or what the start of
 *   the plugin failed with; the reason of the signal
 */
export async function startProcess(
  program: PluginProgram,
  { starter, log, signal }: StartOptions,
): Promise<RunningPlugin> {
  await checkPluginFiles(program);
  signal.throwIfAborted();
  const started = new StartingProcess(program, starter.launch(program), log);
  try {
    const isolation = await untilAborted(started.isolation, signal);
    await started.start(starter.hostWhileStarting(program), signal);
    return new RunningPlugin(started, isolation);
  } catch (error) {
    await started.stop();
    throw error;
  }
}

/** The process with its connection, from the launch to its end. */
class StartingProcess {
  readonly program: PluginProgram;
  readonly child: LaunchedPlugin['child'];
  readonly isolation: Promise<PluginIsolation>;
  readonly connection: PluginConnection;
  readonly #ended = Promise.withResolvers<PluginEnding>();
  readonly ended = this.#ended.promise;
  readonly #ending = new AbortController();
  /** Aborted when the process ends. */
  readonly signal = this.#ending.signal;
  /** Why it was ended; null while it was not. */
  #cause: PluginEnding | null = null;

  constructor(program: PluginProgram, { child, isolation }: LaunchedPlugin, log: PluginLog) {
    this.program = program;
    this.child = child;
    this.isolation = isolation;
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
    this.#readLog(log);
    child.once('error', (error) => this.#end(`it could not be started: ${error.message}`));
    child.once('exit', (code, signal) =>
      this.#end(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`),
    );
    this.connection = connectPlugin({
      input: child.stdout,
      output: child.stdin,
      log: ({ level, text }) => log.add(level, text),
    });
    void this.connection.closed.then((error) => {
      if (error !== null) this.kill({ reason: 'plugin_crashed', message: error.message });
    });
  }

  async start(host: HostCalls, signal: AbortSignal): Promise<void> {
    const ended = this.ended.then(({ reason, message }) => {
      throw new ParleyError(reason, `the process of the plugin ended while it started: ${message}`);
    });
    ended.catch(() => undefined);
    const ready = this.connection.ping(bootMs).catch((error: unknown) => {
      if (isTimeout(error)) this.kill({ reason: 'plugin_timeout', message: 'Node.js did not start in time' });
      return this.#withCause(error, ended);
    });
    await untilAborted(Promise.race([ended, ready]), signal);
    void this.#watchHeartbeat(this.program.limits.heartbeat_seconds);
    const start = this.connection.start(this.program.start, { timeoutMs: startMs, signal, host });
    // A process that ends closes the connection first; why it ended is known a moment later.
    await Promise.race([ended, start.catch((error: unknown) => this.#withCause(error, ended))]);
  }

  kill(cause: PluginEnding): void {
    this.#cause ??= cause;
    this.#signalGroup();
  }

  async stop(): Promise<void> {
    this.#cause ??= { reason: 'plugin_not_running', message: 'it was stopped' };
    this.connection.close();
    this.child.stdin.end();
    await inTime(this.ended, graceMs, () => this.#signalGroup());
    await this.ended;
  }

  async #withCause(error: unknown, ended: Promise<never>): Promise<never> {
    if (error instanceof ParleyError && error.reason === 'plugin_crashed')
      await inTime(ended, graceMs, () => undefined);
    throw error;
  }

  async #watchHeartbeat(seconds: number): Promise<void> {
    while (!this.signal.aborted) {
      const asked = performance.now();
      const isSilent = await this.connection.ping(seconds * 1000).then(() => false, isTimeout);
      const isStalled = performance.now() - asked > seconds * 1000 + stalledMs;
      if (isSilent && !isStalled) {
        this.kill({ reason: 'plugin_timeout', message: `it did not respond for ${seconds} s` });
      }
      await pause(pingMs, this.signal);
    }
  }

  #readLog(log: PluginLog): void {
    const { stderr } = this.child;
    const read = log.reader();
    let bytes = 0;
    const refill = setInterval(() => {
      bytes = 0;
      stderr.resume();
    }, 1000);
    refill.unref();
    stderr.on('data', (chunk: Buffer) => {
      read(chunk);
      bytes += chunk.length;
      if (bytes > loggedBytes) stderr.pause();
    });
    stderr.once('close', () => clearInterval(refill));
  }

  #end(how: string): void {
    this.#cause ??= { reason: 'plugin_crashed', message: how };
    this.#ended.resolve(this.#cause);
    this.#ending.abort();
    this.connection.close();
  }

  #signalGroup(): void {
    const { pid } = this.child;
    // The number of a process that has ended may be that of another one.
    if (pid === undefined || this.signal.aborted) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // There is none left.
    }
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof ParleyError && error.reason === 'plugin_timeout';
}

/** Anonymous memory of a process, bytes; null where the system does not tell. */
async function ownMemory(pid: number | undefined): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
