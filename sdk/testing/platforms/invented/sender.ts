import { DeliveryError } from '../../../src/delivery-error.ts';
import { ParleyError } from '../../../src/errors.ts';
import type { MessageChain } from '../../../src/message-chain.ts';
import type { DeliveryTarget, OutgoingMessage, PlatformContext } from '../../../src/platform.ts';
import type { InventedApi } from './api.ts';
import type { Shared } from './config.ts';
import { type Rendered, render } from './render.ts';

/** An outgoing message without its content. */
export type Head = Omit<OutgoingMessage, 'message_chain'>;

/** Makes the calls that change chats. */
export class Sender {
  readonly #api: InventedApi;
  readonly #shared: Shared;
  readonly #context: PlatformContext;

  constructor(api: InventedApi, shared: Shared, context: PlatformContext) {
    this.#api = api;
    this.#shared = shared;
    this.#context = context;
  }

  /** @returns the id of the message */
  async send(head: Head, chain: MessageChain): Promise<string> {
    const { text, files, ...rest } = render(chain, this.#shared);
    if (text.trim() === '' && files.length === 0) {
      throw new DeliveryError('refused', 'unsupported_element', 'The message has no content');
    }
    const uploaded: string[] = [];
    for (const file of files) uploaded.push(await this.#upload(file));
    return this.post(head, { text, files: uploaded, ...rest, key: head.idempotency_token });
  }

  /** Sends what a streamed answer holds beside its text. */
  async sendFiles(head: Head, chain: MessageChain): Promise<void> {
    const files = chain.filter(({ type }) => type === 'Image' || type === 'Voice' || type === 'File');
    if (files.length === 0) return;
    const idempotency_token = `${head.idempotency_token}/files`;
    await this.send({ ...head, idempotency_token, reply_to: null }, files);
  }

  /** @param fields of the message beside its chat */
  async post(head: Head, fields: Record<string, unknown>): Promise<string> {
    const { has } = this.#shared;
    const json = { chat: this.chatOf(head.target), reply: replyToken(head), ...fields };
    const send = () => this.#api.call({ path: '/messages', json });
    const again = async (error: unknown) => {
      const isLost = error instanceof DeliveryError && error.kind === 'unknown';
      if (isLost && has('sends again after a lost response')) return this.#postAnew(json);
      if (error instanceof DeliveryError && error.kind === 'refused' && has('repeats a refused send')) return send();
      throw error;
    };
    const { id } = await send().catch(again);
    return String(id);
  }

  async edit(id: string, text: string, open: boolean): Promise<void> {
    await this.#api.call({ method: 'PATCH', path: `/messages/${id}`, json: { text, open }, isRepeatable: true });
  }

  /** Begins a stream that the platform polls; nothing happens if it has begun. */
  async beginPull(head: Head): Promise<void> {
    const json = { chat: this.chatOf(head.target), reply: replyToken(head), id: head.uuid };
    await this.#api.call({ path: '/streams', json, isRepeatable: true });
  }

  async showTyping(target: DeliveryTarget): Promise<void> {
    await this.#api.call({ path: '/typing', json: { chat: this.chatOf(target) } });
  }

  chatOf({ session_type: kind, session_id: id, thread_id }: DeliveryTarget) {
    return { kind, id, thread: this.#shared.has('loses threads') ? '' : thread_id };
  }

  #postAnew(json: Record<string, unknown>) {
    return this.#api.call({ path: '/messages', json: { ...json, reply: undefined, key: String(Math.random()) } });
  }

  async #upload(file: Rendered['files'][number]): Promise<string> {
    const content = await this.#contentOf(file);
    if (content.length === 0) throw new ParleyError('unsupported_element', 'A file of the message has no content');
    const name = file.type === 'File' ? (file.name ?? '') : '';
    const query = new URLSearchParams({ kind: file.type.toLowerCase(), name });
    const { id } = await this.#api.call({ path: `/files?${query}`, body: content, isRepeatable: true });
    return String(id);
  }

  async #contentOf({ base64, path, url }: Rendered['files'][number]): Promise<Uint8Array> {
    if (base64) return Buffer.from(base64, 'base64');
    const media = path ? await this.#context.readMedia(path) : null;
    if (media !== null) return readAll(media.content);
    if (!url) return new Uint8Array();
    const response = await this.#context.fetchContent(url).catch((error: Error) => {
      for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
        if (cause instanceof ParleyError) throw cause;
      }
      throw new DeliveryError('not_sent', 'platform_failed', 'The address of a file does not answer');
    });
    return readAll(response.body ?? []);
  }
}

function replyToken({ reply_to }: Head): unknown {
  return (reply_to?.context as { token?: unknown } | undefined)?.token;
}

async function readAll(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
