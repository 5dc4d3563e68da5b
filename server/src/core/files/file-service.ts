import { invalidFields, ParleyError, problemError, type StoredMedia } from '@parley/sdk';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { randomToken } from '../../lib/token.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import { type FilePurpose, fileTooLarge, maximumFileBytes, type StoredFile } from './file.ts';
import { fileKeyBits, isFileKey } from './file-keys.ts';
import type { BlobStore, FileStore } from './file-store.ts';
import { imageExtensionOf } from './image-type.ts';
import { mediaTypeOf } from './media-type.ts';

/** Called when the content is on disk and before the file exists; if it throws, nothing is stored. */
type Verify = () => Promise<void>;

interface NewFile {
  purpose: FilePurpose;
  name: string;
  content: AsyncIterable<Uint8Array>;
  verify: Verify;
  /** Names a file of a type that was found, or refuses it by throwing. */
  accessKey: (mediaType: string) => string | null;
}

/** An image as it is shown. */
export interface ShownImage {
  /** Always one of the types in `image-type.ts`. */
  media_type: string;
  extension: string;
  /** Bytes. */
  size: number;
  /** SHA-256 in hex. */
  sha256: string;
  content: AsyncIterable<Uint8Array>;
}

export interface FileServiceOptions {
  basePath: string;
  /** How long a file waits for the message that it was uploaded for, hours. Default 0: for ever. */
  uploadRetentionHours?: number;
  /** Called before a discarded file is deleted, to delete what was derived from its content. */
  deleting?: (file: Pick<StoredFile, 'sha256'>) => Promise<void>;
}

/** An expired file is kept so much longer, seconds, for a message that found it and is being stored. */
const graceSeconds = 3600;

/**
 * Uploaded documents and images, and attachments of messages: streamed to disk under a generated id, with a hard limit.
 */
export class FileService {
  readonly #store: FileStore;
  readonly #blobs: BlobStore;
  readonly #options: FileServiceOptions;

  constructor(store: FileStore, blobs: BlobStore, options: FileServiceOptions) {
    this.#store = store;
    this.#blobs = blobs;
    this.#options = options;
  }

  /**
   * @returns the new document's id
   * @throws ParleyError `too_large` or `empty_file`
   */
  async storeDocument(name: string, content: AsyncIterable<Uint8Array>, verify: Verify): Promise<string> {
    const { uuid } = await this.#keep({ purpose: 'document', name, content, verify, accessKey: () => null });
    return uuid;
  }

  /**
   * @returns the key that names the image, in the `path` of an element and in its address
   * @throws ParleyError `too_large`, `empty_file`, or `invalid_request` when the content is no image that is taken
   */
  async storeImage(name: string, content: AsyncIterable<Uint8Array>, verify: Verify): Promise<string> {
    const { access_key } = await this.#keep({ purpose: 'unsent', name, content, verify, accessKey: imageKey });
    // An image has a key.
    return access_key as string;
  }

  /**
   * Stores a file that is uploaded to be attached to a message.
   * @param accepts whether files of a name and a media type are taken
   * @throws ParleyError `too_large`, `empty_file` or `unsupported_media_type`
   */
  async storeAttachment(
    name: string,
    content: AsyncIterable<Uint8Array>,
    verify: Verify,
    accepts: (file: Pick<StoredFile, 'name' | 'media_type'>) => boolean,
  ): Promise<StoredMedia> {
    const accessKey = (media_type: string) => {
      if (accepts({ name: displayName(name), media_type })) return randomToken(fileKeyBits);
      throw problemError('file_type_unreadable');
    };
    return this.#toMedia(await this.#keep({ purpose: 'unsent', name, content, verify, accessKey }));
  }

  /**
   * Stores an attachment of a message.
   * @throws ParleyError `too_large` or `empty_file`
   */
  async storeMedia(name: string, content: AsyncIterable<Uint8Array>): Promise<StoredMedia> {
    const verify = async () => undefined;
    const accessKey = () => randomToken(fileKeyBits);
    return this.#toMedia(await this.#keep({ purpose: 'media', name, content, verify, accessKey }));
  }

