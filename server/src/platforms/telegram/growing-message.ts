import type { MessageChain, MessageStream, SentMessage } from '@parley/sdk';
import type { Chat } from './chat.ts';
import type { ChatPace } from './chat-pace.ts';
import { asParleyError, TelegramFailure } from './failure.ts';
import { type FormattedText, splitText } from './formatted-text.ts';
import { isRefusal, type Outbox } from './outbox.ts';
import { type RenderedMessage, renderChain } from './render.ts';

export interface GrowingMessageOptions {
  outbox: Outbox;
  pace: ChatPace;
  markdown: boolean;
  /** Least time between two changes, milliseconds. */
  intervalMs: number;
  /** Sends what is no text, and cannot grow. */
  sendRest(rest: RenderedMessage): Promise<SentMessage>;
}

/** A message of Telegram that was sent, and what it says now. */
interface Shown {
  id: number;
  content: string;
}

/** An answer that is shown while it is written: sent once, then edited. What outgrows one message goes on in more. */
export class GrowingMessage implements MessageStream {
  readonly #chat: Chat;
  readonly #options: GrowingMessageOptions;
  readonly #shown: Shown[] = [];
  /** After a failure that another attempt would not mend, or might double, only the finished answer is sent. */
  #isHeldBack = false;

  constructor(chat: Chat, options: GrowingMessageOptions) {
    this.#chat = chat;
    this.#options = options;
  }

  /** Shows the text so far, unless it is too early for another change: then a later one shows more. */
  async update(message_chain: MessageChain): Promise<void> {
    const { pace, intervalMs, markdown } = this.#options;
    if (this.#isHeldBack || !pace.take(this.#chat.key, intervalMs)) return;
    const message = await renderChain(message_chain, markdown);
    try {
      await this.#show(message, false);
    } catch (error) {
      if (error instanceof TelegramFailure && (error.kind === 'unsent' || error.code === 429)) {
        pace.pause(this.#chat.key, (error.retryAfter ?? 1) * 1000);
      } else {
        this.#isHeldBack = true;
      }
      throw asParleyError(error);
    }
  }

  /** @throws ParleyError when the whole answer does not stand there */
  async finish(message_chain: MessageChain): Promise<SentMessage> {
    const message = await renderChain(message_chain, this.#options.markdown);
    try {
      const pieces = await this.#show(message, true);
      // A text can take fewer messages once it is complete.
      for (const { id } of this.#shown.splice(pieces)) {
        await this.#options.outbox.delete(this.#chat, id).catch(() => undefined);
      }
    } catch (error) {
      throw asParleyError(error);
    }
    const rest = message.parts.slice(leadingTexts(message).length);
    const replyTo = this.#shown.length === 0 ? message.replyTo : null;
    const first = this.#shown[0];
    const shown = first === undefined ? null : { platform_message_id: `${this.#chat.place.chat_id}/${first.id}` };
    if (rest.length === 0 && shown !== null) return shown;
    const sent = await this.#options.sendRest({ replyTo, parts: rest });
    return shown ?? sent;
  }

  /** @returns how many messages the text takes */
  async #show(message: RenderedMessage, patient: boolean): Promise<number> {
    const pieces = leadingTexts(message).flatMap((text) => splitText(text));
    for (const [index, piece] of pieces.entries()) {
      const content = JSON.stringify(piece);
      const shown = this.#shown[index];
      if (shown?.content === content) continue;
      const isEdited = shown !== undefined && (await this.#edit(shown.id, piece, patient));
      const replyTo = index === 0 ? message.replyTo : null;
      const id = isEdited ? shown.id : await this.#options.outbox.sendText(this.#chat, piece, { replyTo, patient });
      this.#shown[index] = { id, content };
    }
    return pieces.length;
  }

  /** @returns false when somebody deleted the message meanwhile */
  async #edit(id: number, piece: FormattedText, patient: boolean): Promise<boolean> {
    try {
      await this.#options.outbox.editText(this.#chat, id, piece, { patient });
      return true;
    } catch (error) {
      if (!isRefusal(error, /message to edit not found|message can't be edited|message_id_invalid/i)) throw error;
      return false;
    }
  }
}

/** The texts that a message begins with. */
function leadingTexts({ parts }: RenderedMessage): FormattedText[] {
  const end = parts.findIndex((part) => !('text' in part));
  return parts.slice(0, end < 0 ? undefined : end) as FormattedText[];
}
