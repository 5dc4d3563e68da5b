import { type MediaContent, type MessageElement, ParleyError } from '@parley/sdk';
import { maximumFileBytes } from './file.ts';
import type { FileService } from './file-service.ts';
import { mediaTypeOf } from './media-type.ts';

/** Reads the files that elements of messages name, wherever they lie. */
export class MediaReader {
  readonly #files: Pick<FileService, 'readMedia'>;
  readonly #fetch: typeof globalThis.fetch;

  /** @param fetch HTTP client for addresses that arrive in content */
  constructor(files: Pick<FileService, 'readMedia'>, fetch: typeof globalThis.fetch) {
    this.#files = files;
    this.#fetch = fetch;
  }

  /**
   * Reads an image, a voice message or a file: stored, inline or remote.
   * @throws ParleyError `not_found`, `too_large` or `address_not_allowed`
   */
  async read(element: MessageElement, signal?: AbortSignal): Promise<MediaContent> {
    if (element.type !== 'Image' && element.type !== 'Voice' && element.type !== 'File') throw notThere();
    const name = (element.type === 'File' ? element.name : '') || element.type.toLowerCase();
    if (element.path) {
      const stored = await this.#files.readMedia(element.path);
      if (stored === null) throw notThere();
      return { name: stored.name, media_type: stored.media_type, bytes: await collect(stored.content) };
    }
    if (element.base64) return this.#described(name, decode(element.base64));
    if (element.url) return this.#described(name, await this.#download(element.url, signal));
    throw notThere();
  }

  async #download(address: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    if (!/^https?:\/\//i.test(address)) throw notThere();
    const limit = AbortSignal.timeout(downloadTimeoutMs);
    const response = await this.#fetch(address, {
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw notThere();
    }
    return collect(response.body);
  }

  async #described(name: string, bytes: Uint8Array): Promise<MediaContent> {
    return { name, media_type: await mediaTypeOf(bytes), bytes };
  }
}

/** Longest time for a file that a message gives the address of, milliseconds. */
const downloadTimeoutMs = 30_000;

function decode(text: string): Uint8Array {
  const data = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text;
  // Base64 is a third longer than its content.
  if (data.length > maximumFileBytes * 1.4) throw tooLarge();
  return Buffer.from(data, 'base64');
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > maximumFileBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function notThere(): ParleyError {
  return new ParleyError('not_found', 'The file of the message is not there');
}

function tooLarge(): ParleyError {
  return new ParleyError('too_large', 'The file of the message is too large');
}
