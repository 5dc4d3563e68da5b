import { DeliveryError, type DeliveryTarget, type MessageElement, type PlatformContext } from '@parley/sdk';
import { blobOf, type OutgoingFile, requiredFile } from '../../kit/media/outgoing-file.ts';
import { listOf, objectOf, textOf } from '../../lib/loose-values.ts';
import { asDeliveryError, isVanished, LarkFailure } from './failure.ts';
import type { LarkApi, LarkCall, LarkResponse, Tokens } from './lark-api.ts';
import type { Timing } from './timing.ts';

/** Upload limits, bytes. */
const [largestImage, largestFile] = [10 * 1024 * 1024, 30 * 1024 * 1024];

const messages = '/open-apis/im/v1/messages';

/** Where a message goes, and what it answers. */
export interface Place {
  target: DeliveryTarget;
  /** The message that is replied to; null for none. */
  replyTo: string | null;
  /** Key of the company; null if it does not matter. */
  tenant: string | null;
}

/** What is sent. */
export interface Content {
  msg_type: string;
  /** JSON in a text. */
  content: string;
}

export interface OutboxOptions {
  api: LarkApi;
  tokens: Tokens;
  context: PlatformContext;
  timing: Pick<Timing, 'transferMs'>;
}

/** Writes to chats, one message of the platform at a time, with one attempt each. */
export class Outbox {
  readonly #options: OutboxOptions;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /**
   * @param uuid the platform drops another message with the same one for an hour
   * @returns the id of the message
   */
  async send(place: Place, content: Content, uuid: string): Promise<string> {
    const { replyTo, target } = place;
    const inThread = target.thread_id !== '';
    const anchor = replyTo ?? (inThread ? await this.#firstOf(place) : null);
    if (anchor === null) return this.#create(place, content, uuid);
    const path = `${messages}/${encodeURIComponent(anchor)}/reply`;
    try {
      const json = { ...content, uuid, ...(inThread ? { reply_in_thread: true } : {}) };
      return idIn(await this.call(place, { method: 'POST', path, json, limit: target.session_id }));
    } catch (error) {
      // The question was recalled; in a thread, there is another message to reply to.
      if (!isVanished(error) || (inThread && replyTo === null)) throw error;
      return this.send({ ...place, replyTo: null }, content, uuid);
    }
  }

  /** Removes a message of the bot. */
  async recall(place: Place, id: string): Promise<void> {
    await this.call(place, { method: 'DELETE', path: `${messages}/${encodeURIComponent(id)}`, isRepeatable: true });
  }

  call(place: Pick<Place, 'tenant'>, call: LarkCall): Promise<LarkResponse> {
    const { api, tokens } = this.#options;
    return api.call({ ...call, tokens, tenant: place.tenant });
  }

  /**
   * Uploads a file and returns the message that shows it. Nothing is sent yet, so a failure is never `unknown`.
   * @throws ParleyError `unsupported_element`; DeliveryError
   */
  async upload(place: Place, element: Extract<MessageElement, { type: 'Image' | 'Voice' | 'File' }>): Promise<Content> {
    const { context } = this.#options;
    const limit = { maximumBytes: largestFile, platform: 'Lark' };
    const file = await requiredFile(element, element.type.toLowerCase(), context, limit);
    try {
      if (element.type === 'Image' && file.size <= largestImage) return await this.#uploadImage(place, file);
      return await this.#uploadFile(place, file, element);
    } catch (error) {
      const failure = asDeliveryError(error);
      if (failure.kind !== 'unknown') throw failure;
      throw new DeliveryError('not_sent', failure.reason, `A file was not uploaded: ${failure.message}`);
    }
  }

  async #uploadImage(place: Place, file: OutgoingFile): Promise<Content> {
    const form = new FormData();
    form.set('image_type', 'message');
    form.set('image', await blobOf(file), file.name);
    const { data } = await this.call(place, this.#uploadCall('/open-apis/im/v1/images', form));
    return { msg_type: 'image', content: JSON.stringify({ image_key: textOf(data?.image_key) }) };
  }

  async #uploadFile(place: Place, file: OutgoingFile, element: MessageElement): Promise<Content> {
    const isOpus = element.type === 'Voice' && /\.(opus|ogg)$/i.test(file.name);
    const form = new FormData();
    form.set('file_type', isOpus ? 'opus' : fileTypeOf(file.name));
    form.set('file_name', file.name);
    if (element.type === 'Voice' && element.length !== undefined)
      form.set('duration', String(Math.round(element.length * 1000)));
    form.set('file', await blobOf(file), file.name);
    const { data } = await this.call(place, this.#uploadCall('/open-apis/im/v1/files', form));
    return { msg_type: isOpus ? 'audio' : 'file', content: JSON.stringify({ file_key: textOf(data?.file_key) }) };
  }

  #uploadCall(path: string, body: FormData): LarkCall {
    return { method: 'POST', path, body, timeoutMs: this.#options.timing.transferMs, isRepeatable: true };
  }

  async #create(place: Place, content: Content, uuid: string): Promise<string> {
    const { session_type, session_id } = place.target;
    const query = { receive_id_type: session_type === 'person' ? 'open_id' : 'chat_id' };
    const json = { receive_id: session_id, ...content, uuid };
    return idIn(await this.call(place, { method: 'POST', path: messages, query, json, limit: session_id }));
  }

  /** The message that started a thread: messages reach a thread as replies only. */
  async #firstOf(place: Place): Promise<string> {
    const { thread_id } = place.target;
    const query = { container_id_type: 'thread', container_id: thread_id, page_size: '1' };
    const { data } = await this.call(place, { method: 'GET', path: messages, query });
    const id = textOf(objectOf(listOf(data?.items)[0]).message_id);
    if (id === '') throw new DeliveryError('refused', 'unknown_target', 'Lark: the thread does not exist');
    return id;
  }
}

function idIn({ data }: LarkResponse): string {
  return textOf(data?.message_id);
}

/** Kinds of files that the platform previews, by their extension. */
const previewed = new Map([
  ['mp4', 'mp4'],
  ['pdf', 'pdf'],
  ['doc', 'doc'],
  ['docx', 'doc'],
  ['xls', 'xls'],
  ['xlsx', 'xls'],
  ['ppt', 'ppt'],
  ['pptx', 'ppt'],
]);

function fileTypeOf(name: string): string {
  const [, extension = ''] = /\.([a-z0-9]+)$/i.exec(name) ?? [];
  return previewed.get(extension.toLowerCase()) ?? 'stream';
}

/** Whether a call was refused, and nothing of it was carried out. */
export function isRefused(error: unknown): boolean {
  return error instanceof LarkFailure && error.kind === 'refused';
}
