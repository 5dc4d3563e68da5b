import type { MessageChain, MessageStream, SendProgress, SentMessage } from '@parley/sdk';
import { digestOf } from '../../kit/streams/digest.ts';
import { GrowingMessage, type MessagePart } from '../../kit/streams/growing-message.ts';
import { objectOf } from '../../lib/loose-values.ts';
import type { Cards } from './cards.ts';
import { asDeliveryError } from './failure.ts';
import { noId, type Outbox, type Place } from './outbox.ts';
import { renderChain, type TextPart } from './render.ts';

export interface AnswerOptions {
  outbox: Outbox;
  /** Texts are cards, which can be changed; null for messages. */
  cards: Cards | null;
  progress: SendProgress;
  /** Of the attempt; each card has an id made of it. */
  token: string;
}

const mediaDigest = 'file';

/** What the handle of a message has beside the messages that are shown. */
interface AnswerHandle {
  /** Its texts are cards, of which one may be shown that the handle does not name yet. */
  isCards?: boolean;
}

/** Whether an earlier attempt at a message showed cards, so that they are completed. */
export function hasCards(progress: SendProgress): boolean {
  return objectOf(progress.handle).isCards === true;
}

/** An outgoing message in a chat, which may be several messages there. */
export class Answer implements MessageStream {
  readonly #place: Place;
  readonly #options: AnswerOptions;
  readonly #message: GrowingMessage;
  #handle: AnswerHandle;
  /** Cards of an attempt that failed or ended may be shown, with the texts of that attempt. */
  #mayBeShown: boolean;
  /** Cards that look unfinished, and their texts as far as they are known. */
  readonly #open = new Map<string, string | null>();

  constructor(place: Place, options: AnswerOptions) {
    this.#place = place;
    this.#options = options;
    const { progress, cards } = options;
    this.#handle = objectOf(progress.handle) as AnswerHandle;
    this.#mayBeShown = hasCards(progress);
    for (const id of cardsIn(progress.handle)) this.#open.set(id, null);
    this.#message = new GrowingMessage({
      progress: {
        handle: progress.handle,
        // A card is not shown twice.
        isInterrupted: cards === null && progress.isInterrupted,
        store: (handle) => this.#store(handle as object),
      },
      parts: (chain, isFinal) => this.#parts(chain, isFinal),
      // Cards stay in the chat, and what they showed is part of another message now.
      remove: async (id) => cards?.complete(String(id), '…'),
      failureOf: (error) => asDeliveryError(error, cards !== null),
      idOf: String,
    });
  }

  update(chain: MessageChain): Promise<void> {
    return this.#message.update(chain);
  }

  async finish(chain: MessageChain): Promise<SentMessage> {
    const { platform_message_id: id = noId } = await this.#message.finish(chain);
    return id === noId ? {} : { platform_message_id: id };
  }

  async abandon(): Promise<void> {
    // Waits for what is being sent.
    await this.#message.abandon();
    const { cards } = this.#options;
    for (const [id, text] of this.#open) await (text === null ? cards?.end(id) : cards?.complete(id, text));
    this.#open.clear();
  }

  /** Of a message that grows, the texts before its first file. */
  async #parts(chain: MessageChain, isFinal: boolean): Promise<MessagePart[]> {
    const { outbox, cards } = this.#options;
    const messages: MessagePart[] = [];
    for (const [index, part] of (await renderChain(chain)).entries()) {
      if ('media' in part) {
        if (!isFinal) break;
        const send = () => outbox.sendMedia(this.#place, part.media);
        messages.push({ digest: mediaDigest, send, edit: async () => false });
      } else if (cards === null) {
        const send = () => outbox.sendText(this.#place, part);
        messages.push({ digest: digestOf(part.addressed), send, edit: async () => false });
      } else messages.push(this.#card(cards, part, { index, isFinal }));
    }
    return messages;
  }

  #card(cards: Cards, { text }: TextPart, { index, isFinal }: { index: number; isFinal: boolean }): MessagePart {
    const show = async (id: string) => {
      await (isFinal ? cards.complete(id, text) : cards.update(id, text));
      if (isFinal) this.#open.delete(id);
      else this.#open.set(id, text);
    };
    return {
      // A card that shows the whole text may still look as if more were to come.
      digest: digestOf([text, isFinal]),
      send: async () => {
        // If this attempt ends now, the next one knows that a card may be shown, and shows no other.
        if (this.#handle.isCards !== true) await this.#store({ shown: [], ...this.#handle });
        const id = `${this.#options.token}-${index}`;
        try {
          await cards.create(this.#place.target, id, text);
        } catch (error) {
          this.#mayBeShown = true;
          throw error;
        }
        this.#open.set(id, text);
        if (isFinal || this.#mayBeShown) await show(id);
        return id;
      },
      edit: async (id, shownDigest) => {
        if (shownDigest === mediaDigest || id === noId) return false;
        await show(String(id));
        return true;
      },
    };
  }

  async #store(handle: object): Promise<void> {
    this.#handle = this.#options.cards === null ? handle : { ...handle, isCards: true };
    await this.#options.progress.store(this.#handle);
  }
}

/** Ids of the cards that a handle names. */
function cardsIn(handle: unknown): string[] {
  const { isCards, shown } = objectOf(handle);
  if (isCards !== true || !Array.isArray(shown)) return [];
  return shown.flatMap((entry: unknown) => {
    const [id, digest]: unknown[] = Array.isArray(entry) ? entry : [];
    return typeof id === 'string' && digest !== mediaDigest ? [id] : [];
  });
}
