import type {
  DeliveryError,
  Logger,
  MessageChain,
  MessageStream,
  OutgoingMessage,
  SentMessage,
  SessionType,
} from '@parley/sdk';
import { findStorageError } from '../../lib/storage-error.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { Delivery } from './delivery.ts';
import { deliveryFailureOf } from './delivery-failure.ts';
import { targetOf } from './delivery-target.ts';
import type { Message } from './message.ts';

export interface AnswerStreamOptions {
  sessionType: SessionType;
  /** Stores the start of an answer, and starts to show it; null when the platform does not. */
  begin: () => Promise<MessageStream | null>;
  /** Whether sending is paused. */
  isHeld: () => boolean;
  /** Called with each failed call. */
  failed: (failure: DeliveryError) => void;
  logger: Logger;
  /** Nothing is shown before this delay. */
  delayMs: number;
}

/** Shows an answer on a platform while it is written, no faster than the platform allows. */
export class AnswerStream {
  readonly #bot: RunningBot;
  readonly #sessionType: SessionType;
  readonly #options: AnswerStreamOptions;
  readonly #notBefore: number;
  #stream: MessageStream | null = null;
  #lastUpdate = 0;
  #mayLeavePart = false;

  constructor(bot: RunningBot, options: AnswerStreamOptions) {
    this.#bot = bot;
    this.#sessionType = options.sessionType;
    this.#options = options;
    this.#notBefore = Date.now() + options.delayMs;
  }

  /** Whether another update would be shown now. Asking first saves the work of making one. */
  get isDue(): boolean {
    const stream = this.#bot.capabilities.streams[this.#sessionType];
    if (stream === undefined || this.#bot.adapter.stream === undefined) return false;
    // Where a new message may have arrived, only the finished answer follows.
    if (this.#mayLeavePart || this.#options.isHeld()) return false;
    return Date.now() >= Math.max(this.#notBefore, this.#lastUpdate + stream.interval_ms);
  }

  /**
   * Shows the answer so far. After a failed update, the next one contains more; only `finish` decides whether the
   * answer was delivered.
   */
  async update(chain: MessageChain): Promise<void> {
    if (!this.isDue || !saysSomething(chain)) return;
    try {
      this.#stream ??= await this.#options.begin();
      await this.#stream?.update(chain);
    } catch (error) {
      const { logger, failed } = this.#options;
      logger.warn({ bot: this.#bot.uuid, error }, 'an answer was not shown while it is written');
      // A failure of the store says nothing about the platform.
      if (findStorageError(error) === null) {
        const failure = deliveryFailureOf(error);
        this.#mayLeavePart ||= failure.kind === 'unknown' && !failure.isRepeatable;
        failed(failure);
      }
    }
    this.#lastUpdate = Date.now();
  }

  /** Completes the streamed message. Only after a start: see {@link isStarted}. */
  async finish(chain: MessageChain): Promise<SentMessage> {
    if (this.#stream === null) throw new Error('the stream was not started');
    return this.#stream.finish(chain);
  }

  /** Whether any of the answer was shown. */
  get isStarted(): boolean {
    return this.#stream !== null;
  }

  /** Whether the start of the answer may be in the chat in a message that cannot be identified. */
  get mayLeavePart(): boolean {
    return this.#mayLeavePart;
  }
}

function saysSomething(chain: MessageChain): boolean {
  return chain.some((element) => element.type !== 'Plain' || element.text !== '');
}

/**
 * The data that an adapter gets of a stored message. The token makes a repeated send harmless on platforms that honour
 * it.
 * @param question the inbound message that it answers
 */
export function outgoingOf(
  message: Message,
  { piece, idempotency_token }: Pick<Delivery, 'piece' | 'idempotency_token'>,
  question: Message | null,
): Omit<OutgoingMessage, 'message_chain'> {
  return {
    uuid: message.uuid,
    sequence: message.sequence,
    piece,
    target: targetOf(message),
    reply_to:
      question === null || question.platform_message_id === null
        ? null
        : { platform_message_id: question.platform_message_id, sender_id: question.sender_id },
    created_at: message.created_at,
    idempotency_token,
  };
}
