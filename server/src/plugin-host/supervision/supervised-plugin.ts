import { ParleyError, type Reason } from '@parley/sdk';
import type { PluginProcessState, PluginProgram, PluginRequest } from '../../core/plugins/plugin-caller.ts';
import { BoundedConcurrency } from '../../lib/bounded-concurrency.ts';
import { now } from '../../lib/clock.ts';
import { followSignals } from '../../lib/follow-signals.ts';
import { inTime, pause, untilAborted } from '../../lib/waiting.ts';
import { CallRecord } from './call-record.ts';
import type { PluginLog } from './plugin-log.ts';
import type { PluginStarter, RunningPlugin } from './running-plugin.ts';
import { StartPace } from './start-pace.ts';
import { startPlugin } from './start-plugin.ts';

/** Calls at once, and further ones that wait. */
const callsAtOnce = 8;
const longestQueue = 1000;
/** How long after its connection a process ends, milliseconds. */
const longestEndMs = 1000;

/** A call that may be made now. */
interface Turn {
  running: RunningPlugin;
  /** With the time that is left of it. */
  request: PluginRequest;
  /** To be called once, when the call has ended. */
  leave(): void;
}

/** One plugin with its process: starts it for a call, again after a crash, and ends it when it is idle. */
export class SupervisedPlugin {
  readonly #starter: PluginStarter;
  readonly #log: PluginLog;
  readonly #idleMs: number;
  readonly #slots = new BoundedConcurrency({ limit: callsAtOnce, longestQueue });
  readonly #record = new CallRecord();
  readonly #removal = new AbortController();
  /** All that have not ended, the retired ones as well. */
  readonly #processes = new Set<RunningPlugin>();
  #program: PluginProgram;
  #pace = new StartPace();
  /** Of the program that is set; null while there is no process. */
  #current: Promise<RunningPlugin> | null = null;
  #running: RunningPlugin | null = null;
  #idle: NodeJS.Timeout | undefined;
  #crashes = 0;
  #failure: PluginProcessState['failure'] = null;
  /** The error that the latest start failed with; null after a successful one. */
  #startError: Error | null = null;
  #isolation: PluginProcessState['isolation'] = null;
  #endedLateResponses = 0;

  constructor(program: PluginProgram, options: { starter: PluginStarter; log: PluginLog; idleMs: number }) {
    this.#program = program;
    this.#starter = options.starter;
    this.#log = options.log;
    this.#idleMs = options.idleMs;
  }

  /** Calls that run finish on the process that they are on. */
  replace(program: PluginProgram): void {
    this.#program = program;
    this.#pace = new StartPace();
    this.#startError = null;
    const former = this.#current;
    this.#forgetProcess();
    former?.then(
      (running) => running.retire(),
      () => undefined,
    );
  }

  async call(request: PluginRequest): Promise<unknown> {
    const ended = this.#record.begin();
    let turn: Turn | undefined;
    try {
      turn = this.#enterNow(request) ?? (await this.#enter(request));
      const response = await turn.running.connection.call(turn.request);
      ended(false);
      return response;
    } catch (error) {
      // Whoever cancels a call does not find fault with the plugin.
      ended(!request.signal.aborted);
      throw await this.#explained(error, turn?.running);
    } finally {
      turn?.leave();
    }
  }

  async *stream(request: PluginRequest): AsyncGenerator<unknown> {
    const ended = this.#record.begin();
    let failed = false;
    let turn: Turn | undefined;
    try {
      turn = this.#enterNow(request) ?? (await this.#enter(request));
      yield* turn.running.connection.stream(turn.request);
    } catch (error) {
      failed = !request.signal.aborted;
      throw await this.#explained(error, turn?.running);
    } finally {
      // Also when its reader leaves.
      ended(failed);
      turn?.leave();
    }
  }

