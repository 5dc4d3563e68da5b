import type { DeliveryTarget, Logger, MessageChain, MessageStream, OutgoingMessage } from '@parley/sdk';
import type { RunningBot } from '../bots/bot-runtime.ts';
import type { Message } from './message.ts';

/** Carries a growing answer to a platform, no faster than the platform allows. */
export class AnswerStream {
  readonly #bot: RunningBot;
  readonly #outgoing: Omit<OutgoingMessage, 'message_chain'>;
  readonly #logger: Logger;
  #stream: MessageStream | null = null;
  #lastUpdate = 0;

  constructor(bot: RunningBot, answer: Message, logger: Logger) {
    this.#bot = bot;
    this.#outgoing = outgoingOf(answer);
    this.#logger = logger;
  }

  /**
   * Shows the text so far, when enough time has passed since the last time. A platform that does not take it is told
   * more with the next update; only `finish` decides whether the answer was delivered.
   */
  async update(text: string): Promise<void> {
    if (!this.#bot.platform.capabilities.streaming || text === '') return;
    if (Date.now() - this.#lastUpdate < this.#bot.platform.capabilities.edit_interval_ms) return;
    try {
      this.#stream ??= (await this.#bot.adapter.stream?.(this.#outgoing)) ?? null;
      await this.#stream?.update([{ type: 'Plain', text }]);
    } catch (error) {
      this.#logger.warn({ bot: this.#bot.uuid, message: this.#outgoing.uuid, error }, 'a growing answer was not shown');
    }
    this.#lastUpdate = Date.now();
  }

  async finish(chain: MessageChain): Promise<void> {
    if (this.#stream !== null) await this.#stream.finish(chain);
    else await this.#bot.adapter.send({ ...this.#outgoing, message_chain: chain });
  }

  /** Whether any of the answer was shown. */
  get begun(): boolean {
    return this.#stream !== null;
  }
}

/** What an adapter is told of a stored message. Its uuid is the token that makes sending it again harmless. */
export function outgoingOf(message: Message): Omit<OutgoingMessage, 'message_chain'> {
  const target: DeliveryTarget = {
    session_type: message.session_type,
    session_id: message.session_id,
    thread_id: message.thread_id,
    pipeline_uuid: message.pipeline_uuid || null,
  };
  return {
    uuid: message.uuid,
    sequence: message.sequence,
    target,
    created_at: message.created_at,
    idempotency_token: message.uuid,
  };
}
