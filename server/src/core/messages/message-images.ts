import { type MediaContent, ParleyError, problemError } from '@parley/sdk';
import { BoundedConcurrency } from '../../lib/bounded-concurrency.ts';
import { fingerprint } from '../../lib/token.ts';
import { maximumFileSize } from '../files/file.ts';
import { imageExtensionOf } from '../files/image-type.ts';
import type { MediaReader } from '../files/media-reader.ts';
import { mediaTypeOf } from '../files/media-type.ts';
import type { MessageReader } from './message-reader.ts';

/** Images that were fetched lately. Keys are hexadecimal. */
export interface ImageCache {
  /** Null when the image is not there, or has become too old. */
  read(key: string): Promise<Uint8Array | null>;
  write(key: string, bytes: Uint8Array): Promise<void>;
}

export interface MessageImagesOptions {
  messages: Pick<MessageReader, 'find'>;
  /** Reads addresses under the policy for content. */
  media: Pick<MediaReader, 'read'>;
  cache: ImageCache;
}

/** Images that are fetched at the same time, each up to 10 MB, and requests that wait for that. */
const turns = { limit: 4, longestQueue: 64 };
const retryAfterSeconds = 5;

/**
 * The images of stored messages, local or remote. Callers name the element; the service makes the request, so no
 * browser reveals itself to an address from a message.
 */
export class MessageImages {
  readonly #options: MessageImagesOptions;
  readonly #turns = new BoundedConcurrency(turns);

  constructor(options: MessageImagesOptions) {
    this.#options = options;
  }

  /**
   * @param index of the element in the chain of the message, from 0
   * @throws ParleyError `not_found`, `address_not_allowed`, `too_large`, `image_unavailable` or `too_many_requests`
   */
  async load(messageUuid: string, index: number, signal: AbortSignal): Promise<MediaContent> {
    const { messages, cache } = this.#options;
    const found = await messages.find(messageUuid);
    const element = found?.message.message_chain[index];
    if (element?.type !== 'Image') throw problemError('message_image_not_found');
    const key = fingerprint(JSON.stringify([messageUuid, index, element.url]));
    const cached = element.url ? await cache.read(key) : null;
    if (cached !== null) return { name: 'image', media_type: await mediaTypeOf(cached), bytes: cached };
    const image = await this.#fetch(element, signal);
    // The image is served even when the disk is full.
    if (element.url) await cache.write(key, image.bytes).catch(() => {});
    return image;
  }

  async #fetch(element: Parameters<MediaReader['read']>[0], signal: AbortSignal): Promise<MediaContent> {
    const end = await this.#turns.enter(signal);
    if (end === null) {
      throw problemError('too_many_images', {}, { retryAfterSeconds });
    }
    try {
      const image = await this.#options.media.read(element, signal);
      if (imageExtensionOf(image.media_type) !== null) return image;
      throw unavailable('The content is not a PNG, JPEG, GIF or WebP image');
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ParleyError)) throw unavailable('The image could not be fetched', error);
      if (error.reason === 'not_found') throw unavailable('There is no image at the address', error);
      if (error.reason !== 'too_large') throw error;
      throw problemError('image_too_large', maximumFileSize);
    } finally {
      end();
    }
  }
}

function unavailable(message: string, cause?: unknown): ParleyError {
  return new ParleyError('image_unavailable', message, { cause });
}
