import type { MessageChain, MessageStream, SendProgress, SentMessage } from '@parley/sdk';
import type { ChatPace } from '../../kit/pace/chat-pace.ts';
import { digestOf } from '../../kit/streams/digest.ts';
import { GrowingMessage, type MessageId, type MessagePart } from '../../kit/streams/growing-message.ts';
import type { Cards } from './cards.ts';
import { asDeliveryError } from './failure.ts';
import { isRefused, type Outbox, type Place } from './outbox.ts';
import { type RenderedPart, renderChain, textMessage } from './render.ts';
import type { Timing } from './timing.ts';

export interface StreamedMessageOptions {
  outbox: Outbox;
  cards: Cards;
  pace: ChatPace;
  progress: SendProgress;
  /** The texts are cards, which can be changed. */
  isStreamed: boolean;
  /** Of the attempt; each message of the platform has one of its own. */
  token: string;
  timing: Pick<Timing, 'cardUpdateMs' | 'cardStreamMs'>;
}

const mediaDigest = 'file';

/** What the handle of a message has beside the messages that are shown. */
interface CardHandle {
  /** The card that was made last, and the uuid of the message that it is for. */
  card?: [uuid: string, card: string] | undefined;
}

/** An outgoing message in a chat, which may be several messages there. */
export class StreamedMessage implements MessageStream {
  readonly #place: Place;
  readonly #options: StreamedMessageOptions;
  readonly #message: GrowingMessage;
  /** Messages that take the place of one that could not be changed. */
  readonly #replacements = new Set<number>();
  readonly #paceKey = `stream ${crypto.randomUUID()}`;
  /** As stored last. */
  #handle: CardHandle;

  constructor(place: Place, options: StreamedMessageOptions) {
    this.#place = place;
    this.#options = options;
    const { progress, pace, timing, outbox, cards } = options;
    this.#handle = (progress.handle ?? {}) as CardHandle;
    this.#message = new GrowingMessage({
      progress: {
        handle: progress.handle,
        // The platform drops a message that was sent before the interruption.
        isInterrupted: false,
        store: (handle) => this.#store({ ...(handle as object), card: this.#handle.card }),
      },
      parts: (chain, isFinal, closed) => this.#parts(chain, isFinal, closed),
      remove: (id) => outbox.recall(place, idsIn(id).message),
      failureOf: (error) => asDeliveryError(error, true),
      idOf: (first) => idsIn(first).message,
      isPaced: () => !pace.take(this.#paceKey, timing.cardUpdateMs),
      duration: { ms: timing.cardStreamMs, close: (id) => cards.close(place, idsIn(id).card) },
    });
  }

  update(chain: MessageChain): Promise<void> {
    return this.#message.update(chain);
  }

  finish(chain: MessageChain): Promise<SentMessage> {
    return this.#message.finish(chain);
  }

  abandon(): Promise<void> {
    return this.#message.abandon();
  }

  /** Of a message that grows, the texts before its first file. */
  async #parts(chain: MessageChain, isFinal: boolean, closed: number): Promise<MessagePart[]> {
    const { quotes, parts } = renderChain(chain);
    const place = quotes === null ? this.#place : { ...this.#place, replyTo: quotes };
    const messages: MessagePart[] = [];
    for (const [offset, part] of parts.entries()) {
      const index = closed + offset;
      if ('media' in part && !isFinal) break;
      const where = index === 0 ? place : { ...place, replyTo: null };
      messages.push(
        'media' in part ? this.#mediaPart(where, part, index) : this.#textPart(where, part, index, isFinal),
      );
    }
    return messages;
  }

  #textPart(place: Place, { markdown }: { markdown: string }, index: number, isFinal: boolean): MessagePart {
    const { outbox, cards, isStreamed } = this.#options;
    return {
      // A card that shows the whole text may still look as if more were to come.
      digest: digestOf([markdown, isFinal]),
      send: async () => {
        if (!isStreamed) return outbox.send(place, textMessage(markdown), this.#uuid(index));
        const card = await this.#cardFor(place, markdown, index, isFinal);
        const content = { msg_type: 'interactive', content: JSON.stringify({ type: 'card', data: { card_id: card } }) };
        return `${await outbox.send(place, content, this.#uuid(index))} ${card}`;
      },
      edit: async (id, shownDigest) => {
        const { card } = idsIn(id);
        if (card === '' || shownDigest === mediaDigest) return this.#replaced(index);
        if (!isFinal) {
          await cards.update(place, card, markdown);
          return true;
        }
        try {
          await cards.complete(place, card, markdown);
          return true;
        } catch (error) {
          if (!isRefused(error)) throw error;
        }
        return this.#replaced(index);
      },
    };
  }

  #mediaPart(place: Place, { media }: Extract<RenderedPart, { media: unknown }>, index: number): MessagePart {
    const { outbox } = this.#options;
    return {
      digest: mediaDigest,
      send: async () => outbox.send(place, await outbox.upload(place, media), this.#uuid(index)),
      edit: async () => this.#replaced(index),
    };
  }

  /** The replacement of a message is sent with a `uuid` of its own. */
  #replaced(index: number): false {
    this.#replacements.add(index);
    return false;
  }

  /**
   * The card of a message that is about to be sent. It is stored before: if this attempt ends now, the next one sends the
   * same card, because the platform may have the message and would drop one with another card.
   */
  async #cardFor(place: Place, markdown: string, index: number, isFinal: boolean): Promise<string> {
    const { cards } = this.#options;
    const uuid = this.#uuid(index);
    const [knownUuid, known] = this.#handle.card ?? [];
    if (known !== undefined && knownUuid === uuid) {
      await (isFinal ? cards.complete(place, known, markdown) : cards.update(place, known, markdown));
      return known;
    }
    const card = await cards.create(place, markdown, !isFinal);
    await this.#store({ ...this.#handle, card: [uuid, card] });
    return card;
  }

  async #store(handle: CardHandle): Promise<void> {
    this.#handle = handle;
    await this.#options.progress.store(handle);
  }

  /** The platform drops another message with the same one, and a replacement is another. */
  #uuid(index: number): string {
    return `${this.#options.token}-${index}${this.#replacements.has(index) ? 'r' : ''}`.slice(-50);
  }
}

/** The id of a message, and that of its card if it is one. */
function idsIn(id: MessageId): { message: string; card: string } {
  const [message = '', card = ''] = String(id).split(' ');
  return { message, card };
}
