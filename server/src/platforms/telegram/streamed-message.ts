import type { MessageChain, MessageStream, SendProgress, SentMessage } from '@parley/sdk';
import type { ChatPace } from '../../kit/pace/chat-pace.ts';
import { digestOf } from '../../kit/streams/digest.ts';
import { GrowingMessage, type MessagePart } from '../../kit/streams/growing-message.ts';
import type { Chat } from './chat.ts';
import { asDeliveryError } from './failure.ts';
import { type FormattedText, splitText } from './formatted-text.ts';
import { isRefusal, type Outbox } from './outbox.ts';
import { type RenderedMessage, renderChain } from './render.ts';
import type { PreparedMedia } from './uploads.ts';

export interface StreamedMessageOptions {
  outbox: Outbox;
  pace: ChatPace;
  markdown: boolean;
  /** Least time between two edits, milliseconds. */
  intervalMs: number;
  progress: SendProgress;
  /** Reads the files of a message before anything of it is sent. @throws ParleyError `unsupported_element` */
  prepare(media: Exclude<RenderedMessage['parts'][number], FormattedText>): Promise<PreparedMedia>;
}

const mediaDigest = 'file';

/** An outgoing message in a chat of Telegram, which may be several messages there. */
export class StreamedMessage implements MessageStream {
  readonly #chat: Chat;
  readonly #options: StreamedMessageOptions;
  readonly #message: GrowingMessage;

  constructor(chat: Chat, options: StreamedMessageOptions) {
    const { progress, outbox, pace, intervalMs } = options;
    this.#chat = chat;
    this.#options = options;
    this.#message = new GrowingMessage({
      progress,
      parts: (chain, isFinal) => this.#parts(chain, isFinal),
      remove: (id) => outbox.delete(chat, Number(id)),
      failureOf: asDeliveryError,
      idOf: (first) => `${chat.place.chat_id}/${first}`,
      isPaced: () => !pace.take(chat.key, intervalMs),
    });
  }

  /** Shows the text so far, unless it is too early for another edit: then a later one shows more. */
  update(chain: MessageChain): Promise<void> {
    return this.#message.update(chain);
  }

  /** @throws DeliveryError when the whole message is not, or may not be, in the chat */
  async finish(chain: MessageChain): Promise<SentMessage> {
    const { pace, intervalMs } = this.#options;
    try {
      return await this.#message.finish(chain);
    } finally {
      pace.pause(this.#chat.key, intervalMs);
    }
  }

  /** Of a message that grows, the texts before its first file. */
  async #parts(chain: MessageChain, isFinal: boolean): Promise<MessagePart[]> {
    const { markdown, prepare } = this.#options;
    const { replyTo, parts } = await renderChain(chain, markdown);
    const messages: MessagePart[] = [];
    const quoted = () => (messages.length === 0 ? replyTo : null);
    for (const part of parts) {
      if ('text' in part) for (const text of splitText(part)) messages.push(this.#textPart(text, quoted()));
      else if (isFinal) messages.push(this.#mediaPart(await prepare(part), quoted()));
      else break;
    }
    return messages;
  }

  #textPart(text: FormattedText, replyTo: number | null): MessagePart {
    const { outbox } = this.#options;
    return {
      digest: digestOf(text),
      send: () => outbox.sendText(this.#chat, text, { replyTo }),
      edit: async (id, shownDigest) => {
        if (shownDigest === mediaDigest) return false;
        try {
          await outbox.editText(this.#chat, Number(id), text);
          return true;
        } catch (error) {
          if (!isRefusal(error, /message to edit not found|message can't be edited|message_id_invalid/i)) throw error;
        }
        return false;
      },
    };
  }

  #mediaPart(media: PreparedMedia, replyTo: number | null): MessagePart {
    return {
      digest: mediaDigest,
      send: () => this.#options.outbox.sendMedia(this.#chat, media, { replyTo }),
      edit: async () => false,
    };
  }
}
