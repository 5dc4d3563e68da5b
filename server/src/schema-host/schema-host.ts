import { ParleyError } from '@parley/sdk';
import type { ParameterChecker, ParameterFault } from '../core/tools/parameter-checker.ts';
import { ConcurrencyLimit } from '../lib/concurrency-limit.ts';
import { SchemaThread } from './schema-thread.ts';

export interface SchemaHostOptions {
  /** Most concurrent checks; default 2. */
  threads?: number;
  /** How long one check may take, milliseconds; default 1000. */
  deadlineMs?: number;
  /** How long a thread waits for another check, milliseconds. Its memory is released when it ends. */
  idleMs?: number;
}

/** Validates parameters of tools in worker threads, which are created on demand and end when idle. */
export class SchemaHost implements ParameterChecker {
  readonly #deadlineMs: number;
  readonly #idleMs: number;
  readonly #turns: ConcurrencyLimit;
  /** Owners with a running check: they have one thread at most, so that others find the other one free. */
  readonly #owners = new Map<string, { turns: ConcurrencyLimit; waiting: number }>();
  readonly #threads = new Set<SchemaThread>();
  readonly #idle = new Map<SchemaThread, NodeJS.Timeout>();
  readonly #texts = new WeakMap<object, string>();
  #isClosed = false;

  constructor({ threads = 2, deadlineMs = 1000, idleMs = 30_000 }: SchemaHostOptions = {}) {
    this.#deadlineMs = deadlineMs;
    this.#idleMs = idleMs;
    this.#turns = new ConcurrencyLimit(threads);
  }

  /** Threads that are there, those without work too. */
  get threads(): number {
    return this.#threads.size;
  }

  async faultsOf(
    schema: Record<string, unknown>,
    parameters: string,
    owner: string,
  ): Promise<readonly ParameterFault[]> {
    const own = this.#owners.get(owner) ?? { turns: new ConcurrencyLimit(1), waiting: 0 };
    this.#owners.set(owner, own);
    own.waiting += 1;
    try {
      return await own.turns.run(() => this.#turns.run(() => this.#check(this.#textOf(schema), parameters)));
    } finally {
      own.waiting -= 1;
      if (own.waiting === 0) this.#owners.delete(owner);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#idle.values()) clearTimeout(timer);
    await Promise.all([...this.#threads].map((thread) => thread.end()));
    this.#threads.clear();
  }

  async #check(schema: string, parameters: string): Promise<readonly ParameterFault[]> {
    if (this.#isClosed) throw new ParleyError('not_ready', 'The server is stopping.');
    const thread = this.#take();
    try {
      return await thread.faultsOf({ schema, parameters });
    } finally {
      this.#giveBack(thread);
    }
  }

  #textOf(schema: object): string {
    const text = this.#texts.get(schema) ?? JSON.stringify(schema);
    this.#texts.set(schema, text);
    return text;
  }

  #take(): SchemaThread {
    for (const [thread, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(thread);
      if (thread.isUsable) return thread;
      this.#threads.delete(thread);
    }
    const thread = new SchemaThread(this.#deadlineMs);
    this.#threads.add(thread);
    return thread;
  }

  #giveBack(thread: SchemaThread): void {
    if (!thread.isUsable || this.#isClosed) {
      this.#end(thread);
      return;
    }
    thread.rest();
    const timer = setTimeout(() => this.#end(thread), this.#idleMs);
    timer.unref();
    this.#idle.set(thread, timer);
  }

  #end(thread: SchemaThread): void {
    this.#idle.delete(thread);
    void thread.end().finally(() => this.#threads.delete(thread));
  }
}
