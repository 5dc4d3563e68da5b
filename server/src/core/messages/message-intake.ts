import { type MessageEvent, type MessageReceipt, ParleyError } from '@parley/sdk';
import type { BotStore } from '../bots/bot-store.ts';
import type { MessageStore } from './message-store.ts';

/** Takes messages from platforms: each is on disk, once, before the platform is told that it arrived. */
export class MessageIntake {
  readonly #messages: MessageStore;
  readonly #bots: BotStore;
  readonly #accepted: () => void;
  #closed = false;

  /** @param accepted called after a new message was stored, so that it is taken up at once */
  constructor(messages: MessageStore, bots: BotStore, accepted: () => void) {
    this.#messages = messages;
    this.#bots = bots;
    this.#accepted = accepted;
  }

  /** @throws ParleyError `not_ready` while stopping, `not_found` or `bot_disabled`; nothing is stored then */
  async receive(botUuid: string, event: MessageEvent): Promise<MessageReceipt> {
    if (this.#closed) throw new ParleyError('not_ready', 'The server is stopping');
    const bot = await this.#bots.byUuid(botUuid);
    if (bot === null) throw new ParleyError('not_found', 'Bot not found');
    if (!bot.enable) throw new ParleyError('bot_disabled', 'Bot is disabled');
    const receipt = await this.#messages.accept(
      {
        bot_uuid: botUuid,
        pipeline_uuid: event.pipeline_uuid ?? bot.use_pipeline_uuid ?? '',
        session_type: event.session_type,
        session_id: event.session_id,
        thread_id: event.thread_id ?? '',
      },
      event,
    );
    if (receipt.outcome === 'accepted') this.#accepted();
    return receipt;
  }

  /** Refuses messages from now on. */
  close(): void {
    this.#closed = true;
  }
}
