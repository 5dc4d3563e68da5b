import { DeliveryError, type MessageChain, type MessageStream, type SendProgress, type SentMessage } from '@parley/sdk';
import { digestOf } from '../../kit/streams/digest.ts';
import { GrowingMessage, type MessageId, type MessagePart } from '../../kit/streams/growing-message.ts';
import { asDeliveryError, isRefusal } from './failure.ts';
import { feedbackId } from './inbox.ts';
import type { Outbox, Place } from './outbox.ts';
import { type FileElement, renderChain } from './render.ts';
import type { Timing } from './timing.ts';

export interface StreamedMessageOptions {
  outbox: Outbox;
  progress: SendProgress;
  /** Of the attempt. The ids of its streams are made from it, so that the same one goes on after a crash. */
  token: string;
  /** Id of the message that is answered; empty for none. */
  questionId: string;
  timing: Pick<Timing, 'streamMs'>;
}

/** Of messages that are no streams, and their id: the platform gives none. */
const fileDigest = 'file';

/** An outgoing message over the long connection, which may be several messages there. */
export class StreamedMessage implements MessageStream {
  readonly #place: Place;
  readonly #options: StreamedMessageOptions;
  readonly #message: GrowingMessage;
  /** What the streams show. */
  readonly #shown = new Map<string, string>();

  constructor(place: Place, options: StreamedMessageOptions) {
    this.#place = place;
    this.#options = options;
    const { progress, outbox, timing } = options;
    this.#message = new GrowingMessage({
      progress,
      parts: async (chain, isFinal, closed) => this.#parts(chain, isFinal, closed),
      // Nothing can be taken back.
      remove: async () => undefined,
      failureOf: asDeliveryError,
      idOf: String,
      isPaced: () => !outbox.mayRefresh(place.target),
      duration: { ms: timing.streamMs, close: (id) => this.#close(String(id)) },
    });
  }

  async update(chain: MessageChain): Promise<void> {
    // Only answers can be streams.
    if (this.#place.reqId !== null) await this.#message.update(chain);
  }

  async finish(chain: MessageChain): Promise<SentMessage> {
    const sent = await this.#message.finish(chain);
    return sent.platform_message_id === fileDigest ? {} : sent;
  }

  abandon(): Promise<void> {
    return this.#message.abandon();
  }

  /** Of a message that grows, the texts before its first file. */
  #parts(chain: MessageChain, isFinal: boolean, closed: number): MessagePart[] {
    const parts: MessagePart[] = [];
    const rendered = renderChain(chain);
    for (const [offset, part] of rendered.entries()) {
      const index = closed + offset;
      if ('text' in part) {
        // A stream ends before another one begins.
        const isLast = offset === rendered.length - 1;
        const finish = isFinal || !isLast;
        parts.push(this.#textPart(part.text, index, finish));
        // The long connection takes no pictures in streams.
        if (finish) parts.push(...part.pictures.map((file) => this.#filePart(file)));
      } else if (!isFinal) break;
      else parts.push(this.#filePart(part.file));
    }
    return parts;
  }

  #textPart(content: string, index: number, finish: boolean): MessagePart {
    const { outbox, token, questionId, progress } = this.#options;
    const place = this.#place;
    const id = `${token}-${index}`;
    const show = async (shownId: string, first: { feedback?: string } = {}) => {
      await outbox.stream(place, { id: shownId, content, finish, ...first });
      this.#shown.set(shownId, content);
    };
    return {
      digest: digestOf([content, finish]),
      send: async (): Promise<MessageId> => {
        try {
          if (place.reqId !== null) {
            await show(id, { feedback: feedbackId(id, questionId) });
            return id;
          }
        } catch (error) {
          if (!isRefusal(error, 'unknownRequest') || !finish) throw error;
        }
        // The platform does not know the question any more.
        await outbox.post({ ...place, reqId: null }, { msgtype: 'markdown', markdown: { content } });
        return fileDigest;
      },
      edit: async (known, shownDigest) => {
        // What is shown stays, and the whole text follows in another message.
        if (known === fileDigest || shownDigest === fileDigest) throw unchangeable();
        try {
          await show(String(known));
        } catch (error) {
          // An interrupted attempt may have finished it.
          if (progress.isInterrupted && isRefusal(error, 'endedStream')) throw interrupted();
          throw error;
        }
        return true;
      },
    };
  }

  #filePart(file: FileElement): MessagePart {
    const { outbox } = this.#options;
    return {
      digest: fileDigest,
      send: async () => {
        await outbox.post(this.#place, await outbox.upload(file));
        return fileDigest;
      },
      edit: () => Promise.reject(unchangeable()),
    };
  }

  async #close(id: string): Promise<void> {
    const content = this.#shown.get(id);
    if (content !== undefined) await this.#options.outbox.stream(this.#place, { id, content, finish: true });
  }
}

function unchangeable(): DeliveryError {
  return new DeliveryError('refused', 'platform_failed', 'WeCom can only change a message while it is streamed');
}

function interrupted(): DeliveryError {
  return new DeliveryError('unknown', 'interrupted', 'It is unknown whether the message was completed');
}
