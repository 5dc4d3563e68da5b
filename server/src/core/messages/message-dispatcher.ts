import type { Logger } from '@parley/sdk';
import type { Message } from './message.ts';
import type { MessageStore } from './message-store.ts';
import { PipelineTrace } from './pipeline-trace.ts';

/** Longest time between two looks at messages that wait for a moment, milliseconds. Clocks jump. */
const longestPauseMilliseconds = 60_000;

export interface MessageDispatcherOptions {
  /** Messages processed at the same time. */
  concurrency: number;
  logger: Logger;
  /** Bots whose messages have to wait now. Whoever takes one off the list wakes the dispatcher. */
  heldBots: () => readonly string[];
  /** Time until another try when the store failed, milliseconds. Default 1000. */
  retryDelayMilliseconds?: number;
  /** How long a stop waits for what it aborted, milliseconds. Default 5000. */
  abortTimeoutMilliseconds?: number;
}

/**
 * Hands waiting messages out: one at a time per conversation, in order, many conversations in parallel, up to a bound.
 * The ledger is the queue; nothing waits in memory.
 */
export class MessageDispatcher {
  readonly #store: MessageStore;
  readonly #process: (message: Message, signal: AbortSignal) => Promise<void>;
  readonly #options: Required<MessageDispatcherOptions>;
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #claiming: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #again = false;
  #started = false;
  #closed = false;

  constructor(
    store: MessageStore,
    process: (message: Message, signal: AbortSignal) => Promise<void>,
    options: MessageDispatcherOptions,
  ) {
    this.#store = store;
    this.#process = process;
    this.#options = { retryDelayMilliseconds: 1000, abortTimeoutMilliseconds: 5000, ...options };
  }

  /**
   * Takes stock of what an earlier run left. Nothing may come in before: what is stored or begun meanwhile would be
   * taken for something that was left.
   */
  async recover(): Promise<void> {
    const left = await this.#store.recover();
    if (left.messages > 0 || left.deliveries > 0) this.#options.logger.warn(left, 'took up what was left undone');
  }

  /** Hands out what waits, and whatever comes. */
  start(): void {
    this.#started = true;
    this.wake();
  }

  /** There may be work. Until the start, it waits. */
  wake(): void {
    if (this.#closed || !this.#started) return;
    if (this.#claiming !== null) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#claiming = this.#claim()
      .catch((error: unknown) => {
        this.#options.logger.error({ error }, 'could not take messages from the queue');
        this.#timer = setTimeout(() => this.wake(), this.#options.retryDelayMilliseconds);
      })
      .finally(() => {
        this.#claiming = null;
        if (this.#again) {
          this.#again = false;
          this.wake();
        }
      });
  }

  /** Waits for running messages; those that do not end in time are aborted and wait for the next start. */
  async stop(timeoutMilliseconds: number): Promise<void> {
    this.#closed = true;
    await this.#claiming;
    clearTimeout(this.#timer);
    if (await this.#idleWithin(timeoutMilliseconds)) return;
    this.#stopping.abort();
    if (await this.#idleWithin(this.#options.abortTimeoutMilliseconds)) return;
    this.#options.logger.error({ messages: this.#running.size }, 'messages did not end when they were told to');
  }

  async #idleWithin(milliseconds: number): Promise<boolean> {
    const timeout = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => timeout.resolve(false), milliseconds);
    const idle = await Promise.race([this.#idle(), timeout.promise]);
    clearTimeout(timer);
    return idle;
  }

  async #idle(): Promise<true> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    return true;
  }

  async #claim(): Promise<void> {
    while (!this.#closed && this.#running.size < this.#options.concurrency) {
      const begun = performance.now();
      const message = await this.#store.claim(this.#options.heldBots());
      if (message === null) return this.#wakeWhenDue(begun);
      const run: Promise<void> = this.#run(message).finally(() => {
        this.#running.delete(run);
        this.wake();
      });
      this.#running.add(run);
    }
  }

  /**
   * Some wait for a moment and not for somebody who wakes.
   * @param begun when `performance.now()` was asked before the last look at what is due: what became due since counts
   */
  async #wakeWhenDue(begun: number): Promise<void> {
    const due = await this.#store.nextDue(performance.now() - begun);
    if (due === null || this.#closed) return;
    const pause = Math.min(Math.max(due - Date.now(), 0), longestPauseMilliseconds);
    this.#timer = setTimeout(() => this.wake(), pause);
  }

  async #run(message: Message): Promise<void> {
    try {
      await this.#process(message, this.#stopping.signal);
    } catch (error) {
      if (this.#stopping.signal.aborted) return this.#persist(message, () => this.#store.release(message.uuid, null));
      this.#options.logger.error({ message: message.uuid, error }, 'a message could not be processed');
      const trace = new PipelineTrace(message.attempts);
      trace.add('process', performance.now(), { outcome: 'failed', reason: 'internal' });
      const end = { answer: null, merged: [], record: trace.record };
      await this.#persist(message, () => this.#store.settle(message, { state: 'failed', reason: 'internal' }, end));
    }
  }

  /** Stores an outcome, however long that takes: a message without one would hold up its conversation. */
  async #persist(message: Message, store: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await store();
      } catch (error) {
        this.#options.logger.error({ message: message.uuid, error }, 'the outcome of a message could not be stored');
        // The next start takes it up.
        if (this.#closed) return;
        await new Promise((resolve) => setTimeout(resolve, this.#options.retryDelayMilliseconds));
      }
    }
  }
}
