import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport, SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ResultSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ParleyError, ToolResult } from '@parley/sdk';
import type { McpTarget, McpTool, Protection } from '../core/mcp/mcp-server.ts';
import {
  ConnectionLost,
  type McpSession,
  type McpSessionOptions,
  type SessionCallContext,
} from '../core/mcp/mcp-session.ts';
import { renderResult } from '../core/mcp/render-result.ts';
import { apiVersion } from '../core/system/system-info.ts';
import { inTime, untilAborted } from '../lib/waiting.ts';
import { describeFailure, type Failure } from './describe-failure.ts';
import type { McpHomes } from './mcp-homes.ts';
import { ToolReader } from './read-tools.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface SdkSessionOptions {
  /** Reaches only what may be reached, and bounds answers. */
  fetch: typeof fetch;
  homes: McpHomes;
  maximumMessageBytes: number;
  graceMs: number;
  pingMs: number;
}

/** Never reached: callers have their own timeout. */
const unlimited = 2 ** 31 - 1;
/** How long an answer to a ping may take, milliseconds. */
const pingPatience = 5000;
/** Timeout for ending a session at the server, milliseconds. */
const farewellPatience = 2000;
/** Most pages of tools that are requested. */
const maximumPages = 100;

/** Connects to a server and greets it. @throws ParleyError */
export async function connectSession(
  target: McpTarget,
  options: McpSessionOptions,
  settings: SdkSessionOptions,
): Promise<McpSession> {
  const session = new SdkSession(target, options, settings);
  try {
    await untilAborted(session.connect(options.signal), options.signal);
    return session;
  } catch (error) {
    await session.close();
    options.signal.throwIfAborted();
    throw session.asParleyError(error);
  }
}

class SdkSession implements McpSession {
  readonly #target: McpTarget;
  readonly #options: McpSessionOptions;
  readonly #settings: SdkSessionOptions;
  readonly #client = new Client({ name: 'parley', version: apiVersion });
  readonly #transport: StdioTransport | SSEClientTransport | StreamableHTTPClientTransport;
  #isOver = false;
  #isConnected = false;
  #checking: Promise<void> | null = null;
  #pings: NodeJS.Timeout | undefined;
  #lastWords = '';

  constructor(target: McpTarget, options: McpSessionOptions, settings: SdkSessionOptions) {
    this.#target = target;
    this.#options = options;
    this.#settings = settings;
    this.#transport = this.#makeTransport();
    this.#client.onclose = () => this.#lose('the connection was closed');
    this.#client.onerror = (error) => this.#onError(error);
    this.#client.setNotificationHandler(ToolListChangedNotificationSchema, () => options.toolsChanged());
  }

  async connect(signal: AbortSignal): Promise<void> {
    const link = linked(signal);
    try {
      // The SDK's classes declare optional members differently from its interface.
      await this.#client.connect(this.#transport as Transport, { signal: link.signal, timeout: unlimited });
    } finally {
      link.end();
    }
    this.#isConnected = true;
    if (this.#target.mode === 'stdio') return;
    this.#pings = setInterval(() => void this.#check(), this.#settings.pingMs).unref();
  }

  get protection(): Protection | null {
    return this.#transport instanceof StdioTransport ? this.#transport.protection : null;
  }

  async tools(signal: AbortSignal): Promise<McpTool[]> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return [];
    const reader = new ToolReader();
    let cursor: string | undefined;
    for (let pages = 0; pages < maximumPages && !reader.isFull; pages += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const page = await this.#request('tools/list', params, { signal });
      await reader.read(page.tools);
      const next = page.nextCursor;
      if (typeof next !== 'string' || next === '' || next === cursor) break;
      cursor = next;
    }
    const { tools, leftOut } = reader.list;
    for (const tool of leftOut) this.#options.leftOut(tool);
    return tools;
  }

