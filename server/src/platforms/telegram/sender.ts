import {
  type DeliveryTarget,
  type MessageChain,
  type MessageStream,
  ParleyError,
  type PlatformContext,
  type SentMessage,
} from '@parley/sdk';
import { type Chat, chatOf } from './chat.ts';
import type { ChatPace } from './chat-pace.ts';
import { asParleyError } from './failure.ts';
import { splitText } from './formatted-text.ts';
import { GrowingMessage } from './growing-message.ts';
import type { Outbox } from './outbox.ts';
import { type RenderedMessage, renderChain } from './render.ts';
import type { Timing } from './timing.ts';
import type { Transport } from './transport.ts';
import { prepareMedia } from './uploads.ts';

export interface SenderOptions {
  transport: Transport;
  outbox: Outbox;
  pace: ChatPace;
  context: PlatformContext;
  markdown: boolean;
  timing: Timing;
}

/** Sends messages, whole or while they grow. */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** @throws ParleyError with the reason Telegram gave */
  async send(target: DeliveryTarget, chain: MessageChain): Promise<SentMessage> {
    const message = await renderChain(chain, this.#options.markdown);
    return this.#sendRendered(chatOf(target), message);
  }

  stream(target: DeliveryTarget): MessageStream {
    const { outbox, pace, markdown } = this.#options;
    const chat = chatOf(target);
    return new GrowingMessage(chat, {
      outbox,
      pace,
      markdown,
      intervalMs: this.#intervalOf(chat),
      sendRest: (rest) => this.#sendRendered(chat, rest),
    });
  }

  /** @returns the first message that it became */
  async #sendRendered(chat: Chat, { replyTo, parts }: RenderedMessage): Promise<SentMessage> {
    const { outbox, pace, transport, context } = this.#options;
    // Everything is made ready before anything is sent, so that a bad file leaves no half of a message.
    const sends: ((replyTo: number | null) => Promise<number>)[] = [];
    for (const part of parts) {
      if ('text' in part) {
        for (const piece of splitText(part)) sends.push((reply) => outbox.sendText(chat, piece, { replyTo: reply }));
      } else {
        const media = await prepareMedia(part, transport, context);
        sends.push((reply) => outbox.sendMedia(chat, media, { replyTo: reply }));
      }
    }
    if (sends.length === 0) throw new ParleyError('unsupported_element', 'There is nothing in the message to send');
    try {
      const ids: number[] = [];
      for (const [index, send] of sends.entries()) ids.push(await send(index === 0 ? replyTo : null));
      return { platform_message_id: `${chat.place.chat_id}/${ids[0]}` };
    } catch (error) {
      throw asParleyError(error);
    } finally {
      pace.pause(chat.key, this.#intervalOf(chat));
    }
  }

  #intervalOf({ isGroup }: Chat): number {
    return isGroup ? this.#options.timing.groupEditMs : this.#options.timing.personEditMs;
  }
}
