import { setTimeout as wait } from 'node:timers/promises';
import { type Logger, ParleyError, type Tool, type ToolResult } from '@parley/sdk';
import pRetry from 'p-retry';
import { cutToBytes } from '../../lib/cut-text.ts';
import { hidingSecrets } from '../../lib/hiding-secrets.ts';
import { inTime, untilAborted } from '../../lib/waiting.ts';
import { secretsOf } from './mcp-secrets.ts';
import type { McpConnectionInfo, McpTarget, McpTool } from './mcp-server.ts';
import { ConnectionLost, type McpSession, type OpenMcpSession, type SessionCallContext } from './mcp-session.ts';

/** Times of a connection, milliseconds. */
export interface McpTiming {
  /** Start timeout of a process, including the list of tools; other transports have their own timeout. */
  connect: number;
  /** Pause after the first failure; each one after it is twice as long, up to `longestPause`. */
  firstPause: number;
  longestPause: number;
  /** A connection that lasted this long is re-established immediately when it breaks. */
  stable: number;
  /** How long a call waits for a pending connection. */
  patience: number;
  /** Least time between two lists of tools that a server requests. */
  betweenLists: number;
}

export interface McpConnectionOptions {
  /** For the log and for messages to models. */
  name: string;
  uuid: string;
  open: OpenMcpSession;
  timing: McpTiming;
  /** The last known tools of the server. */
  knownTools: readonly McpTool[];
  /** Called with each new state and each new list of tools. */
  changed: (info: McpConnectionInfo) => void;
  logger: Logger;
}

const noError = { error_message: null, error_reason: null, error_hint: null };
type Status = Pick<McpConnectionInfo, 'status' | keyof typeof noError | 'protection'>;

/** Longest message of an error, bytes: servers choose their messages. */
const longestError = 2000;

/** Keeps one server connected, as one configuration requires, from `open` to `close`. */
export class McpConnection {
  readonly target: McpTarget;
  readonly #options: McpConnectionOptions;
  readonly #hide: (text: string) => string;
  readonly #closing = new AbortController();
  readonly #settled = Promise.withResolvers<void>();
  #ended: Promise<void> = Promise.resolve();
  #session: McpSession | null = null;
  /** Has the session taken for lost. */
  #lose: (why: ParleyError) => void = () => undefined;
  /** Settles when there is a session, or when an attempt to get one failed. */
  #attempt = Promise.withResolvers<void>();
  /** Ends the pause before the next attempt. */
  #hurry: AbortController | null = null;
  #tools: readonly McpTool[];
  #status: Status = { status: 'connecting', ...noError, protection: null };

  constructor(target: McpTarget, options: McpConnectionOptions) {
    this.target = target;
    this.#options = options;
    this.#tools = options.knownTools;
    this.#hide = hidingSecrets(Object.values(secretsOf(target)));
  }

  open(): void {
    this.#ended = this.#keepUp();
  }

  /** Ends it in bounded time. No state is reported any more from now on. */
  close(): Promise<void> {
    this.#closing.abort();
    this.#session = null;
    this.#settled.resolve();
    this.#attempt.resolve();
    return this.#ended;
  }

  /** Resolves when the first attempt has ended, well or not. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** The current or last known tools of the server. */
  get tools(): readonly McpTool[] {
    return this.#tools;
  }

