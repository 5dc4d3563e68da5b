import { createHash } from 'node:crypto';
import { DeliveryError, type DeliveryTarget, type PlatformContext } from '@parley/sdk';
import { rateLimited } from '../../kit/failures/rate-limited.ts';
import { bytesOf, requiredFile } from '../../kit/media/outgoing-file.ts';
import { ChatQuota } from '../../kit/pace/chat-quota.ts';
import { textAt } from '../../kit/services/values.ts';
import { pause } from '../../lib/waiting.ts';
import { asDeliveryError, isRefusal } from './failure.ts';
import type { FrameLink } from './frame-link.ts';
import { pictureType } from './pictures.ts';
import type { FileElement } from './render.ts';
import type { Timing } from './timing.ts';

/** Where a message goes, and what it answers. */
export interface Place {
  target: DeliveryTarget;
  /** Request id of the message that is answered; null for an unsolicited message. */
  reqId: string | null;
}

/** The state of a stream: the whole text so far. */
export interface StreamFrame {
  id: string;
  content: string;
  finish: boolean;
  /** In the first frame: the id under which users judge the answer. */
  feedback?: string;
}

export interface OutboxOptions {
  link: FrameLink;
  context: Pick<PlatformContext, 'readMedia' | 'fetchContent'>;
  timing: Timing;
  closed: AbortSignal;
}

/** Messages into one conversation, and uploads of a bot. @see https://developer.work.weixin.qq.com/document/path/101463 */
const limits = [
  { messages: 30, periodMs: 60_000 },
  { messages: 1000, periodMs: 3_600_000 },
];
/** Messages of the limits that refreshes leave to the ends of answers. */
const reserve = 10;

/** Key of the limits of uploads. */
const uploads = 'uploads';
/** Uploads, bytes and chunks. */
const upload = { chunk: 512 * 1024, chunks: 100, image: 10 * 1024 * 1024, voice: 2 * 1024 * 1024 };
const largestFile = upload.chunk * upload.chunks;

/** Streams whose end is remembered. */
const rememberedEnds = 1000;

