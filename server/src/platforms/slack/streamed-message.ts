import {
  DeliveryError,
  type MessageChain,
  type MessageStream,
  type PlatformContext,
  type RepliedMessage,
  type SendProgress,
} from '@parley/sdk';
import { requiredFile } from '../../kit/media/outgoing-file.ts';
import type { ChatPace } from '../../kit/pace/chat-pace.ts';
import { digestOf } from '../../kit/streams/digest.ts';
import { GrowingMessage, type MessagePart } from '../../kit/streams/growing-message.ts';
import { asDeliveryError, isRefusal } from './failure.ts';
import { type History, markOfStream } from './history.ts';
import { addressOf, isStreamId, type Place, platformMessageId } from './message-id.ts';
import type { Outbox } from './outbox.ts';
import { type RenderedPart, renderChain } from './render.ts';
import type { ThreadStreams } from './thread-streams.ts';
import type { Timing } from './timing.ts';

export interface StreamedMessageOptions {
  place: Place;
  outbox: Outbox;
  streams: ThreadStreams;
  history: History;
  /** The message that it answers; null if none is known. */
  question: RepliedMessage | null;
  pace: ChatPace;
  timing: Pick<Timing, 'editMs' | 'appendMs' | 'streamMs'>;
  progress: SendProgress;
  context: Pick<PlatformContext, 'readMedia' | 'fetchContent'>;
}

type Text = Extract<RenderedPart, { text: string }>;

const fileDigest = 'file';
/** How much our clock may differ from that of Slack, seconds. */
const clockTolerance = 600;

/**
 * An outgoing message in a channel of Slack, which may be several messages there. In a thread, a text that grows is a
 * stream; elsewhere, and where Slack takes no stream, it is edited.
 */
export function streamedMessage(options: StreamedMessageOptions): MessageStream {
  const { place, streams, history, question, pace, timing, progress } = options;
  const message = new StreamedMessage(options);
  const isStream = streams.isOffered(place, question);
  const key = `${place.channel}/${place.thread_ts ?? ''}`;
  const interval = isStream ? timing.appendMs : timing.editMs;
  const common = {
    progress,
    parts: (chain: MessageChain, isFinal: boolean) => message.parts(chain, isFinal),
    remove: (id: string | number) => message.remove(String(id)),
    find: (mark: string, since: Date) => history.find(place, mark, oldestOf(place, question, since)),
    failureOf: asDeliveryError,
    idOf: (id: string | number) => platformMessageId(String(id)),
    isPaced: () => !pace.take(key, interval),
  };
  if (!isStream) return new GrowingMessage(common);
  const duration = { ms: timing.streamMs, close: (id: string | number) => message.end(String(id)) };
  return new GrowingMessage({ ...common, duration });
}

/** Since when an answer may be in a channel: since its question, by Slack's clock, or by ours with a tolerance. */
function oldestOf({ channel }: Place, question: RepliedMessage | null, since: Date): string {
  const asked = addressOf(question?.platform_message_id ?? '');
  return asked.channel === channel ? asked.ts : String(since.getTime() / 1000 - clockTolerance);
}

class StreamedMessage {
  readonly #options: StreamedMessageOptions;
  /** Streams, with the text that they show; null for those that ended. One of an earlier attempt is not among them. */
  readonly #shown = new Map<string, string | null>();

  constructor(options: StreamedMessageOptions) {
    this.#options = options;
  }

  /** Of a message that grows, the texts before its first file. */
  async parts(chain: MessageChain, isFinal: boolean): Promise<MessagePart[]> {
    const { context, outbox, place, streams, question } = this.#options;
    const rendered = renderChain(chain);
    const isStream = !isFinal && streams.isOffered(place, question);
    const parts: MessagePart[] = [];
    for (const [index, part] of rendered.entries()) {
      if ('text' in part) parts.push(this.#textPart(part, isStream && index === rendered.length - 1));
      else if (!isFinal) break;
      else {
        const file = await requiredFile(part.file, part.kind, context);
        parts.push({
          digest: fileDigest,
          send: () => outbox.postFile(place, file),
          edit: async () => false,
        });
      }
    }
    return parts;
  }

  async remove(id: string): Promise<void> {
    await this.end(id);
    await this.#options.outbox.remove(id);
  }

  /** Ends a stream where it stands. */
  async end(id: string): Promise<void> {
    if (!isStreamId(id) || this.#shown.get(id) === null) return;
    try {
      await this.#options.streams.stop(id);
    } catch (error) {
      // It has ended by itself, or an edit says why it cannot be changed.
      if (!isRefusal(error)) throw error;
    }
    this.#shown.set(id, null);
  }

  /** @param isOpen more of the text is to come in this message */
  #textPart(part: Text, isOpen: boolean): MessagePart {
    const { text, markdown } = part;
    const digests = { open: digestOf([text, 'open']), complete: digestOf(text) };
    const message: MessagePart = {
      digest: isOpen ? digests.open : digests.complete,
      send: (mark) => this.#send(part, mark, isOpen),
      edit: async (shown, shownDigest) => {
        const id = String(shown);
        if (shownDigest === fileDigest) return false;
        if (isStreamId(id)) return this.#change(id, part, isOpen);
        const isShown = shownDigest === digests.open || shownDigest === digests.complete;
        return isShown || this.#options.outbox.edit(id, { text });
      },
    };
    if (isOpen) message.mark = markOfStream(markdown);
    return message;
  }

  async #send({ text, markdown }: Text, mark: string, isOpen: boolean): Promise<string> {
    const { place, outbox, streams, question } = this.#options;
    const id = isOpen && question !== null ? await streams.start(place, question.sender_id, markdown) : null;
    if (id === null) return outbox.post(place, text, mark);
    this.#shown.set(id, markdown);
    return id;
  }

  /** @returns false when the message cannot be changed any more */
  async #change(id: string, { markdown }: Text, isOpen: boolean): Promise<boolean> {
    const shown = this.#shown.get(id) ?? null;
    if (shown !== null && markdown.startsWith(shown) && (await this.#continue(id, markdown, shown, isOpen)))
      return true;
    // What Slack streams can be edited only afterwards.
    await this.end(id);
    return this.#options.outbox.edit(id, { markdown_text: markdown });
  }

  /** @returns false when Slack adds nothing to it: most likely it ended the stream */
  async #continue(id: string, markdown: string, shown: string, isOpen: boolean): Promise<boolean> {
    const { streams } = this.#options;
    const rest = markdown.slice(shown.length);
    try {
      if (!isOpen) await streams.stop(id, rest);
      else if (rest !== '') await streams.append(id, rest);
    } catch (error) {
      const isUnchanged = error instanceof DeliveryError && error.kind === 'not_sent';
      if (!isUnchanged) this.#shown.delete(id);
      if (isRefusal(error) && !isRefusal(error, 'stopped_by_user')) return false;
      throw error;
    }
    this.#shown.set(id, isOpen ? markdown : null);
    return true;
  }
}