  async call(name: string, parameters: Record<string, unknown>, context: SessionCallContext): Promise<ToolResult> {
    const quiet = this.#target.mode === 'sse' ? this.#target.ssereadtimeout * 1000 : unlimited;
    return renderResult(await this.#request('tools/call', { name, arguments: parameters }, { ...context, quiet }));
  }

  async close(): Promise<void> {
    const wasOver = this.#isOver;
    this.#isOver = true;
    clearInterval(this.#pings);
    if (this.#transport instanceof StreamableHTTPClientTransport && !wasOver) {
      const farewell = this.#transport.terminateSession().catch(() => undefined);
      await inTime(farewell, farewellPatience, () => undefined);
    }
    // Not through the client, which has no transport after a failed connection.
    await this.#transport.close().catch(() => undefined);
  }

  asParleyError(error: unknown): ParleyError {
    return this.#failure(error).error;
  }

  #makeTransport() {
    const { fetch, homes, maximumMessageBytes, graceMs } = this.#settings;
    const target = this.#target;
    if (target.mode === 'stdio') {
      const said = (line: string) => {
        this.#lastWords = line;
        this.#options.said(line);
      };
      const home = () => homes.open(this.#options.home);
      const { dataDir } = homes;
      return new StdioTransport({ ...target, home, dataDir, said, maximumMessageBytes, graceMs });
    }
    const options = { fetch, requestInit: { headers: target.headers } };
    const url = new URL(target.url);
    return target.mode === 'sse'
      ? new SSEClientTransport(url, options)
      : new StreamableHTTPClientTransport(url, options);
  }

  /** @throws ParleyError, or the signal's reason */
  async #request(
    method: string,
    params: Record<string, unknown>,
    { signal, progress, quiet = unlimited }: RequestLimits,
  ): Promise<Record<string, unknown>> {
    signal.throwIfAborted();
    if (this.#isOver) throw new ConnectionLost('the connection is gone', { mayHaveBeenMade: false });
    const link = linked(signal);
    try {
      return await this.#client.request({ method, params }, ResultSchema, {
        signal: link.signal,
        timeout: quiet,
        resetTimeoutOnProgress: true,
        ...(progress === undefined ? {} : { onprogress: progress }),
      });
    } catch (error) {
      signal.throwIfAborted();
      const failure = this.#failure(error);
      if (failure.isLost) this.#lose(failure.error.message);
      // A server that fails oddly may be gone.
      else if (failure.isOdd) void this.#check();
      throw failure.error;
    } finally {
      link.end();
    }
  }

  #failure(error: unknown): Failure {
    return describeFailure(error, this.#ending);
  }

  /** How the process of the server ended; null while it runs and if there is none. */
  get #ending(): string | null {
    const ending = this.#transport instanceof StdioTransport ? this.#transport.ending : null;
    return ending === null || this.#lastWords === '' ? ending : `${ending} (it said last: ${this.#lastWords})`;
  }

  #onError(error: unknown): void {
    // A broken event stream reconnects as another session, which was never initialized.
    if (error instanceof SseError) this.#lose(this.#failure(error).error.message);
    else if (this.#target.mode === 'http') void this.#check();
  }

  /** Asks whether the server is still there. */
  async #check(): Promise<void> {
    if (!this.#isConnected || this.#isOver || this.#checking !== null) return;
    this.#checking = this.#client
      .ping({ timeout: pingPatience })
      .then(
        () => undefined,
        (error: unknown) => {
          const { error: why, isAnswer } = this.#failure(error);
          // A server that rejects pings as unknown is alive.
          if (!isAnswer) this.#lose(why.message);
        },
      )
      .finally(() => {
        this.#checking = null;
      });
    await this.#checking;
  }

  #lose(why: string): void {
    if (this.#isOver || !this.#isConnected) return;
    this.#isOver = true;
    clearInterval(this.#pings);
    this.#options.lost(new ConnectionLost(this.#ending ?? why, { mayHaveBeenMade: true }));
    // Pending requests fail now, not when the process has ended.
    void this.#client.close().catch(() => undefined);
  }
}

interface RequestLimits {
  signal: AbortSignal;
  /** Called with each progress notification. */
  progress?: () => void;
  /** Longest time without progress, milliseconds. */
  quiet?: number;
}

/** A signal that follows another one until it is let go: the library never takes its listeners off. */
function linked(signal: AbortSignal): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return { signal: controller.signal, end: () => signal.removeEventListener('abort', abort) };
}
