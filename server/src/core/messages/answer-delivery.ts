import { type Logger, ParleyError, type SentMessage } from '@parley/sdk';
import type { BotRuntime, RunningBot } from '../bots/bot-runtime.ts';
import { type AnswerStream, outgoingOf } from './answer-stream.ts';
import type { Delivery, DeliveryOutcome } from './delivery.ts';
import { undelivered } from './delivery-event.ts';
import type { Message } from './message.ts';
import type { MessageOutcome, MessageStore, StoredAnswer } from './message-store.ts';

export interface AnswerDeliveryOptions {
  bots: BotRuntime;
  logger: Logger;
}

/** How an answer is sent. */
export interface AnswerSending {
  /** What was shown of it while it grew; its first piece completes that. */
  stream: AnswerStream | null;
  /** An earlier process began to send it. */
  isResumed: boolean;
}

/** Sends the pieces of a complete answer, each once, in order, and ends the message. */
export class AnswerDelivery {
  readonly #store: MessageStore;
  readonly #options: AnswerDeliveryOptions;

  constructor(store: MessageStore, options: AnswerDeliveryOptions) {
    this.#store = store;
    this.#options = options;
  }

  /**
   * What an earlier process was sending when it ended is sent again where the platform drops repeats; elsewhere nobody
   * knows whether it arrived, and it is not sent again.
   * @throws the signal's reason between two pieces; the rest is sent later
   */
  async deliver(
    bot: RunningBot,
    question: Message,
    { message, deliveries, outcome: end }: StoredAnswer,
    sending: AnswerSending,
    signal: AbortSignal,
  ): Promise<void> {
    let failure: DeliveryOutcome | null = null;
    for (const [index, delivery] of deliveries.entries()) {
      if (delivery.state !== 'pending' && delivery.state !== 'sending') continue;
      if (index > 0) signal.throwIfAborted();
      const outcome: DeliveryOutcome = failure ?? (await this.#piece(bot, question, message, delivery, sending));
      if (outcome.state === 'failed') failure = outcome;
      if (index < deliveries.length - 1) await this.#store.settleDelivery(message.uuid, delivery.piece, outcome);
      else return this.#settle(question, message, delivery.piece, outcome, end);
    }
    // All of it had ended before the message did.
    await this.#store.settle(question, end, { answer: null, merged: [], record: null });
  }

  async #settle(
    question: Message,
    { uuid }: Message,
    piece: number,
    delivery: DeliveryOutcome,
    outcome: MessageOutcome,
  ): Promise<void> {
    const failed = delivery.state === 'failed' && outcome.state === 'answered';
    const end: MessageOutcome = failed ? { state: 'failed', reason: delivery.reason ?? 'platform_failed' } : outcome;
    await this.#store.settle(question, end, { answer: { uuid, piece, delivery }, merged: [], record: null });
  }

  async #piece(
    bot: RunningBot,
    question: Message,
    message: Message,
    delivery: Delivery,
    { stream, isResumed }: AnswerSending,
  ): Promise<DeliveryOutcome> {
    if (isResumed && delivery.state === 'sending' && !bot.platform.capabilities.idempotent_sends) {
      const error = 'The process ended while it was being sent, and the platform cannot tell whether it arrived';
      return { state: 'uncertain', reason: 'interrupted', error, platform_message_id: null };
    }
    const { message_chain } = delivery;
    try {
      const sent =
        delivery.piece === 0 && stream?.begun
          ? await stream.finish(message_chain)
          : await bot.adapter.send({ ...outgoingOf(message, delivery, question), message_chain });
      return sentOutcome(sent);
    } catch (error) {
      const failure = error instanceof ParleyError ? error : new ParleyError('platform_failed', 'Sending failed');
      const { bots, logger } = this.#options;
      // Whoever asked may go away at any time; that is no fault of anybody.
      const level = failure.reason === 'client_closed_request' ? 'info' : 'error';
      logger[level]({ bot: bot.uuid, message: question.uuid, error }, 'an answer could not be delivered');
      bots.tell(bot.uuid, undelivered(question, failure));
      return failedOutcome(failure);
    }
  }
}

export function sentOutcome(sent: SentMessage): DeliveryOutcome {
  return { state: 'sent', reason: null, error: null, platform_message_id: sent?.platform_message_id ?? null };
}

export function failedOutcome({ reason, message }: ParleyError): DeliveryOutcome {
  return { state: 'failed', reason, error: message, platform_message_id: null };
}
