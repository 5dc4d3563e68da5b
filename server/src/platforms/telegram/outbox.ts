import type { RawApi } from 'grammy';
import type { Chat, Place } from './chat.ts';
import { asDeliveryError, TelegramFailure } from './failure.ts';
import type { FormattedText } from './formatted-text.ts';
import type { Transport } from './transport.ts';
import type { PreparedMedia } from './uploads.ts';

export interface SendOptions {
  /** The message that is answered. */
  replyTo?: number | null;
}

/**
 * Writes to chats, one message of Telegram at a time, with one attempt each: whether another one follows is decided by
 * the service. Failures of edits and deletions are marked as repeatable.
 */
export class Outbox {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** @returns the number of the message in its chat */
  async sendText(chat: Chat, text: FormattedText, { replyTo = null }: SendOptions): Promise<number> {
    const sent = await withFallback(text, (entities) =>
      this.#call(chat, 'call', (api, place) =>
        api.sendMessage({ ...place, text: text.text, entities, ...replyParameters(replyTo) }),
      ),
    );
    return sent.message_id;
  }

  async editText(chat: Chat, id: number, text: FormattedText): Promise<void> {
    const { chat_id } = chat.place;
    try {
      await withFallback(text, (entities) =>
        this.#call(chat, 'call', (api) => api.editMessageText({ chat_id, message_id: id, text: text.text, entities })),
      );
    } catch (error) {
      if (!isRefusal(error, /message is not modified/i)) throw repeatable(error);
    }
  }

  async delete(chat: Chat, id: number): Promise<void> {
    const { chat_id } = chat.place;
    await this.#call(chat, 'call', (api) => api.deleteMessage({ chat_id, message_id: id })).catch((error: unknown) => {
      throw repeatable(error);
    });
  }

  /** @returns the number of the message in its chat */
  async sendMedia(chat: Chat, media: PreparedMedia, { replyTo = null }: SendOptions): Promise<number> {
    try {
      return await this.#sendAs(media.kind, chat, media, replyTo);
    } catch (error) {
      // A file that Telegram rejects as a photo or voice message can still be sent as a document.
      const isRefused = isRefusal(error, /./) && asDeliveryError(error).reason === 'platform_failed';
      if (!isRefused || !media.isUpload || media.kind === 'document') throw error;
      return this.#sendAs('document', chat, media, replyTo);
    }
  }

  async #sendAs(
    kind: PreparedMedia['kind'],
    chat: Chat,
    media: PreparedMedia,
    replyTo: number | null,
  ): Promise<number> {
    const { file, isUpload, duration } = media;
    const reply = replyParameters(replyTo);
    const sent = await this.#call<{ message_id: number }>(chat, isUpload ? 'transfer' : 'call', (api, place) => {
      switch (kind) {
        case 'photo':
          return api.sendPhoto({ ...place, ...reply, photo: file() });
        case 'voice':
          return api.sendVoice({ ...place, ...reply, voice: file(), ...(duration === undefined ? {} : { duration }) });
        case 'document':
          return api.sendDocument({ ...place, ...reply, document: file() });
      }
    });
    return sent.message_id;
  }

  async #call<Result>(
    chat: Chat,
    purpose: 'call' | 'transfer',
    call: (api: RawApi, place: Place) => Promise<Result>,
  ): Promise<Result> {
    const once = () => this.#transport[purpose]((api) => call(api, chat.place));
    return once().catch((error: unknown) => {
      const migratedTo = error instanceof TelegramFailure ? error.migratedTo : null;
      if (migratedTo === null || migratedTo === chat.place.chat_id) throw error;
      // The group has become a supergroup, which has another number.
      chat.place = { ...chat.place, chat_id: migratedTo };
      return once();
    });
  }
}

/** The failure of an idempotent call. Refusals are returned unchanged for callers that check them. */
function repeatable(error: unknown): unknown {
  return error instanceof TelegramFailure && error.kind === 'unknown' ? asDeliveryError(error, true) : error;
}

/** @see https://core.telegram.org/bots/api#replyparameters */
function replyParameters(replyTo: number | null) {
  return replyTo === null ? {} : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } };
}

type Entities = FormattedText['entities'];

/** Sends with formatting, and without if Telegram rejects it: the text matters more. */
async function withFallback<Result>(
  { entities }: FormattedText,
  send: (entities: Entities) => Promise<Result>,
): Promise<Result> {
  try {
    return await send(entities);
  } catch (error) {
    const isAboutText = isRefusal(error, /^(?!.*(not modified|to edit|too long|is empty))/i);
    if (entities.length === 0 || !isAboutText || asDeliveryError(error).reason !== 'platform_failed') throw error;
    return send([]);
  }
}

/** Whether Telegram refused a call as wrong in itself, with such a description. */
export function isRefusal(error: unknown, description: RegExp): boolean {
  return error instanceof TelegramFailure && error.code === 400 && description.test(error.message);
}
