import { isDeepStrictEqual } from 'node:util';
import type {
  DeliveryError,
  Logger,
  MessageChain,
  MessageStream,
  OutgoingMessage,
  Reason,
  SentMessage,
  StreamCapability,
} from '@parley/sdk';
import { findStorageError } from '../../lib/storage-error.ts';
import { inTime } from '../../lib/waiting.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import { isContinued } from './chain-growth.ts';
import type { Delivery } from './delivery.ts';
import { deliveryFailureOf } from './delivery-failure.ts';
import { targetOf } from './delivery-target.ts';
import type { Message } from './message.ts';
import { streamCapabilityOf } from './stream-capability.ts';

export interface AnswerStreamOptions {
  chat: Pick<Message, 'session_type' | 'thread_id'>;
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

/** How long ending a stream early may take, milliseconds. */
const abandonTimeout = 5000;

/** Shows an answer on a platform while it is written, no faster than the platform allows. */
export class AnswerStream {
  readonly #bot: RunningBot;
  readonly #capability: StreamCapability | undefined;
  readonly #options: AnswerStreamOptions;
  readonly #notBefore: number;
  #stream: MessageStream | null = null;
  #shown: MessageChain | null = null;
  #lastUpdate = Number.NEGATIVE_INFINITY;
  #mayLeavePart = false;
  #isRefused = false;

  constructor(bot: RunningBot, options: AnswerStreamOptions) {
    this.#bot = bot;
    this.#capability =
      bot.adapter.stream === undefined ? undefined : streamCapabilityOf(bot.capabilities, options.chat);
    this.#options = options;
    this.#notBefore = performance.now() + options.delayMs;
  }

  /** Whether another update would be shown now. Asking first saves the work of making one. */
  get isDue(): boolean {
    if (this.#capability === undefined) return false;
    // Where a new message may have arrived, or one cannot be changed, only the finished answer follows.
    if (this.#mayLeavePart || this.#isRefused || this.#options.isHeld()) return false;
    const { interval_ms, budget } = this.#capability;
    if (performance.now() < Math.max(this.#notBefore, this.#lastUpdate + interval_ms)) return false;
    return budget === undefined || this.#bot.streamBudget.hasRoom(budget);
  }

  /**
   * Shows the answer so far. After a failed update, the next one contains more; only `finish` decides whether the
   * answer was delivered.
   */
  async update(chain: MessageChain): Promise<void> {
    if (!this.isDue || !saysSomething(chain) || !this.canShow(chain) || isDeepStrictEqual(chain, this.#shown)) return;
    try {
      this.#spend();
      this.#stream ??= await this.#options.begin();
      await this.#stream?.update(chain);
      if (this.#stream !== null) this.#shown = chain;
    } catch (error) {
      const { logger } = this.#options;
      logger.warn({ bot: this.#bot.uuid, error }, 'an answer was not shown while it is written');
      // A failure of the store says nothing about the platform.
      if (findStorageError(error) === null) this.#failed(deliveryFailureOf(error), chain);
    }
    this.#lastUpdate = performance.now();
  }

  #failed(failure: DeliveryError, chain: MessageChain): void {
    const { kind, isRepeatable } = failure;
    this.#isRefused ||= kind === 'refused';
    this.#mayLeavePart ||= kind === 'unknown' && !isRepeatable;
    // It is in the chat, or may be.
    if (this.#stream !== null && kind === 'unknown') this.#shown = chain;
    this.#options.failed(failure);
  }

  /** Whether the platform can show a text in place of the one that is shown. */
  canShow(chain: MessageChain): boolean {
    return this.#capability?.mode !== 'append' || this.#shown === null || isContinued(this.#shown, chain);
  }

  /** Completes the streamed message. Only after a start: see {@link isStarted}. Does not wait for the budget of the bot. */
  async finish(chain: MessageChain, end?: Pick<OutgoingMessage, 'is_failure' | 'is_stopped'>): Promise<SentMessage> {
    if (this.#stream === null) throw new Error('the stream was not started');
    this.#spend();
    return this.#stream.finish(chain, end);
  }

  /** Ends the streamed message where it stands, in bounded time; nothing more follows in it. Never rejects. */
  async abandon(reason: Reason): Promise<void> {
    const { logger } = this.#options;
    const fields = { bot: this.#bot.uuid, reason };
    try {
      await inTime(Promise.resolve(this.#stream?.abandon?.(reason)), abandonTimeout, () =>
        logger.warn(fields, 'a streamed message did not end in time'),
      );
    } catch (error) {
      logger.warn({ ...fields, error }, 'a streamed message could not be ended');
    }
  }

  /** Whether any of the answer was shown. */
  get isStarted(): boolean {
    return this.#stream !== null;
  }

  /** What is shown of the answer, or may be; null when nothing is. */
  get shown(): MessageChain | null {
    return this.#shown;
  }

  /** Whether the start of the answer may be in the chat in a message that cannot be identified. */
  get mayLeavePart(): boolean {
    return this.#mayLeavePart;
  }

  /** Whether the platform has refused an update. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  #spend(): void {
    if (this.#capability?.budget !== undefined) this.#bot.streamBudget.spend(this.#capability.budget);
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
