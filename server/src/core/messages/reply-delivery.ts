import type { DeliveryError, Logger, Reason } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import type { UncertainSends } from '../bots/bot.ts';
import type { BotRuntime } from '../bots/bot-runtime.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { SendHolds } from '../bots/send-holds.ts';
import { outgoingOf } from './answer-stream.ts';
import type { DeliveryOutcome } from './delivery.ts';
import { undelivered } from './delivery-event.ts';
import { deliveryFailureOf } from './delivery-failure.ts';
import {
  expired,
  failedOutcome,
  interrupted,
  isExpired,
  isRecognized,
  repeatAfter,
  sentOutcome,
  uncertainOutcome,
  unrecognized,
} from './delivery-outcomes.ts';
import { type ClaimedMessage, claimOf, type Message } from './message.ts';
import { persist } from './persist.ts';
import type { PluginEffects, StoredReply } from './plugin-effects.ts';
import type { ReplyContexts } from './reply-contexts.ts';

export interface ReplyDeliveryOptions {
  effects: Pick<PluginEffects, 'openReplies' | 'beginReply' | 'endReply' | 'postponeReply'>;
  bots: BotRuntime;
  holds: SendHolds;
  replyContexts: Pick<ReplyContexts, 'send'>;
  /** False while another process may be using the database: no send may start. */
  maySend: () => boolean;
  uncertainSends: (botUuid: string) => Promise<UncertainSends>;
  logger: Logger;
}

/** Why replies to a message have to wait, and how long. */
export interface ReplyHold {
  reason: Reason;
  milliseconds: number;
}

/** The replies to one message that are on their way. */
interface Queue {
  waiting: StoredReply[];
  running: Promise<ReplyHold | null> | null;
}

/**
 * Sends the replies of plugins to a message, in order and before its answer. One that cannot be sent for now is sent with
 * the next attempt at the message.
 */
export class ReplyDelivery {
  readonly #options: ReplyDeliveryOptions;
  readonly #queues = new Map<string, Queue>();

  constructor(options: ReplyDeliveryOptions) {
    this.#options = options;
  }

  /** Sends a stored reply behind those that are on their way. Returns at once. */
  begin(question: ClaimedMessage, bot: RunningBot, reply: StoredReply, signal: AbortSignal): void {
    const queue = this.#queues.get(question.uuid) ?? { waiting: [], running: null };
    this.#queues.set(question.uuid, queue);
    queue.waiting.push(reply);
    queue.running ??= this.#send(question, bot, queue, signal);
    // Whoever waits for the replies gets the error.
    queue.running.catch(() => undefined);
  }

  /** Whether a reply to a message is on its way. */
  has({ uuid }: Pick<Message, 'uuid'>): boolean {
    return this.#queues.has(uuid);
  }

  /**
   * Waits until all replies to a message have ended, with those of earlier attempts.
   * @returns why some of them have to wait; null when none has
   * @throws the signal's reason between two replies; StorageError
   */
  async finish(question: ClaimedMessage, bot: RunningBot, signal: AbortSignal): Promise<ReplyHold | null> {
    const queue = this.#queues.get(question.uuid);
    this.#queues.delete(question.uuid);
    const hold = queue === undefined ? null : await (queue.running ?? this.#send(question, bot, queue, signal));
    if (hold !== null) return hold;
    if (question.attempts === 1) return null;
    const open = await this.#options.effects.openReplies(question.uuid);
    return open.length === 0 ? null : this.#send(question, bot, { waiting: open, running: null }, signal);
  }

  async #send(question: ClaimedMessage, bot: RunningBot, queue: Queue, signal: AbortSignal): Promise<ReplyHold | null> {
    try {
      for (let reply = queue.waiting[0]; reply !== undefined; reply = queue.waiting[0]) {
        signal.throwIfAborted();
        const outcome = await this.#attempt(question, bot, reply, signal);
        if ('milliseconds' in outcome) return outcome;
        await this.#persist(signal, () =>
          this.#options.effects.endReply(reply.message.uuid, claimOf(question), outcome),
        );
        queue.waiting.shift();
      }
      return null;
    } finally {
      queue.running = null;
    }
  }

  async #attempt(
    question: ClaimedMessage,
    bot: RunningBot,
    { message, delivery }: StoredReply,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome | ReplyHold> {
    if (delivery.state === 'sending') delivery.unconfirmed_since ??= delivery.updated_at;
    if (delivery.unconfirmed_since !== null && !isRecognized(bot, delivery.unconfirmed_since)) {
      return delivery.state === 'sending' ? interrupted : unrecognized;
    }
    if (isExpired(delivery)) return expired;
    const hold = this.#hold(question);
    if (hold !== null) return hold;
    const { effects, holds, bots, replyContexts, logger } = this.#options;
    if (delivery.state === 'pending') {
      await this.#persist(signal, () => effects.beginReply(message.uuid, claimOf(question)));
      delivery.state = 'sending';
    }
    const began = delivery.unconfirmed_since ?? now();
    try {
      const outgoing = outgoingOf(message, delivery, question);
      const sent = await replyContexts.send(bot, question, outgoing, (complete) =>
        bot.adapter.send({ ...complete, message_chain: delivery.message_chain }),
      );
      holds.succeeded(bot.uuid);
      return sentOutcome(sent);
    } catch (error) {
      const failure = deliveryFailureOf(error);
      holds.report(bot.uuid, question, failure);
      const repeat = await repeatAfter(failure, bot, began, this.#options.uncertainSends);
      if (repeat !== 'never') {
        delivery.state = 'pending';
        delivery.unconfirmed_since = repeat === 'while_recognized' ? began : null;
        return this.#postpone({ message, delivery }, question, failure, signal);
      }
      logger.error({ bot: bot.uuid, message: question.uuid, error: failure }, 'a reply could not be delivered');
      bots.tell(bot.uuid, undelivered(question, failure));
      return failure.kind === 'unknown' ? uncertainOutcome(failure) : failedOutcome(failure);
    }
  }

  async #postpone(
    { message, delivery }: StoredReply,
    question: ClaimedMessage,
    failure: DeliveryError,
    signal: AbortSignal,
  ): Promise<ReplyHold> {
    const hold = this.#hold(question) ?? { reason: failure.reason, milliseconds: 0 };
    const { unconfirmed_since } = delivery;
    await this.#persist(signal, () =>
      this.#options.effects.postponeReply(message.uuid, claimOf(question), {
        reason: hold.reason,
        error: failure.message,
        unconfirmed_since,
      }),
    );
    return hold;
  }

  #hold(question: Message): ReplyHold | null {
    const { bots, holds, maySend } = this.#options;
    if (!maySend()) return { reason: 'not_ready', milliseconds: 0 };
    if (!bots.isRunning(question.bot_uuid)) return { reason: 'bot_not_running', milliseconds: 0 };
    return holds.of(question.bot_uuid, question);
  }

  #persist<Result>(signal: AbortSignal, store: () => Promise<Result>): Promise<Result> {
    return persist(store, { signal, logger: this.#options.logger });
  }
}
