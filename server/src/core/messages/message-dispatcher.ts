import type { Logger } from '@parley/sdk';
import type { Message } from './message.ts';
import type { MessageStore } from './message-store.ts';

export interface MessageDispatcherOptions {
  /** Messages processed at the same time. */
  concurrency: number;
  logger: Logger;
}

/**
 * Hands waiting messages out: one at a time per conversation, in order, many conversations in parallel, up to a bound.
 * The ledger is the queue; nothing waits in memory.
 */
export class MessageDispatcher {
  readonly #store: MessageStore;
  readonly #process: (message: Message, signal: AbortSignal) => Promise<void>;
  readonly #options: MessageDispatcherOptions;
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #claiming: Promise<void> | null = null;
  #again = false;
  #closed = false;

  constructor(
    store: MessageStore,
    process: (message: Message, signal: AbortSignal) => Promise<void>,
    options: MessageDispatcherOptions,
  ) {
    this.#store = store;
    this.#process = process;
    this.#options = options;
  }

  /** Takes up what an earlier run left, then whatever comes. */
  async start(): Promise<void> {
    const left = await this.#store.recover();
    if (left.messages > 0 || left.deliveries > 0) this.#options.logger.warn(left, 'took up what was left undone');
    this.wake();
  }

  /** There may be work. */
  wake(): void {
    if (this.#closed) return;
    if (this.#claiming !== null) {
      this.#again = true;
      return;
    }
    this.#claiming = this.#claim()
      .catch((error: unknown) => this.#options.logger.error({ error }, 'could not take messages from the queue'))
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
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMilliseconds);
    });
    await Promise.race([this.#idle(), timeout]);
    clearTimeout(timer);
    this.#stopping.abort();
    await this.#idle();
  }

  async #idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #claim(): Promise<void> {
    while (!this.#closed && this.#running.size < this.#options.concurrency) {
      const message = await this.#store.claim();
      if (message === null) return;
      const run: Promise<void> = this.#process(message, this.#stopping.signal)
        .catch(async (error: unknown) => {
          if (!this.#stopping.signal.aborted) {
            this.#options.logger.error({ message: message.uuid, error }, 'a message could not be processed');
            await this.#store.settle(message.uuid, { state: 'failed', reason: 'internal' }, null);
            return;
          }
          await this.#store.release(message.uuid);
        })
        .catch((error: unknown) => {
          this.#options.logger.error({ message: message.uuid, error }, 'the outcome of a message could not be stored');
        })
        .finally(() => {
          this.#running.delete(run);
          this.wake();
        });
      this.#running.add(run);
    }
  }
}
