import {
  type DeliveryError,
  type Logger,
  longestMessageHandle,
  type MessageHandle,
  type OutgoingMessage,
  type Reason,
  type SendProgress,
  type SentMessage,
} from '@parley/sdk';
import { now, present } from '../../lib/clock.ts';
import type { UncertainSends } from '../bots/bot.ts';
import type { BotRuntime } from '../bots/bot-runtime.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { SendHolds } from '../bots/send-holds.ts';
import { type AnswerStream, outgoingOf } from './answer-stream.ts';
import type { ConversationMemory } from './conversation-memory.ts';
import type { Delivery, DeliveryOutcome } from './delivery.ts';
import { undelivered } from './delivery-event.ts';
import { deliveryFailureOf } from './delivery-failure.ts';
import type { ClaimedPart, DeliveryLedger, DeliveryPlan, PostponedDelivery, StoredAnswer } from './delivery-ledger.ts';
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
import { type ClaimedMessage, claimOf, isStoppedByUser, type Message } from './message.ts';
import type { MessageEvents } from './message-events.ts';
import type { EndedDelivery, MessageEnd, MessageLedger, MessageOutcome } from './message-ledger.ts';
import { persist } from './persist.ts';
import type { PipelineOutcome } from './pipeline-run.ts';
import type { ReplyContexts } from './reply-contexts.ts';
import type { ReplyDelivery, ReplyHold } from './reply-delivery.ts';

export interface AnswerDeliveryOptions {
  messages: Pick<MessageLedger, 'release' | 'settle'>;
  deliveries: DeliveryLedger;
  memory: Pick<ConversationMemory, 'ended' | 'forget'>;
  /** Called when a message is about to be settled, so that the next one may be claimed in the same transaction. */
  settling?: (message: Message) => void;
  events: MessageEvents;
  bots: BotRuntime;
  holds: SendHolds;
  replyContexts: Pick<ReplyContexts, 'send'>;
  replies: Pick<ReplyDelivery, 'finish'>;
  /** False while another process may be using the database: no send may start. */
  maySend: () => boolean;
  /** The policy of the bot after an uncertain send. */
  uncertainSends: (botUuid: string) => Promise<UncertainSends>;
  /** How long the delivery of a complete answer is retried, milliseconds. */
  expiryMs: number;
  logger: Logger;
}

type Outcome<Type extends PipelineOutcome['type']> = Extract<PipelineOutcome, { type: Type }>;

/** The answer that is delivered now. */
interface Run {
  bot: RunningBot;
  question: ClaimedMessage;
  stored: StoredAnswer;
  /** The streamed part of it; its first part completes that. Null once that is over. */
  stream: AnswerStream | null;
  /** An earlier process, or an earlier attempt, started sending it. */
  isResumed: boolean;
  /** Why a reply of a plugin, which stands before it, has to wait; null when none has. */
  held: ReplyHold | null;
}

/** Default pause before a retry, milliseconds. */
const leastPause = 1000;

/**
 * Sends the parts of a complete answer, each once, in order, and ends the message. The one place that decides what
 * follows a failure: adapters only say of which kind it is.
 */
export class AnswerDelivery {
  readonly #options: AnswerDeliveryOptions;

  constructor(options: AnswerDeliveryOptions) {
    this.#options = options;
  }

  /**
   * Stores a complete answer and delivers it.
   * @returns how the message ended; null when the rest is sent later
   * @throws the signal's reason between two parts; the rest is sent later
   */
  async finish(
    question: ClaimedMessage,
    outcome: Outcome<'answers'>,
    signal: AbortSignal,
  ): Promise<MessageOutcome | null> {
    const { bot, answer, record, stream } = outcome;
    const plan: DeliveryPlan = {
      begins: this.#hold(question) === null,
      expires_at: new Date(present() + this.#options.expiryMs).toISOString(),
    };
    const stored = await this.#persist(signal, () =>
      this.#options.deliveries.finishAnswer(question, answer, record, plan),
    );
    this.#options.events.merged(question, answer.merged);
    if (answer.merged.length > 0) this.#options.memory.forget(question.conversation_uuid);
    return this.#deliver({ bot, question, stored, stream, isResumed: false, held: null }, signal);
  }

