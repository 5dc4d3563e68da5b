import type { Logger } from '@parley/sdk';
import type { CancelledAnswer } from '../replicas/due-work.ts';
import type { CancelReason, RunningAnswers } from './running-answers.ts';

/** What is to be cancelled of a conversation. */
export interface CancelRequest {
  /** Only answers to messages before this place in the conversation. */
  before: number;
  reason: CancelReason;
  /** Only an answer to a message of this sender that is being written; without it, any. */
  sender_id?: string;
}

/** Keeps cancellations for the replica that writes the answer, which reads them with its beat. */
export interface CancellationStore {
  /**
   * Stores a cancellation unless this replica writes the answer.
   * @returns what is cancelled, and the replica that writes it, null when none does yet; null when there is nothing to cancel
   */
  request(conversation: string, request: CancelRequest): Promise<(CancelledAnswer & { replica: string | null }) | null>;
  /** The cancelled answer has ended. */
  forget(cancelled: Pick<CancelledAnswer, 'conversation' | 'before'>): Promise<void>;
}

export interface CancellationsOptions {
  /** Null where no other replica can write answers. */
  store: CancellationStore | null;
  /** Tells the replica that writes an answer, which finds the cancellation with its next beat as well. */
  tell: (replica: string, cancelled: CancelledAnswer) => void;
  logger: Logger;
}

/** Cancels answers, whatever replica writes them. */
export class Cancellations {
  readonly #running: RunningAnswers;
  readonly #options: CancellationsOptions;
  /** Conversations whose cancelled answers end here. */
  readonly #ending = new Set<string>();

  constructor(running: RunningAnswers, options: CancellationsOptions) {
    this.#running = running;
    this.#options = options;
  }

  /** Cancels an answer that is written here, or about to be. */
  cancelHere(conversation: string, before: number, reason: CancelReason): void {
    this.#running.cancelBefore(conversation, before, reason);
  }

  /** Cancels an answer that another replica writes. Call it after waiting messages were ended: one may just be claimed. */
  async cancelElsewhere(conversation: string, before: number, reason: CancelReason): Promise<void> {
    await this.#request(conversation, { before, reason });
  }

  /**
   * Cancels the answer to a sender that is being written.
   * @param before the place in the conversation that its message is before
   * @returns the place of its message; null when there is none
   */
  async cancelOf(
    conversation: string,
    sender_id: string,
    { before, reason }: Pick<CancelRequest, 'before' | 'reason'>,
  ): Promise<number | null> {
    const answer = this.#running.running(conversation);
    if (answer === null) return (await this.#request(conversation, { before, reason, sender_id })) ?? null;
    if (answer.sender_id !== sender_id || answer.sequence >= before) return null;
    return this.#running.cancel(conversation, reason) ? answer.sequence : null;
  }

  /** Another replica cancelled an answer that is written here, as it tells or as the beat reads. */
  apply({ conversation, before, reason }: CancelledAnswer): void {
    this.#running.cancelBefore(conversation, before, reason);
    const answer = this.#running.running(conversation);
    if (answer === null || answer.sequence >= before || this.#ending.has(conversation)) return;
    this.#ending.add(conversation);
    void this.#running.ended(conversation)?.then(() => this.#ended({ conversation, before }));
  }

  /** @returns the place of the message before the end of what is cancelled; null for nothing */
  async #request(conversation: string, request: CancelRequest): Promise<number | null> {
    const cancelled = (await this.#options.store?.request(conversation, request)) ?? null;
    if (cancelled === null) return null;
    const { replica, ...answer } = cancelled;
    if (replica !== null) this.#options.tell(replica, answer);
    return answer.before - 1;
  }

  async #ended(cancelled: Pick<CancelledAnswer, 'conversation' | 'before'>): Promise<void> {
    this.#ending.delete(cancelled.conversation);
    try {
      await this.#options.store?.forget(cancelled);
    } catch (error) {
      // It cancels nothing more: the message has ended.
      this.#options.logger.warn({ conversation: cancelled.conversation, error }, 'a cancellation could not be removed');
    }
  }
}