  /** The file that the `path` of an element names, an upload or an attachment; null when there is none, or it expired. */
  async readMedia(path: string): Promise<(StoredMedia & { content: AsyncIterable<Uint8Array> }) | null> {
    const file = await this.#byAccessKey(path);
    return file === null ? null : { ...this.#toMedia(file), content: this.#blobs.read(file.uuid, file.size) };
  }

  /** The upload with an id; null when there is none, or it was discarded. */
  async document(uuid: string): Promise<(StoredFile & { content: AsyncIterable<Uint8Array> }) | null> {
    const file = isUuid(uuid) ? await this.#store.byUuid(uuid.toLowerCase()) : null;
    return file?.purpose === 'document' ? { ...file, content: this.#blobs.read(file.uuid, file.size) } : null;
  }

  /** Discards an upload that no document of a knowledge base needs. @returns false when one does, or it was deleted */
  discard(uuid: string): Promise<boolean> {
    return this.#store.discard(uuid);
  }

  /**
   * Discards files that were uploaded for a message and expired before it was stored.
   * @returns how many, at most `limit`
   */
  async discardUnsent(limit: number): Promise<number> {
    const expiry = this.#expiry(graceSeconds);
    return expiry === null ? 0 : this.#store.discardUnsent(expiry, limit);
  }

  /**
   * Deletes discarded files. The content goes first: the record identifies what an interrupted deletion left.
   * @returns how many files, at most `limit`
   */
  async removeDiscarded(limit: number): Promise<number> {
    const uuids = await this.#store.discarded(limit);
    for (const uuid of uuids) {
      const file = await this.#store.byUuid(uuid);
      if (file !== null) await this.#options.deleting?.(file);
      await this.#blobs.delete(uuid);
      await this.#store.delete(uuid);
    }
    return uuids.length;
  }

  /**
   * The image with a key, uploaded or attached to a message.
   * @throws ParleyError `not_found` also for a file that is no image
   */
  async image(key: string): Promise<ShownImage> {
    const file = await this.#byAccessKey(key);
    const extension = file === null ? null : imageExtensionOf(file.media_type);
    if (file === null || extension === null) throw problemError('image_not_found');
    const { media_type, size, sha256 } = file;
    return { media_type, extension, size, sha256, content: this.#blobs.read(file.uuid, file.size) };
  }

  /** Malformed keys never reach the database. */
  async #byAccessKey(key: string): Promise<StoredFile | null> {
    const file = isFileKey(key) ? await this.#store.byAccessKey(key) : null;
    return file === null || this.#isGone(file) ? null : file;
  }

  #isGone({ purpose, created_at }: StoredFile): boolean {
    const expiry = this.#expiry();
    return purpose === 'discarded' || (purpose === 'unsent' && expiry !== null && created_at < expiry);
  }

  /** Unsent files from before this have expired; null when they never do. */
  #expiry(grace = 0): string | null {
    const { uploadRetentionHours: hours = 0 } = this.#options;
    return hours === 0 ? null : secondsFromNow(-hours * 3600 - grace);
  }

  #toMedia({ access_key, name, size, media_type }: StoredFile): StoredMedia {
    // Images and media have a key.
    const path = access_key as string;
    const isShown = imageExtensionOf(media_type) !== null;
    return {
      path,
      name,
      size,
      media_type,
      ...(isShown ? { url: `${this.#options.basePath}/api/v1/files/image/${path}` } : {}),
    };
  }

  async #keep({ purpose, name, content, verify, accessKey }: NewFile): Promise<StoredFile> {
    const uuid = newUuid();
    const blob = await this.#blobs.write(uuid, limited(content));
    try {
      await verify();
      if (blob.size === 0) throw new ParleyError('empty_file', 'The file is empty');
      const mediaType = await mediaTypeOf(blob.head);
      const file: StoredFile = {
        uuid,
        name: displayName(name),
        size: blob.size,
        sha256: blob.sha256,
        media_type: mediaType,
        purpose,
        access_key: accessKey(mediaType),
        created_at: now(),
      };
      await this.#store.create(file);
      return file;
    } catch (error) {
      await this.#blobs.delete(uuid);
      throw error;
    }
  }
}

function imageKey(mediaType: string): string {
  const extension = imageExtensionOf(mediaType);
  if (extension === null) {
    throw invalidFields([{ path: 'file', message: 'must be a PNG, JPEG, GIF or WebP image', rule: 'imageType' }]);
  }
  return `${randomToken(fileKeyBits)}.${extension}`;
}

async function* limited(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > maximumFileBytes) {
      throw fileTooLarge();
    }
    yield chunk;
  }
}

/** The last part of whatever path was sent, without characters that would confuse a reader or a header. */
function displayName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim();
  return [...clean].slice(0, 255).join('') || 'unnamed';
}
