import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Protection } from '../core/mcp/mcp-server.ts';
import { ConnectionLost } from '../core/mcp/mcp-session.ts';
import { type LaunchedProcess, launchProcess } from '../kit/launcher/launch-process.ts';
import { inTime } from '../lib/waiting.ts';
import { LineReader } from './line-reader.ts';

/** How long a process that has ended may take to be heard to the end, milliseconds. */
const lastWordsMs = 500;
/** How long messages are read before the transport yields, milliseconds. */
const longestTurn = 10;

export interface StdioTransportOptions {
  command: string;
  args: readonly string[];
  /** The environment of the process in addition to `PATH` and `HOME`. */
  env: Readonly<Record<string, string>>;
  /** Makes the folder that the process has for its own, in the data folder. */
  home: () => Promise<string>;
  /** Folder that the process must not see otherwise. */
  dataDir: string;
  /** Most bytes of one message. */
  maximumMessageBytes: number;
  /** How long the process may take to end after its input was closed, and again after SIGTERM, milliseconds. */
  graceMs: number;
  /** Called with each line of its standard error, and of output between messages. */
  said: (line: string) => void;
}

/**
 * Communicates with a child process, started without a shell. The transport of the MCP SDK passes on more of the
 * environment and ends only the process itself; this one starts a process group and ends all of it.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: StdioTransportOptions;
  readonly #messages: ReadBuffer;
  readonly #said: LineReader;
  readonly #ended = Promise.withResolvers<void>();
  #process: ChildProcessByStdio<Writable, Readable, Readable> | null = null;
  /** How the process ended; null while it runs. */
  #ending: string | null = null;
  #isClosed = false;
  #closing: Promise<void> | null = null;
  #protection: Protection | null = null;
  /** Whether messages are being read, which may yield several times. */
  #isReading = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#said = new LineReader(options.said);
    this.#messages = new ReadBuffer({ maxBufferSize: options.maximumMessageBytes });
  }

  /** Isolation of the process from the data of the service; null while unknown. */
  get protection(): Protection | null {
    return this.#protection;
  }

  /** A description of how the process ended; null while it runs. */
  get ending(): string | null {
    return this.#ending;
  }

  async start(): Promise<void> {
    const { child, protection } = await this.#launch();
    const started = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    child.once('spawn', started.resolve);
    child.once('error', (error) => {
      this.#ending ??= `the command cannot be started: ${error.message}`;
      started.reject(error);
      // Without a process there is no exit event.
      if (child.pid === undefined) this.#end();
    });
    child.once('exit', (code, signal) => {
      this.#ending ??= signal === null ? `the command ended with code ${code}` : `the command was ended by ${signal}`;
      this.#signal('SIGKILL');
      // Its last output may still be in the pipe.
      void inTime(closed.promise, lastWordsMs, () => undefined).then(() => this.#end());
    });
    child.once('close', closed.resolve);
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#said.read(chunk));
    await started.promise;
    this.#protection = await protection;
  }

  /** A separate process group, so that its children can be ended with it. */
  async #launch(): Promise<LaunchedProcess> {
    const { command, args, env, home, dataDir } = this.#options;
    const { PATH = '' } = getDefaultEnvironment();
    const HOME = await home();
    // Closed meanwhile.
    if (this.#isClosed) throw new ConnectionLost('the command was not started', { mayHaveBeenMade: false });
    try {
      const launched = launchProcess({ command, args, env: { ...env, PATH, HOME }, hidden: dataDir, kept: HOME });
      this.#process = launched.child;
      return launched;
    } catch (error) {
      this.#ending ??= `the command cannot be started: ${(error as Error).message}`;
      this.#end();
      throw error;
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#process?.stdin;
    if (input === undefined || !input.writable || this.#isClosed) {
      throw new ConnectionLost(this.#ending ?? 'the command does not run', { mayHaveBeenMade: false });
    }
    if (input.writableLength > this.#options.maximumMessageBytes) {
      this.#ending ??= 'the command does not read its input';
      void this.close();
      throw new ConnectionLost(this.#ending, { mayHaveBeenMade: true });
    }
    if (input.write(serializeMessage(message))) return;
    const drained = Promise.withResolvers<void>();
    input.once('drain', drained.resolve);
    await Promise.race([drained.promise, this.#ended.promise]);
  }

  /** Ends the process: by closing its input, then with SIGTERM, then with SIGKILL. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    const { graceMs } = this.#options;
    if (this.#process === null) return this.#end();
    this.#process.stdin.end();
    if (await this.#endsWithin(graceMs)) return;
    this.#signal('SIGTERM');
    if (await this.#endsWithin(graceMs)) return;
    this.#signal('SIGKILL');
    await this.#endsWithin(graceMs);
  }

  #endsWithin(milliseconds: number): Promise<boolean> {
    return inTime(
      this.#ended.promise.then(() => true),
      milliseconds,
      () => false,
    );
  }

  #end(): void {
    this.#ended.resolve();
    this.#messages.clear();
    this.#isClosed = true;
    const closed = this.onclose;
    delete this.onclose;
    closed?.();
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return;
    try {
      this.#messages.append(chunk);
    } catch (error) {
      this.#ending ??= 'the command wrote a message that is too long';
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    void this.#readMessages();
  }

  /** A process that floods the service is read half of the time; other work runs in between. */
  async #readMessages(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    let startedAt = performance.now();
    while (this.#readMessage()) {
      if (performance.now() - startedAt < longestTurn) continue;
      this.#process?.stdout.pause();
      await delay(longestTurn);
      startedAt = performance.now();
    }
    this.#isReading = false;
    this.#process?.stdout.resume();
  }

  /** @returns false when there is none yet */
  #readMessage(): boolean {
    try {
      const message = this.#messages.readMessage();
      if (message === null) return false;
      this.onmessage?.(message);
    } catch {
      // Many a program greets on its standard output.
      this.#said.line('(a line on the standard output that is no message)');
    }
    return true;
  }

  /** Sends a signal to the process and all that it started. */
  #signal(signal: NodeJS.Signals): void {
    const pid = this.#process?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // There is none left.
    }
  }
}