  /** Ends all of its processes; calls fail with `plugin_not_running`. */
  async remove(): Promise<void> {
    this.#removal.abort(notRunning(this.#program.id));
    clearTimeout(this.#idle);
    await this.#current?.catch(() => undefined);
    await Promise.all([...this.#processes].map((running) => running.stop()));
  }

  get state(): PluginProcessState {
    const running = this.#running;
    return {
      state: this.#stateName(),
      isolation: this.#isolation,
      memory_bytes: running?.memoryBytes ?? null,
      started_at: running?.startedAt ?? null,
      calls: this.#record.calls,
      failures: this.#record.failures,
      crashes: this.#crashes,
      p95_ms: this.#record.p95,
      late_responses: [...this.#processes].reduce(
        (sum, { connection }) => sum + connection.lateResponses,
        this.#endedLateResponses,
      ),
      failure: this.#failure,
    };
  }

  #stateName(): PluginProcessState['state'] {
    if (this.#running !== null) return 'running';
    if (this.#current !== null) return 'starting';
    const time = performance.now();
    if (this.#pace.isPaused(time)) return 'paused';
    return this.#pace.waitMs(time) > 0 ? 'waiting' : 'stopped';
  }

  /** @returns null when the call has to wait for a slot or for the process */
  #enterNow(request: PluginRequest): Turn | null {
    const running = this.#running;
    if (running === null || !running.isOpen || this.#removal.signal.aborted || request.signal.aborted) return null;
    const leaveSlot = this.#slots.enterNow();
    return leaveSlot === null ? null : this.#turn(running, request, leaveSlot);
  }

  /**
   * Waits for a slot and for the process, within the time of the request.
   * @throws ParleyError why it cannot be called; the reason of the signal
   */
  async #enter(request: PluginRequest): Promise<Turn> {
    const deadline = performance.now() + request.timeoutMs;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(timedOut(request)), request.timeoutMs);
    const { signal, release } = followSignals([request.signal, this.#removal.signal, late.signal]);
    try {
      const leaveSlot = await this.#slots.enter(signal);
      if (leaveSlot === null) {
        throw new ParleyError('plugin_busy', `${longestQueue} calls of the plugin ${request.plugin} wait already`);
      }
      try {
        const running = await this.#ready(deadline, signal);
        const timeoutMs = Math.max(1, deadline - performance.now());
        return this.#turn(running, { ...request, timeoutMs }, leaveSlot);
      } catch (error) {
        leaveSlot();
        throw error;
      }
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  #turn(running: RunningPlugin, request: PluginRequest, leaveSlot: () => void): Turn {
    const leaveProcess = running.enter();
    const leave = () => {
      leaveSlot();
      leaveProcess();
      if (running === this.#running) this.#idle?.refresh();
    };
    return { running, request, leave };
  }

  /** The process of the program that is set. It is started if that can be in time. */
  async #ready(deadline: number, signal: AbortSignal): Promise<RunningPlugin> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#current !== null) {
        const running = await untilAborted(this.#current, signal);
        if (running.isOpen) return running;
        continue;
      }
      const time = performance.now();
      const waitMs = this.#pace.waitMs(time);
      if (waitMs === 0) this.#start();
      else if (time + waitMs >= deadline) throw this.#cannotStart(waitMs);
      else await pause(waitMs, signal);
    }
  }

  #start(): void {
    const current = startPlugin(this.#program, {
      starter: this.#starter,
      log: this.#log,
      signal: this.#removal.signal,
    });
    this.#current = current;
    current.then(
      (running) => this.#started(running, current),
      (error: Error) => this.#startFailed(error, current),
    );
  }

  #started(running: RunningPlugin, current: Promise<RunningPlugin>): void {
    const begun = performance.now();
    this.#processes.add(running);
    void running.ended.then((ending) => {
      this.#processes.delete(running);
      this.#endedLateResponses += running.connection.lateResponses;
      const isCrash = ending.reason !== 'plugin_not_running';
      if (isCrash) this.#recordFailure(ending);
      if (this.#current !== current) return;
      this.#forgetProcess();
      if (isCrash) this.#pace.crashed(performance.now(), performance.now() - begun);
    });
    if (this.#current !== current) return;
    this.#running = running;
    this.#isolation = running.isolation;
    this.#startError = null;
    this.#watchIdle(running);
  }

  #startFailed(error: Error, current: Promise<RunningPlugin>): void {
    if (this.#removal.signal.aborted) return;
    this.#recordFailure({ reason: error instanceof ParleyError ? error.reason : 'internal', message: error.message });
    if (this.#current !== current) return;
    this.#forgetProcess();
    this.#startError = error;
    this.#pace.crashed(performance.now(), 0);
  }

  #forgetProcess(): void {
    this.#current = null;
    this.#running = null;
    clearTimeout(this.#idle);
  }

  #recordFailure({ reason, message }: { reason: Reason; message: string }): void {
    this.#crashes += 1;
    this.#failure = { reason, message, at: now() };
    this.#log.add('error', `the process of the plugin failed (${reason}): ${message}`);
  }

  /** Ends the process when no call has ended for a time, and none runs. */
  #watchIdle(running: RunningPlugin): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (running.isBusy) return this.#watchIdle(running);
      this.#forgetProcess();
      running.retire();
    }, this.#idleMs);
    this.#idle.unref();
  }

  #cannotStart(waitMs: number): Error {
    const seconds = Math.ceil(waitMs / 1000);
    const { id } = this.#program;
    if (this.#pace.isPaused(performance.now())) {
      const message = `the plugin ${id} is paused for ${seconds} s after repeated crashes: ${this.#failure?.message}`;
      return new ParleyError('plugin_paused', message, { retryAfterSeconds: seconds });
    }
    if (this.#startError !== null) return this.#startError;
    const message = `the process of the plugin ${id} ended and starts again in ${seconds} s: ${this.#failure?.message}`;
    return new ParleyError('plugin_crashed', message, { retryAfterSeconds: seconds });
  }

  /** The connection knows that it closed, and the process why. */
  async #explained(error: unknown, running: RunningPlugin | undefined): Promise<unknown> {
    const isCrash = error instanceof ParleyError && error.reason === 'plugin_crashed';
    if (!isCrash || running === undefined) return error;
    if (this.#removal.signal.aborted) return this.#removal.signal.reason;
    const ending = await inTime(running.ended, longestEndMs, () => null);
    if (ending === null) return error;
    const message = `the process of the plugin ${this.#program.id} ended during the call: ${ending.message}`;
    return new ParleyError('plugin_crashed', message, { cause: error });
  }
}

function timedOut({ plugin, timeoutMs }: PluginRequest): ParleyError {
  return new ParleyError('plugin_timeout', `the plugin ${plugin} could not be called within ${timeoutMs} ms`);
}

export function notRunning(id: string): ParleyError {
  return new ParleyError('plugin_not_running', `the plugin ${id} is not running`);
}