  get info(): McpConnectionInfo {
    return { ...this.#status, tool_count: this.#tools.length, tools: [...this.#tools] };
  }

  /** Tries to connect now, if it is waiting to do so. */
  hurry(): void {
    this.#hurry?.abort();
  }

  /**
   * Calls a tool. Waits a little for a connection that is being made, and makes the call a second time when it surely
   * did not reach the server the first time.
   * @throws ParleyError with a message for the model, or the signal's reason
   */
  async call(name: string, parameters: Parameters<Tool['call']>[0], context: SessionCallContext): Promise<ToolResult> {
    try {
      for (let attempts = 1; ; attempts += 1) {
        const session = await this.#connected(context.signal);
        try {
          const { text, ...result } = await session.call(name, parameters, context);
          // A tool that prints its environment would reveal it to every user of the model.
          return { ...result, text: this.#hide(text) };
        } catch (error) {
          if (!(error instanceof ConnectionLost)) throw error;
          if (this.#session === session) this.#forget(error);
          if (error.mayHaveBeenMade || attempts === 2) throw this.#interruption(error);
        }
      }
    } catch (error) {
      context.signal.throwIfAborted();
      throw this.#asFailure(error);
    }
  }

  async #connected(signal: AbortSignal): Promise<McpSession> {
    if (this.#session !== null) return this.#session;
    this.hurry();
    const attempt = untilAborted(this.#attempt.promise, AbortSignal.any([signal, this.#closing.signal]));
    await inTime(attempt, this.#options.timing.patience, () => undefined).catch(() => signal.throwIfAborted());
    if (this.#session !== null) return this.#session;
    const why = this.#status.error_message;
    throw new ParleyError('tool_failed', `${this.#called} is not connected${why === null ? '' : `: ${why}`}`);
  }

  /** Timeout of requests that are not tool calls, milliseconds. */
  get #patience(): number {
    return this.target.mode === 'stdio' ? this.#options.timing.connect : this.target.timeout * 1000;
  }

  #interruption({ message }: ConnectionLost): ParleyError {
    const text = `the connection to ${this.#called} was lost during the call (${message})`;
    return new ParleyError('tool_failed', `${text}; it is being made again, so the call may be tried again`);
  }

  get #called(): string {
    return `the MCP server ${JSON.stringify(this.#options.name)}`;
  }

  async #keepUp(): Promise<void> {
    const { firstPause, longestPause } = this.#options.timing;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const hurry = new AbortController();
      try {
        await pRetry(() => this.#live(), {
          retries: Number.POSITIVE_INFINITY,
          minTimeout: firstPause,
          maxTimeout: longestPause,
          randomize: true,
          signal: AbortSignal.any([signal, hurry.signal]),
          shouldRetry: ({ error }) => {
            this.#hurry = hurry;
            return !isLasting(error);
          },
        });
      } catch (error) {
        if (isLasting(error)) return;
      }
    }
  }

