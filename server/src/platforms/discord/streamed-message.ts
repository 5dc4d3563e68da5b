import type { MessageChain, MessageStream, PlatformContext, SendProgress, SentMessage } from '@parley/sdk';
import type { ChatPace } from '../../kit/pace/chat-pace.ts';
import { digestOf } from '../../kit/streams/digest.ts';
import { GrowingMessage, type MessagePart } from '../../kit/streams/growing-message.ts';
import { asDeliveryError, errorCodes, isRefusal } from './failure.ts';
import type { Format } from './markdown.ts';
import { nonceOf, type Outbox, type ReadyDraft } from './outbox.ts';
import { type Draft, renderChain } from './render.ts';
import { prepareFiles } from './uploads.ts';

export interface StreamedMessageOptions {
  /** Finds the channel, which may have to be opened first. */
  channel(): Promise<string>;
  /** Names the chat for its limits. */
  chat: string;
  idempotencyToken: string;
  outbox: Outbox;
  pace: ChatPace;
  format: Format;
  /** Least time between two edits, milliseconds. */
  intervalMs: number;
  progress: SendProgress;
  context: Pick<PlatformContext, 'readMedia' | 'fetchContent'>;
}

/** An outgoing message in a channel, which may be several messages there. */
export class StreamedMessage implements MessageStream {
  readonly #options: StreamedMessageOptions;
  readonly #message: GrowingMessage;

  constructor(options: StreamedMessageOptions) {
    const { progress, outbox, pace, chat, intervalMs, channel } = options;
    this.#options = options;
    this.#message = new GrowingMessage({
      progress,
      parts: (chain, isFinal) => this.#parts(chain, isFinal),
      remove: async (id) => outbox.delete(await channel(), String(id)),
      failureOf: asDeliveryError,
      idOf: String,
      isPaced: () => !pace.take(chat, intervalMs),
    });
  }

  /** Shows the text so far, unless it is too early for another edit: then a later one shows more. */
  async update(chain: MessageChain): Promise<void> {
    const { pace, chat } = this.#options;
    try {
      await this.#message.update(chain);
    } catch (error) {
      const { rateLimit } = asDeliveryError(error);
      if (rateLimit !== undefined) pace.pause(chat, rateLimit.pauseMs ?? 0);
      throw error;
    }
  }

  /** @throws DeliveryError when the whole message is not, or may not be, in the channel */
  async finish(chain: MessageChain): Promise<SentMessage> {
    const { pace, chat, intervalMs } = this.#options;
    try {
      return await this.#message.finish(chain);
    } finally {
      pace.pause(chat, intervalMs);
    }
  }

  /** Of a message that grows, the texts before its first file. */
  async #parts(chain: MessageChain, isFinal: boolean): Promise<MessagePart[]> {
    const { format, context } = this.#options;
    const drafts: { draft: ReadyDraft; digest: string }[] = [];
    for (const draft of renderChain(chain, format)) {
      if (!isFinal && draft.files.length > 0) {
        if (draft.content !== '') drafts.push(withFiles({ ...draft, files: [] }, []));
        break;
      }
      const [first = [], ...others] = await prepareFiles(draft.files, context);
      drafts.push(withFiles(draft, first));
      // More files than one message takes.
      const rest: Draft = { ...draft, content: '', replyTo: null, users: [], everyone: false };
      drafts.push(...others.map((files) => withFiles(rest, files)));
    }
    return drafts.map(({ draft, digest }, index) => this.#part(draft, digest, index));
  }

  #part(draft: ReadyDraft, digest: string, index: number): MessagePart {
    const { outbox, channel, idempotencyToken } = this.#options;
    let place = String(index);
    return {
      digest,
      send: async () => outbox.send(await channel(), draft, nonceOf(idempotencyToken, place)),
      edit: async (id) => {
        try {
          await outbox.edit(await channel(), String(id), draft);
          return true;
        } catch (error) {
          if (!isRefusal(error, errorCodes.unknownMessage, errorCodes.tooManyOldEdits)) throw error;
        }
        // With the nonce of the removed message, Discord would take the new one for it.
        place = `${index}/${id}`;
        return false;
      },
    };
  }
}

function withFiles(draft: Draft, files: ReadyDraft['files']): { draft: ReadyDraft; digest: string } {
  const { content, replyTo, users, everyone } = draft;
  const named = files.map(({ name, size }) => [name, size]);
  return { draft: { content, replyTo, users, everyone, files }, digest: digestOf([content, named]) };
}
