import type { Logger, MessageChain, MessageStream, OutgoingMessage, SentMessage } from '@parley/sdk';
import type { RunningBot } from '../bots/bot-runtime.ts';
import type { Delivery } from './delivery.ts';
import type { Message } from './message.ts';

/** Carries a growing answer to a platform, no faster than the platform allows. */
export class AnswerStream {
  readonly #bot: RunningBot;
  readonly #begin: () => Promise<Omit<OutgoingMessage, 'message_chain'>>;
  readonly #logger: Logger;
  readonly #notBefore: number;
  #stream: MessageStream | null = null;
  #lastUpdate = 0;

  /**
   * @param begin stores that an answer begins, and says how it is sent
   * @param delayMilliseconds nothing is shown before so much time passed
   */
  constructor(
    bot: RunningBot,
    begin: () => Promise<Omit<OutgoingMessage, 'message_chain'>>,
    { logger, delayMilliseconds }: { logger: Logger; delayMilliseconds: number },
  ) {
    this.#bot = bot;
    this.#begin = begin;
    this.#logger = logger;
    this.#notBefore = Date.now() + delayMilliseconds;
  }

  /** Whether another update would be shown now. Asking first saves the work of making one. */
  get isDue(): boolean {
    const { capabilities } = this.#bot.platform;
    if (!capabilities.streaming || this.#bot.adapter.stream === undefined) return false;
    return Date.now() >= Math.max(this.#notBefore, this.#lastUpdate + capabilities.edit_interval_ms);
  }

  /**
   * Shows the answer so far. A platform that does not take it is told more with the next update; only `finish` decides
   * whether the answer was delivered.
   */
  async update(chain: MessageChain): Promise<void> {
    if (!this.isDue || !saysSomething(chain)) return;
    try {
      this.#stream ??= (await this.#bot.adapter.stream?.(await this.#begin())) ?? null;
      await this.#stream?.update(chain);
    } catch (error) {
      this.#logger.warn({ bot: this.#bot.uuid, error }, 'a growing answer was not shown');
    }
    this.#lastUpdate = Date.now();
  }

  /** Completes what was shown. Only where something was: see {@link begun}. */
  async finish(chain: MessageChain): Promise<SentMessage> {
    if (this.#stream === null) throw new Error('nothing of the answer was shown');
    return this.#stream.finish(chain);
  }

  /** Whether any of the answer was shown. */
  get begun(): boolean {
    return this.#stream !== null;
  }
}

function saysSomething(chain: MessageChain): boolean {
  return chain.some((element) => element.type !== 'Plain' || element.text !== '');
}

/**
 * What an adapter is told of a stored message. The token makes sending it again harmless where the platform honours it.
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
    target: {
      session_type: message.session_type,
      session_id: message.session_id,
      thread_id: message.thread_id,
      pipeline_uuid: message.pipeline_uuid || null,
    },
    reply_to:
      question === null || question.platform_message_id === null
        ? null
        : { platform_message_id: question.platform_message_id, sender_id: question.sender_id },
    created_at: message.created_at,
    idempotency_token,
  };
}
