import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import { findStorageError } from '../../lib/storage-error.ts';
import { WorkerLoop } from '../../lib/worker-loop.ts';
import type { ClaimableBots } from '../bots/running-bot.ts';
import { type ClaimedMessage, claimOf, type Message, type MessageClaim } from './message.ts';
import type { MessageEvents } from './message-events.ts';
import type { MessageLedger } from './message-ledger.ts';
import { PipelineTrace } from './pipeline-trace.ts';
import type { ProcessingLimit } from './processing-limit.ts';

/** The part of the ledger that is a queue. */
type Queue = Pick<MessageLedger, 'claim' | 'nextDue' | 'recover' | 'release' | 'reclaim' | 'settle'>;

export interface MessageDispatcherOptions {
  events: MessageEvents;
  /** Messages processed at the same time. */
  limit: ProcessingLimit;
  logger: Logger;
  /** Bots whose messages may be claimed. Another one must wake the dispatcher. */
  claimableBots: () => ClaimableBots;
  /** Called with each claimed message before it is processed. */
  claimed?: (message: ClaimedMessage) => void;
  /** False while another process may own the messages. Call {@link MessageDispatcher.resume} when it is true again. */
  mayClaim?: () => boolean;
  /** Time until the first retry when the store failed, milliseconds; later ones wait longer. Default 250. */
  retryDelayMs?: number;
  /** How long a stop waits for aborted messages, milliseconds. Default 5000. */
  abortTimeoutMs?: number;
}

/** The longest wait between two retries while the store cannot be used, milliseconds. */
const longestRetryDelay = 5000;
/** Messages that are claimed together. */
const maximumClaims = 32;
/** Until the next look while fewer messages run than may, milliseconds. */
const reducedPause = 20;
/** Attempts for a message whose content the store refuses. */
const maximumAttempts = 3;

/**
 * Dispatches waiting messages: one at a time per conversation, in order, many conversations in parallel, up to a limit.
 * The ledger is the queue; nothing waits in memory.
 */
export class MessageDispatcher {
  readonly #store: Queue;
  readonly #process: (message: ClaimedMessage, signal: AbortSignal) => Promise<void>;
  readonly #options: Required<MessageDispatcherOptions>;
  /** The messages that are processed, by uuid, and how each gives its place to another one. */
  readonly #running = new Map<string, { claim: MessageClaim; leave: () => void }>();
  /** Resolve when messages that are processed have ended, with their bots. */
  readonly #turns = new Map<Promise<void>, string>();
  /** Outcomes that could not be stored yet, because the store could not be used. */
  #unstored = 0;
  /** Failed attempts of queued messages because the store refused their content. */
  readonly #faults = new Map<string, number>();
  /** A claim failed, and perhaps was stored all the same. */
  #mayHaveClaimed = false;
  readonly #loop: WorkerLoop;

