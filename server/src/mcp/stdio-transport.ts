import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ConnectionLost } from '../core/mcp/mcp-session.ts';
import { inTime } from '../lib/waiting.ts';
import { LineReader } from './line-reader.ts';

/** How long a process that has ended may take to be heard to the end, milliseconds. */
const lastWordsMilliseconds = 500;

export interface StdioTransportOptions {
  command: string;
  args: readonly string[];
  /** The whole environment of the process beside `PATH`. */
  env: Readonly<Record<string, string>>;
  /** Most bytes of one message. */
  maximumMessageBytes: number;
  /** How long the process may take to end after its input was closed, and again after it was asked to, milliseconds. */
  graceMilliseconds: number;
  /** Called with each line of its standard error, and of what stands between messages. */
  said: (line: string) => void;
}

/**
 * Speaks with a process that it starts, without a shell. The transport of the protocol's own library hands more of the
 * environment on and ends the process alone; this one starts a group of processes and leaves nothing of it behind.
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

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#said = new LineReader(options.said);
    this.#messages = new ReadBuffer({ maxBufferSize: options.maximumMessageBytes });
  }

  /** How the process ended, in words; null while it runs. */
  get ending(): string | null {
    return this.#ending;
  }

  async start(): Promise<void> {
    const { command, args, env } = this.#options;
    const { PATH = '' } = getDefaultEnvironment();
    const child = spawn(command, args, {
      env: { PATH, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      // A group of its own, so that what it starts can be ended with it.
      detached: true,
    });
    const started = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    child.once('spawn', started.resolve);
    child.once('error', (error) => {
      this.#ending ??= `the command cannot be started: ${error.message}`;
      started.reject(error);
      // Without a process there is no exit.
      if (child.pid === undefined) this.#end();
    });
    child.once('exit', (code, signal) => {
      this.#ending ??= signal === null ? `the command ended with code ${code}` : `the command was ended by ${signal}`;
      this.#signal('SIGKILL');
      // What it said last may still be on its way.
      void inTime(closed.promise, lastWordsMilliseconds, () => undefined).then(() => this.#end());
    });
    child.once('close', closed.resolve);
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#said.read(chunk));
    this.#process = child;
    await started.promise;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#process?.stdin;
    if (input === undefined || !input.writable || this.#isClosed) {
      throw new ConnectionLost(this.#ending ?? 'the command does not run', { mayHaveBeenMade: false });
    }
    if (input.write(serializeMessage(message))) return;
    const drained = Promise.withResolvers<void>();
    input.once('drain', drained.resolve);
    await Promise.race([drained.promise, this.#ended.promise]);
  }

  /** Has the process end: by the end of its input, then because it is asked to, then by force. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    const { graceMilliseconds } = this.#options;
    if (this.#process === null) return this.#end();
    this.#process.stdin.end();
    if (await this.#endsWithin(graceMilliseconds)) return;
    this.#signal('SIGTERM');
    if (await this.#endsWithin(graceMilliseconds)) return;
    this.#signal('SIGKILL');
    await this.#endsWithin(graceMilliseconds);
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
    for (;;) {
      try {
        const message = this.#messages.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch {
        // Many a program greets on its standard output.
        this.#said.line('(a line on the standard output that is no message)');
      }
    }
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