  /**
   * The life of one session. Resolves when it broke after it had been up for long.
   * @throws ParleyError when it did not come up, or not for long
   */
  async #live(): Promise<void> {
    this.#hurry = null;
    const { signal } = this.#closing;
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    const giveUp = new AbortController();
    let session: McpSession | null = null;
    /** Milliseconds; null while it never was up. */
    let upSince: number | null = null;
    try {
      const lists = new Turn(() => this.#list(session, lost.reject));
      session = await this.#greet(AbortSignal.any([signal, giveUp.signal]), {
        toolsChanged: () => lists.ask(),
        lost: lost.reject,
      });
      upSince = performance.now();
      this.#session = session;
      this.#lose = lost.reject;
      const { protection } = session;
      this.#change({ status: 'connected', ...noError, protection });
      this.#attempt.resolve();
      lists.begin();
      await untilAborted(lost.promise, signal);
    } catch (error) {
      signal.throwIfAborted();
      const failure = this.#asFailure(error);
      // A working connection that broke is retried without showing an error; a failed attempt shows one.
      this.#change({
        status: upSince === null ? 'error' : 'connecting',
        error_message: cutToBytes(failure.message, longestError),
        error_reason: failure.reason,
        error_hint: failure.hint ?? null,
        protection: null,
      });
      if (upSince === null) this.#fail();
      else this.#forget(failure);
      if (upSince !== null && performance.now() - upSince >= this.#options.timing.stable) return;
      throw failure;
    } finally {
      giveUp.abort();
      await session?.close();
    }
  }

  /** The session is unusable; callers wait for the next one. */
  #forget(why: ParleyError): void {
    if (this.#session === null) return;
    this.#session = null;
    this.#attempt = Promise.withResolvers();
    this.#lose(why);
  }

  /** Callers that wait for the attempt get its error; later ones wait for the next attempt. */
  #fail(): void {
    this.#attempt.resolve();
    this.#attempt = Promise.withResolvers();
    this.#settled.resolve();
  }

  /** Connects and lists the tools. */
  async #greet(
    signal: AbortSignal,
    events: { toolsChanged: () => void; lost: (why: ParleyError) => void },
  ): Promise<McpSession> {
    const { open, name, uuid, logger } = this.#options;
    const limit = AbortSignal.timeout(this.#patience);
    const ending = AbortSignal.any([signal, limit]);
    const opening = open(this.target, {
      signal: ending,
      home: uuid,
      said: (line) => logger.info({ mcp_server: uuid, name, line: this.#hide(line) }, 'an MCP server said'),
      leftOut: (tool) => logger.warn({ mcp_server: uuid, name, tool }, 'skipped a tool of an MCP server'),
      ...events,
    });
    let session: McpSession | null = null;
    try {
      session = await untilAborted(opening, ending);
      this.#tools = await session.tools(ending);
      return session;
    } catch (error) {
      // The attempt succeeded too late and is not needed any more.
      if (session === null) opening.then((late) => late.close()).catch(() => undefined);
      await session?.close();
      signal.throwIfAborted();
      if (limit.aborted) throw new ParleyError('tool_failed', 'the server did not answer in time');
      throw error;
    }
  }

  /** Lists the tools again. */
  async #list(session: McpSession | null, lost: (why: unknown) => void): Promise<void> {
    if (session === null || this.#session !== session) return;
    const { signal } = this.#closing;
    try {
      const tools = await session.tools(AbortSignal.any([signal, AbortSignal.timeout(this.#patience)]));
      if (this.#session !== session) return;
      this.#tools = tools;
      this.#options.changed(this.info);
    } catch (error) {
      lost(error);
    }
    await wait(this.#options.timing.betweenLists, undefined, { signal, ref: false }).catch(() => undefined);
  }

  #change(status: Status): void {
    if (this.#closing.signal.aborted) return;
    const { status: before, error_message: said } = this.#status;
    this.#status = status;
    if (status.status !== 'connecting') this.#settled.resolve();
    if (before === status.status && said === status.error_message && before !== 'connected') return;
    this.#options.changed(this.info);
    this.#log(status);
  }

  #log({ status, error_message: error }: Status): void {
    const { logger, uuid, name } = this.#options;
    const fields = { mcp_server: uuid, name };
    if (status === 'connected') logger.info({ ...fields, tools: this.#tools.length }, 'an MCP server is connected');
    else if (status === 'connecting') logger.warn({ ...fields, error }, 'the connection to an MCP server was lost');
    else logger.error({ ...fields, error }, 'an MCP server is not connected');
  }

  #asFailure(error: unknown): ParleyError {
    if (error instanceof ParleyError) {
      return new ParleyError(error.reason, this.#hide(error.message), { hint: error.hint });
    }
    const { logger, uuid, name } = this.#options;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    logger.error({ mcp_server: uuid, name, error: this.#hide(text) }, 'the connection to an MCP server failed oddly');
    return new ParleyError('tool_failed', 'the connection failed unexpectedly; the log of the server says more');
  }
}

/** Work that is requested repeatedly and runs once at a time; requests that arrive meanwhile share the next run. */
class Turn {
  readonly #work: () => Promise<void>;
  #isBegun = false;
  #isWorking = false;
  #isRequested = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  ask(): void {
    this.#isRequested = true;
    void this.#go();
  }

  /** Nothing runs before. */
  begin(): void {
    this.#isBegun = true;
    void this.#go();
  }

  async #go(): Promise<void> {
    if (!this.#isBegun || this.#isWorking) return;
    this.#isWorking = true;
    while (this.#isRequested) {
      this.#isRequested = false;
      await this.#work();
    }
    this.#isWorking = false;
  }
}

/** After these, only another configuration helps. */
function isLasting(error: unknown): boolean {
  return error instanceof ParleyError && error.reason === 'mcp_command_not_allowed';
}