/** Writes into conversations, one frame at a time, with one attempt each. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #quota = new ChatQuota(limits);
  /** Streams whose end was sent, perhaps without a response. */
  readonly #ended = new Set<string>();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Whether the limits of a conversation leave room for a refresh. */
  mayRefresh({ session_type, session_id }: DeliveryTarget): boolean {
    return this.#quota.delayOf(`${session_type} ${session_id}`, reserve) === 0;
  }

  /** Waits until another message may be sent. @throws the signal's reason */
  async awaitTurn({ session_type, session_id }: DeliveryTarget, signal: AbortSignal): Promise<void> {
    const chat = `${session_type} ${session_id}`;
    for (let wait = this.#quota.delayOf(chat); wait > 0; wait = this.#quota.delayOf(chat)) {
      await pause(wait, signal);
      signal.throwIfAborted();
    }
  }

  /**
   * Shows a stream as it is now. The same frame again does no harm.
   * @throws DeliveryError; `refused` when the stream has ended, or the request id is not known
   */
  async stream(place: Place, { id, content, finish, feedback }: StreamFrame): Promise<void> {
    const judged = feedback === undefined ? {} : { feedback: { id: feedback } };
    const body = { msgtype: 'stream', stream: { id, finish, content, ...judged } };
    const wasEnded = this.#ended.has(id);
    if (finish) this.#noteEnd(id);
    try {
      await this.#inRoom(place, 'aibot_respond_msg', body, { reqId: place.reqId, isRepeatable: true });
    } catch (error) {
      // An earlier attempt arrived, although no response came.
      if (finish && wasEnded && isRefusal(error, 'endedStream')) return;
      if (wasEnded && isRefusal(error, 'unknownRequest')) {
        throw new DeliveryError('unknown', 'platform_failed', 'It is unknown whether WeCom took the end of the answer');
      }
      const failure = asDeliveryError(error);
      if (failure.kind !== 'unknown' && !wasEnded) this.#ended.delete(id);
      throw failure;
    }
  }

  /** Sends a message that is no stream: as an answer while the platform knows its question, else unsolicited. */
  async post(place: Place, body: Record<string, unknown>): Promise<void> {
    if (place.reqId !== null) {
      try {
        await this.#inRoom(place, 'aibot_respond_msg', body, { reqId: place.reqId });
        return;
      } catch (error) {
        if (!isRefusal(error, 'unknownRequest')) throw error;
      }
    }
    const { session_type, session_id: chatid } = place.target;
    const chat_type = session_type === 'person' ? 1 : 2;
    await this.#inRoom(place, 'aibot_send_msg', { chatid, chat_type, ...body });
  }

  /** Answers the event that a user opened the chat, within 5 seconds. */
  async greet(reqId: string, text: string): Promise<void> {
    await this.#request('aibot_respond_welcome_msg', { msgtype: 'text', text: { content: text } }, { reqId });
  }

  /**
   * Uploads a file and returns the message that shows it. Nothing is sent yet, so a failure is never `unknown`.
   * @throws ParleyError `unsupported_element`; DeliveryError
   */
  async upload(element: FileElement): Promise<Record<string, unknown>> {
    const { context, closed } = this.#options;
    const options = { maximumBytes: largestFile, platform: 'WeCom', signal: closed };
    const file = await requiredFile(element, element.type.toLowerCase(), context, options);
    const bytes = await bytesOf(file);
    const type = mediaTypeOf(element, file.name, bytes);
    try {
      const media_id = await this.#uploaded(type, file.name, bytes);
      return { msgtype: type, [type]: { media_id } };
    } catch (error) {
      const failure = asDeliveryError(error);
      if (failure.kind !== 'unknown') throw failure;
      throw new DeliveryError('not_sent', failure.reason, `A file was not uploaded: ${failure.message}`);
    }
  }

  async #uploaded(type: string, filename: string, bytes: Buffer): Promise<string> {
    const { timing } = this.#options;
    const total_chunks = Math.ceil(bytes.length / upload.chunk);
    const md5 = createHash('md5').update(bytes).digest('hex');
    const begin = { type, filename: filename.slice(0, 200), total_size: bytes.length, total_chunks, md5 };
    const begun = await this.#limited(uploads, () => this.#request('aibot_upload_media_init', begin));
    const upload_id = textAt(begun, 'upload_id');
    for (let chunk_index = 0; chunk_index < total_chunks; chunk_index += 1) {
      const start = chunk_index * upload.chunk;
      const base64_data = bytes.subarray(start, start + upload.chunk).toString('base64');
      const chunk = { upload_id, chunk_index, base64_data };
      await this.#request('aibot_upload_media_chunk', chunk, { timeoutMs: timing.transferMs });
    }
    return textAt(await this.#request('aibot_upload_media_finish', { upload_id }), 'media_id');
  }

  async #request(...given: Parameters<FrameLink['request']>): ReturnType<FrameLink['request']> {
    try {
      return await this.#options.link.request(...given);
    } catch (error) {
      throw asDeliveryError(error);
    }
  }

  /** Sends a message within the limits of its conversation. @throws DeliveryError `quota` */
  async #inRoom({ target }: Place, ...request: Parameters<FrameLink['request']>): Promise<void> {
    await this.#limited(`${target.session_type} ${target.session_id}`, () => this.#request(...request));
  }

  /** Makes a call within limits, after a short wait. @throws DeliveryError `not_sent`, `quota` after a long one */
  async #limited<Result>(key: string, call: () => Promise<Result>): Promise<Result> {
    const { timing, closed } = this.#options;
    const pauseMs = this.#quota.delayOf(key);
    if (pauseMs > timing.quotaWaitMs) {
      const what = key === uploads ? 'files of a bot' : 'messages in a conversation';
      throw rateLimited(`WeCom takes 30 ${what} a minute and 1,000 an hour`, { pauseMs, scope: 'chat' });
    }
    if (pauseMs > 0) await pause(pauseMs, closed);
    const undo = this.#quota.count(key);
    try {
      return await call();
    } catch (error) {
      if (error instanceof DeliveryError && error.kind === 'not_sent') undo();
      throw error;
    }
  }

  #noteEnd(id: string): void {
    if (this.#ended.size >= rememberedEnds) {
      for (const oldest of [...this.#ended].slice(0, rememberedEnds / 2)) this.#ended.delete(oldest);
    }
    this.#ended.add(id);
  }
}

/** Pictures and voice messages of other formats, or larger ones, are sent as files. */
function mediaTypeOf(element: FileElement, name: string, bytes: Buffer): 'image' | 'voice' | 'file' {
  if (element.type === 'Image' && bytes.length <= upload.image && pictureType(bytes) !== null) return 'image';
  const isAmr = /\.amr$/i.test(name) || bytes.subarray(0, 5).toString('latin1') === '#!AMR';
  return element.type === 'Voice' && isAmr && bytes.length <= upload.voice ? 'voice' : 'file';
}
