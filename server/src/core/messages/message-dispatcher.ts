import type { Logger } from '@parley/sdk';
import { inTime } from '../../lib/waiting.ts';
import { WokenLoop } from '../../lib/woken-loop.ts';
import type { Message } from './message.ts';
import type { MessageStore } from './message-store.ts';
import { PipelineTrace } from './pipeline-trace.ts';

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
  readonly #loop: WokenLoop;

  constructor(
    store: MessageStore,
    process: (message: Message, signal: AbortSignal) => Promise<void>,
    options: MessageDispatcherOptions,
  ) {
    this.#store = store;
    this.#process = process;
    this.#options = { retryDelayMilliseconds: 1000, abortTimeoutMilliseconds: 5000, ...options };
    this.#loop = new WokenLoop(() => this.#claim(), {
      failed: (error) => this.#options.logger.error({ error }, 'could not take messages from the queue'),
      retryDelayMilliseconds: this.#options.retryDelayMilliseconds,
    });
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
    this.#loop.start();
  }

  /** There may be work. Until the start, it waits. */
  wake(): void {
    this.#loop.wake();
  }

  /** Waits for running messages; those that do not end in time are aborted and wait for the next start. */
  async stop(timeoutMilliseconds: number): Promise<void> {
    await this.#loop.stop();
    if (await this.#idleWithin(timeoutMilliseconds)) return;
    this.#stopping.abort();
    if (await this.#idleWithin(this.#options.abortTimeoutMilliseconds)) return;
    this.#options.logger.error({ messages: this.#running.size }, 'messages did not end when they were told to');
  }

  #idleWithin(milliseconds: number): Promise<boolean> {
    return inTime(this.#idle(), milliseconds, () => false);
  }

  async #idle(): Promise<true> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    return true;
  }

  /** @returns how long until a message is due that waits for a moment; null when none is, or no more can be taken */
  async #claim(): Promise<number | null> {
    while (!this.#loop.isStopped && this.#running.size < this.#options.concurrency) {
      const begun = performance.now();
      const message = await this.#store.claim(this.#options.heldBots());
      if (message === null) return this.#pauseUntilDue(begun);
      const run: Promise<void> = this.#run(message).finally(() => {
        this.#running.delete(run);
        this.wake();
      });
      this.#running.add(run);
    }
    return null;
  }

  /**
   * Some wait for a moment and not for somebody who wakes.
   * @param begun when `performance.now()` was asked before the last look at what is due: what became due since counts
   */
  async #pauseUntilDue(begun: number): Promise<number | null> {
    const due = await this.#store.nextDue(performance.now() - begun);
    return due === null ? null : due - Date.now();
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
        if (this.#loop.isStopped) return;
        await new Promise((resolve) => setTimeout(resolve, this.#options.retryDelayMilliseconds));
      }
    }
  }
}
