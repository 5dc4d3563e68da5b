import { createHash } from 'node:crypto';
import { DeliveryError, type MessageChain, type MessageStream, type SendProgress, type SentMessage } from '@parley/sdk';
import type { Chat } from './chat.ts';
import type { ChatPace } from './chat-pace.ts';
import { asDeliveryError, TelegramFailure } from './failure.ts';
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

/** One message of Telegram, as part of an outbound message. */
type Unit = { text: FormattedText; digest: string } | { media: PreparedMedia; digest: string };

/** A sent message of Telegram. The digest is that of its current content; empty if unknown. */
type Shown = [id: number, digest: string];

/** The handle for {@link SendProgress.store}: the messages in order. */
interface Handle {
  shown: Shown[];
}

const mediaDigest = 'file';

/**
 * An outbound message in a chat: one or several messages of Telegram, sent once and then edited. Complete and streamed
 * messages use the same code, so that either can be continued after a crash.
 */
export class StreamedMessage implements MessageStream {
  readonly #chat: Chat;
  readonly #options: StreamedMessageOptions;
  readonly #shown: Shown[];
  /** After a failure that another attempt would not mend, or might double, only the finished message is sent. */
  #isHeldBack = false;

  constructor(chat: Chat, options: StreamedMessageOptions) {
    this.#chat = chat;
    this.#options = options;
    this.#shown = readHandle(options.progress.handle);
  }

  /** Shows the text so far, unless it is too early for another edit: then a later one shows more. */
  async update(message_chain: MessageChain): Promise<void> {
    const { pace, intervalMs, markdown } = this.#options;
    if (this.#isHeldBack || !pace.take(this.#chat.key, intervalMs)) return;
    const { replyTo, parts } = await renderChain(message_chain, markdown);
    const firstFile = parts.findIndex((part) => !('text' in part));
    const texts = parts.slice(0, firstFile < 0 ? undefined : firstFile) as FormattedText[];
    try {
      await this.#show(texts.flatMap(unitsOfText), replyTo, { isFinal: false });
    } catch (error) {
      const failure = asDeliveryError(error);
      this.#isHeldBack = failure.kind === 'refused' || (failure.kind === 'unknown' && !failure.isRepeatable);
      throw failure;
    }
  }

  /** @throws DeliveryError when the whole message is not, or may not be, in the chat */
  async finish(message_chain: MessageChain): Promise<SentMessage> {
    const { outbox, pace, intervalMs, markdown, prepare } = this.#options;
    try {
      const { replyTo, parts } = await renderChain(message_chain, markdown);
      const units: Unit[] = [];
      for (const part of parts) {
        if ('text' in part) units.push(...unitsOfText(part));
        else units.push({ media: await prepare(part), digest: mediaDigest });
      }
      if (units.length === 0) {
        throw new DeliveryError('refused', 'unsupported_element', 'The message has no content to send');
      }
      await this.#show(units, replyTo, { isFinal: true });
      // A text can take fewer messages once it is complete.
      for (const [id] of this.#shown.splice(units.length)) await outbox.delete(this.#chat, id).catch(() => undefined);
    } catch (error) {
      throw asDeliveryError(error);
    } finally {
      pace.pause(this.#chat.key, intervalMs);
    }
    return { platform_message_id: `${this.#chat.place.chat_id}/${this.#shown[0]?.[0]}` };
  }

  async #show(units: readonly Unit[], replyTo: number | null, { isFinal }: { isFinal: boolean }): Promise<void> {
    const { progress } = this.#options;
    for (const [index, unit] of units.entries()) {
      const shown = this.#shown[index];
      if (shown?.[1] === unit.digest) continue;
      if (shown !== undefined && (await this.#edit(shown, unit))) {
        shown[1] = unit.digest;
        continue;
      }
      // An earlier attempt was cut off behind the messages that are known, perhaps while it sent this one.
      if (shown === undefined && progress.isInterrupted && this.#shown.length > 0) {
        throw new DeliveryError('unknown', 'interrupted', 'It is unknown whether the rest of the message was sent');
      }
      this.#shown[index] = [await this.#send(unit, index === 0 ? replyTo : null), unit.digest];
      const isLastCall = isFinal && index === units.length - 1 && this.#shown.length <= units.length;
      if (!isLastCall) await progress.store({ shown: this.#shown } satisfies Handle);
    }
  }

  #send(unit: Unit, replyTo: number | null): Promise<number> {
    const { outbox } = this.#options;
    return 'text' in unit
      ? outbox.sendText(this.#chat, unit.text, { replyTo })
      : outbox.sendMedia(this.#chat, unit.media, { replyTo });
  }

  /** @returns false when the message cannot be edited, so that a new one has to take its place */
  async #edit([id, digest]: Shown, unit: Unit): Promise<boolean> {
    const { outbox } = this.#options;
    try {
      if ('text' in unit && digest !== mediaDigest) {
        await outbox.editText(this.#chat, id, unit.text);
        return true;
      }
    } catch (error) {
      if (!isRefusal(error, /message to edit not found|message can't be edited|message_id_invalid/i)) throw error;
    }
    // The old content must not stay next to its replacement; if its deletion fails, it stays.
    await outbox.delete(this.#chat, id).catch((error: unknown) => {
      if (!(error instanceof TelegramFailure && error.kind === 'refused')) throw error;
    });
    return false;
  }
}

function unitsOfText(text: FormattedText): Unit[] {
  return splitText(text).map((part) => ({
    text: part,
    digest: createHash('sha1').update(JSON.stringify(part)).digest('base64url').slice(0, 8),
  }));
}

/** Tolerates any stored value: an invalid handle refers to no messages. */
function readHandle(handle: unknown): Shown[] {
  const { shown } = (handle ?? {}) as Partial<Handle>;
  if (!Array.isArray(shown)) return [];
  return shown.flatMap((entry): Shown[] =>
    Array.isArray(entry) && Number.isSafeInteger(entry[0]) ? [[entry[0], String(entry[1] ?? '')]] : [],
  );
}