  /** Delivers the rest of an answer that an earlier attempt completed; see {@link finish}. */
  resume(
    question: ClaimedMessage,
    { bot, stored }: Outcome<'resumes'>,
    signal: AbortSignal,
  ): Promise<MessageOutcome | null> {
    return this.#deliver({ bot, question, stored, stream: null, isResumed: true, held: null }, signal);
  }

  /**
   * Parts that could not be sent are `pending` again and the message is released with a due time. A part that an earlier
   * process was sending when it ended is sent again where the platform drops repeats, and brought up to date where it can
   * be edited; elsewhere it is `uncertain` and not sent again.
   * @throws the signal's reason between two parts; the rest is sent later
   */
  async #deliver(run: Run, signal: AbortSignal): Promise<MessageOutcome | null> {
    const { bot, question } = run;
    run.held = await this.#options.replies.finish(question, bot, signal);
    const { message, deliveries } = run.stored;
    const ended: DeliveryOutcome[] = [];
    /** How the rest ends without being sent. */
    let rest: DeliveryOutcome | null = null;
    for (const [index, delivery] of deliveries.entries()) {
      if (isEnded(delivery)) {
        ended.push(outcomeOf(delivery));
        continue;
      }
      if (index > 0) signal.throwIfAborted();
      const outcome: DeliveryOutcome | null = rest ?? (await this.#part(run, delivery, signal));
      if (outcome === null) return null;
      ended.push(outcome);
      rest ??= await this.#restAfter(outcome, bot.uuid);
      const { piece } = delivery;
      if (index < deliveries.length - 1) {
        // A waiting part must not appear to have been sent.
        const next = deliveries[index + 1] as Delivery;
        const isReady = bot.adapter.awaitTurn === undefined && this.#hold(question) === null && !isExpired(next);
        // After a retry, the next part may have been delivered before.
        const begins = rest === null && !signal.aborted && isReady && next.state === 'pending';
        if (begins) next.state = 'sending';
        await this.#persist(signal, () => this.#options.deliveries.settleDelivery(partOf(run, piece), outcome, begins));
      } else {
        return this.#settle(run, ended, { uuid: message.uuid, piece, delivery: outcome }, signal);
      }
      // From here on the parts are those of this run.
      run.isResumed = false;
    }
    // All of it had ended before the message did.
    return this.#settle(run, ended, null, signal);
  }