  constructor(
    store: Queue,
    process: (message: ClaimedMessage, signal: AbortSignal) => Promise<void>,
    options: MessageDispatcherOptions,
  ) {
    this.#store = store;
    this.#process = process;
    this.#options = {
      mayClaim: () => true,
      claimed: () => undefined,
      retryDelayMs: 250,
      abortTimeoutMs: 5000,
      ...options,
    };
    const { limit, retryDelayMs } = this.#options;
    this.#loop = new WorkerLoop({
      look: () => this.#claim(),
      failed: (error) => this.#claimFailed(error),
      retryDelayMs,
      longestRetryDelayMs: longestRetryDelay,
      concurrency: () => limit.value,
    });
  }

  /**
   * Takes over messages that no living replica works on.
   */
  async recover(): Promise<void> {
    const left = await this.#store.recover();
    if (left.messages > 0 || left.deliveries > 0) this.#options.logger.warn(left, 'recovered unfinished messages');
  }

  /** Dispatches waiting messages and new ones. */
  start(): void {
    this.#loop.start();
  }

  /** There may be work. Until the start, it waits. */
  wake(): void {
    this.#loop.wake();
  }

  /** A message is about to be settled: the next one may be claimed in the same transaction. */
  settling({ uuid }: Pick<Message, 'uuid'>): void {
    this.#running.get(uuid)?.leave();
  }

  /** The store can be used again, or messages may be claimed again. */
  resume(): void {
    this.#loop.resume();
  }

  /** Others have taken over the messages that are being processed: ends the work on them. */
  abandon(): void {
    this.#loop.abort();
  }

  /** Resolves once no message of a bot is processed, of which none is claimed any more. */
  async idle(botUuid: string): Promise<void> {
    // It may have been claimed for just before.
    await this.#loop.looked();
    await Promise.all([...this.#turns].map(([ended, bot]) => (bot === botUuid ? ended : undefined)));
  }

  /** Waits for running messages; those that do not end in time are aborted and wait for the next start. */
  async stop(timeoutMs: number): Promise<void> {
    if (await this.#loop.stop(timeoutMs, this.#options.abortTimeoutMs)) return;
    this.#options.logger.error({ messages: this.#running.size }, 'messages did not stop in time');
  }

  /** @returns time until the next look; null where none is due before something ends or arrives */
  async #claim(): Promise<number | null> {
    const { limit } = this.#options;
    for (;;) {
      if (!this.#loop.hasRoom) limit.noteUsedUp();
      if (!this.#loop.hasRoom) return limit.isReduced ? reducedPause : null;
      // A late outcome would otherwise meet a newer claim of the same message.
      if (this.#unstored > 0 || !this.#options.mayClaim()) return null;
      const lookupStart = performance.now();
      const room = Math.min(this.#loop.room, maximumClaims);
      const messages = await this.#claimNext(room);
      for (const message of messages) this.#start(message);
      if (messages.length < room) return this.#pauseUntilDue(lookupStart);
    }
  }

  #start(message: ClaimedMessage): void {
    const ended = this.#loop.run(async (signal, leave) => {
      this.#running.set(message.uuid, { claim: claimOf(message), leave });
      await this.#run(message, signal);
      this.#running.delete(message.uuid);
    });
    this.#turns.set(ended, message.bot_uuid);
    void ended.then(() => this.#turns.delete(ended));
  }

  #claimFailed(error: unknown): void {
    const { logger } = this.#options;
    if (findStorageError(error)?.kind !== 'unavailable') {
      logger.error({ error }, 'could not take messages from the queue');
    } else logger.warn({ error }, 'no messages are taken from the queue while the store cannot be used');
  }

  async #claimNext(limit: number): Promise<ClaimedMessage[]> {
    if (this.#mayHaveClaimed) await this.#store.reclaim([...this.#running.values()].map(({ claim }) => claim));
    this.#mayHaveClaimed = true;
    const messages = await this.#store.claim(this.#options.claimableBots(), limit);
    this.#mayHaveClaimed = false;
    for (const message of messages) {
      this.#options.claimed(message);
      this.#options.events.publish(message, 'processing');
    }
    return messages;
  }

  /**
   * Some messages become due by time, without a wake-up.
   * @param lookupStart `performance.now()` before the last look-up: messages that became due since count
   */
  async #pauseUntilDue(lookupStart: number): Promise<number | null> {
    const due = await this.#store.nextDue(performance.now() - lookupStart);
    return due === null ? null : due - present();
  }

  async #run(message: ClaimedMessage, signal: AbortSignal): Promise<void> {
    try {
      await this.#process(message, signal);
      this.#faults.delete(message.uuid);
    } catch (error) {
      await this.#persist(message, this.#afterFailure(message, error, signal));
      // It may have left its place before.
      this.#loop.wake();
    }
  }

  /** Settles a message that could not be processed. */
  #afterFailure(message: ClaimedMessage, error: unknown, signal: AbortSignal): () => Promise<void> {
    const fault = findStorageError(error);
    if (fault?.detail === 'not_owner') {
      this.#options.logger.info({ message: message.uuid }, 'a message was taken over by another replica');
      return () => this.#release(message, { isCounted: false });
    }
    if (fault?.kind === 'unavailable') {
      this.#options.logger.warn({ message: message.uuid, error }, 'a message waits because the store cannot be used');
      this.#loop.backOff();
      return () => this.#release(message, { isCounted: false });
    }
    if (signal.aborted) return () => this.#release(message);
    this.#options.logger.error({ message: message.uuid, error }, 'a message could not be processed');
    const faults = (this.#faults.get(message.uuid) ?? 0) + 1;
    if (fault !== null && faults < maximumAttempts) {
      this.#faults.set(message.uuid, faults);
      return () => this.#release(message);
    }
    this.#faults.delete(message.uuid);
    const trace = new PipelineTrace(message.attempts);
    trace.add('process', performance.now(), { outcome: 'failed', reason: 'internal' });
    const end = { answer: null, merged: [], record: trace.record };
    const outcome = { state: 'failed', reason: 'internal' } as const;
    return async () => {
      if ((await this.#store.settle(message, outcome, end)) !== null) this.#options.events.ended(message, outcome, end);
    };
  }

  async #release(message: ClaimedMessage, options?: { isCounted: boolean }): Promise<void> {
    if (!(await this.#store.release(claimOf(message), null, options))) return;
    this.#options.events.publish(message, 'received');
  }

  /** Stores an outcome, however long that takes: a message without one would block its conversation. */
  async #persist(message: Message, store: () => Promise<void>): Promise<void> {
    let delay = this.#options.retryDelayMs;
    let isWaiting = false;
    try {
      for (;;) {
        try {
          return await store();
        } catch (error) {
          if (delay === this.#options.retryDelayMs) {
            this.#options.logger.error(
              { message: message.uuid, error },
              'the outcome of a message could not be stored',
            );
          }
          if (!isWaiting && findStorageError(error)?.kind === 'unavailable') {
            isWaiting = true;
            this.#unstored += 1;
          }
          // The next start takes it up, or another replica does.
          if (this.#loop.isStopped || findStorageError(error)?.detail === 'not_owner') return;
          await wait(delay);
          delay = Math.min(2 * delay, longestRetryDelay);
        }
      }
    } finally {
      if (isWaiting) this.#unstored -= 1;
    }
  }
}