  /** @returns how a part ended; null when it waits for another attempt, and the message with it */
  async #part(run: Run, delivery: Delivery, signal: AbortSignal): Promise<DeliveryOutcome | null> {
    const { bot, question, stored } = run;
    // A part is `sending` since its last attempt began.
    if (run.isResumed && delivery.state === 'sending') delivery.unconfirmed_since ??= delivery.updated_at;
    const isInterrupted = delivery.unconfirmed_since !== null && !isRecognized(bot, delivery.unconfirmed_since);
    if (isInterrupted && delivery.handle === null) return delivery.state === 'sending' ? interrupted : unrecognized;
    if (isExpired(delivery)) {
      await leaveStream(run, delivery, 'expired');
      return expired;
    }
    const hold = run.held ?? this.#hold(question);
    if (hold !== null) {
      if (delivery.handle === null) await leaveStream(run, delivery, hold.reason);
      return this.#postpone(run, delivery, hold, signal);
    }
    if (delivery.state === 'pending') {
      const { target } = outgoingOf(stored.message, delivery, question);
      if (delivery.piece > 0) await bot.adapter.awaitTurn?.(target, signal);
      await this.#persist(signal, () => this.#options.deliveries.beginDelivery(partOf(run, delivery.piece)));
      delivery.state = 'sending';
    }
    const began = delivery.unconfirmed_since ?? now();
    try {
      const sent = await this.#send(run, delivery, { isInterrupted, signal });
      this.#options.holds.succeeded(bot.uuid);
      return sentOutcome(sent);
    } catch (error) {
      const failure = deliveryFailureOf(error);
      // A later attempt continues what it can find again.
      const isContinued = failure.kind === 'not_sent' && delivery.handle !== null;
      if (failure.kind !== 'unknown' && !isContinued) await leaveStream(run, delivery, failure.reason);
      return this.#afterFailure(run, delivery, { failure, began }, signal);
    }
  }

  async #send(
    run: Run,
    delivery: Delivery,
    { isInterrupted, signal }: { isInterrupted: boolean; signal: AbortSignal },
  ): Promise<SentMessage> {
    const completed = delivery.piece === 0 ? await this.#completeStream(run, delivery, signal) : null;
    if (completed !== null) return completed;
    const { bot, question, stored } = run;
    const { message } = stored;
    const { message_chain } = delivery;
    const progress = this.progress(partOf(run, delivery.piece), delivery, isInterrupted, signal);
    const outgoing = outgoingOf(message, delivery, question);
    return this.#options.replyContexts.send(bot, question, outgoing, (complete) =>
      bot.adapter.send({ ...complete, ...endMark(stored), message_chain }, progress),
    );
  }

  /** @returns null when there is no stream, or it cannot show the answer: then the answer is a message of its own */
  async #completeStream(run: Run, delivery: Delivery, signal: AbortSignal): Promise<SentMessage | null> {
    const { stream, stored } = run;
    if (!stream?.isStarted) return null;
    if (stream.canShow(delivery.message_chain)) {
      try {
        return await stream.finish(delivery.message_chain, endMark(stored));
      } catch (error) {
        // What could not be changed before may still be followed by another message.
        const { kind, reason } = deliveryFailureOf(error);
        if (!stream.isRefused || kind !== 'refused' || reason === 'cancelled') throw error;
      }
    }
    await leaveStream(run, delivery, 'partial_remains');
    const part = partOf(run, delivery.piece);
    delivery.idempotency_token = await this.#persist(signal, () => this.#options.deliveries.detachDelivery(part));
    delivery.handle = null;
    return null;
  }

  /** Where an adapter records the streamed state of a part. */
  progress(
    claimed: ClaimedPart,
    part: { handle: MessageHandle | null },
    isInterrupted: boolean,
    signal: AbortSignal,
  ): SendProgress {
    const { logger } = this.#options;
    return {
      handle: part.handle,
      isInterrupted,
      store: async (handle) => {
        const bytes = Buffer.byteLength(JSON.stringify(handle) ?? '');
        if (bytes === 0 || bytes > longestMessageHandle) {
          logger.error(
            { message: claimed.answer_uuid, bytes },
            'a platform adapter gave a handle that cannot be stored',
          );
          return;
        }
        part.handle = handle;
        await this.#persist(signal, () => this.#options.deliveries.storeHandle(claimed, handle));
      },
    };
  }

  async #afterFailure(
    run: Run,
    delivery: Delivery,
    { failure, began }: { failure: DeliveryError; began: string },
    signal: AbortSignal,
  ): Promise<DeliveryOutcome | null> {
    const { bot, question } = run;
    const { bots, holds, logger } = this.#options;
    holds.report(bot.uuid, question, failure);
    const repeat = await repeatAfter(failure, bot, began, this.#options.uncertainSends);
    if (repeat !== 'never') {
      if (repeat === 'while_recognized') delivery.unconfirmed_since = began;
      logger.warn({ bot: bot.uuid, message: question.uuid, error: failure }, 'an answer is sent later');
      const hold = this.#hold(question) ?? { reason: failure.reason, milliseconds: 0 };
      return this.#postpone(run, delivery, { ...hold, error: failure.message }, signal);
    }
    // A caller may leave at any time, which is no error.
    const level = failure.reason === 'client_closed_request' ? 'info' : 'error';
    logger[level]({ bot: bot.uuid, message: question.uuid, error: failure }, 'an answer could not be delivered');
    bots.tell(bot.uuid, undelivered(question, failure));
    return failure.kind === 'unknown' ? uncertainOutcome(failure) : failedOutcome(failure);
  }

  async #postpone(
    { bot, question, stored }: Run,
    { piece, error: known, unconfirmed_since }: Delivery,
    { reason, milliseconds, error = known }: { reason: Reason; milliseconds: number; error?: string | null },
    signal: AbortSignal,
  ): Promise<null> {
    const postponed: PostponedDelivery = {
      answer_uuid: stored.message.uuid,
      piece,
      reason,
      error: error ?? 'Sending to the platform is paused',
      unconfirmed_since,
      until: new Date(present() + Math.max(leastPause, milliseconds)).toISOString(),
    };
    const { deliveries, events, holds } = this.#options;
    if (!(await this.#persist(signal, () => deliveries.postponeDelivery(claimOf(question), postponed)))) return null;
    events.publish(question, 'received', reason);
    holds.defer(bot.uuid, question, question.conversation_uuid);
    return null;
  }

  /**
   * Ends a message.
   * @param answer as it is stored; null when there is none
   * @returns how it ended; null when the claim is outdated
   */
  async end(
    message: ClaimedMessage,
    outcome: MessageOutcome,
    end: MessageEnd,
    answer: Message | null = null,
  ): Promise<MessageOutcome | null> {
    const { messages, events, memory, settling } = this.#options;
    settling?.(message);
    const stored = await messages.settle(message, outcome, end);
    if (stored === null) return null;
    if (end.merged.length > 0) memory.forget(message.conversation_uuid);
    memory.ended(message, stored, answer);
    events.ended(message, stored, end);
    return stored;
  }

  /** Returns a message to the queue. @param wait as {@link MessageLedger.release} */
  async release(message: ClaimedMessage, wait: { until: string; reason: Reason } | null): Promise<void> {
    if (!(await this.#options.messages.release(claimOf(message), wait))) return;
    this.#options.events.publish(message, 'received', wait?.reason ?? null);
  }

  #persist<Result>(signal: AbortSignal, store: () => Promise<Result>): Promise<Result> {
    return persist(store, { signal, logger: this.#options.logger });
  }

  /** The hold on the answer to a message; null when there is none. */
  #hold(question: Message): { reason: Reason; milliseconds: number } | null {
    const { bots, holds, maySend } = this.#options;
    if (!maySend()) return { reason: 'not_ready', milliseconds: 0 };
    if (!bots.isRunning(question.bot_uuid)) return { reason: 'bot_not_running', milliseconds: 0 };
    return holds.of(question.bot_uuid, question);
  }

  /** How the parts behind one end that are not sent; null when they are. */
  async #restAfter({ state, reason, error }: DeliveryOutcome, botUuid: string): Promise<DeliveryOutcome | null> {
    if (state === 'failed') return { state, reason, error, platform_message_id: null };
    if (state === 'uncertain' && (await this.#options.uncertainSends(botUuid)) === 'stop') return stopped;
    return null;
  }

  async #settle(
    { question, stored }: Run,
    ended: readonly DeliveryOutcome[],
    answer: EndedDelivery | null,
    signal: AbortSignal,
  ): Promise<MessageOutcome | null> {
    const outcome = outcomeAfter(stored.outcome, ended);
    return this.#persist(signal, () =>
      this.end(question, outcome, { answer, merged: [], record: null }, stored.message),
    );
  }
}

/** Tells the platform that the answer is a notice of a failure, or was stopped. */
function endMark({ outcome }: StoredAnswer): Pick<OutgoingMessage, 'is_failure' | 'is_stopped'> {
  if (outcome.state === 'failed') return { is_failure: true };
  return isStoppedByUser(outcome) ? { is_stopped: true } : {};
}

/** Ends the stream of an answer that does not complete it. */
async function leaveStream(run: Run, { piece }: Delivery, reason: Reason): Promise<void> {
  if (piece > 0 || !run.stream?.isStarted) return;
  const { stream } = run;
  run.stream = null;
  await stream.abandon(reason);
}

const stopped: DeliveryOutcome = {
  state: 'failed',
  reason: 'delivery_stopped',
  error: 'It was not sent, since a part before it is uncertain',
  platform_message_id: null,
};

/** How a message ends whose answer was to end it in one way, by how the parts ended. */
function outcomeAfter(outcome: MessageOutcome, parts: readonly DeliveryOutcome[]): MessageOutcome {
  if (outcome.state !== 'answered') return outcome;
  const uncertain = parts.find(({ state }) => state === 'uncertain');
  const failed = parts.find(({ state, reason }) => state === 'failed' && reason !== 'delivery_stopped');
  if (failed !== undefined) return { state: 'failed', reason: failed.reason ?? 'platform_failed' };
  if (uncertain !== undefined) return { state: 'uncertain', reason: uncertain.reason ?? 'uncertain' };
  return outcome;
}

function partOf({ question, stored }: Run, piece: number): ClaimedPart {
  return { answer_uuid: stored.message.uuid, piece, claim: claimOf(question) };
}

function isEnded({ state }: Delivery): boolean {
  return state !== 'pending' && state !== 'sending';
}

function outcomeOf({ state, reason, error, platform_message_id }: Delivery): DeliveryOutcome {
  return { state: state as DeliveryOutcome['state'], reason, error, platform_message_id };
}
