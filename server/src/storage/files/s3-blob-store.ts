import type { Readable } from 'node:stream';
import type { S3 } from '@aws-sdk/client-s3';
import type { BlobStore, WrittenBlob } from '../../core/files/file-store.ts';
import { type MarkedStore, markName } from '../../core/files/store-mark.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import { BlobDigest } from './blob-digest.ts';
import { bucketError, isAnswer, missingFile } from './bucket-error.ts';
import { PartBuffer } from './part-buffer.ts';
import { uncollectedBuffers } from './uncollected-buffers.ts';
import { wholeBlob } from './whole-blob.ts';

/** An S3-compatible bucket. */
export interface Bucket {
  name: string;
  /** URL of the service; null for Amazon's. */
  endpoint: string | null;
  region: string;
  /** Null: the SDK looks for credentials in the environment, in files and at the services of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Start of the name of every object, such as `parley/`. */
  prefix: string;
  /** Whether the bucket is in the path of URLs, not in their host. */
  pathStyle: boolean;
}

/** Milliseconds; tests shorten them. */
export interface BucketPatience {
  /** Until a connection stands. */
  connect: number;
  /** Until a request is answered, and between two chunks of a file that is read. */
  answer: number;
}

const defaultPatience: BucketPatience = { connect: 5000, answer: 30_000 };
/** How often the SDK sends a request that fails: 90 s at most with {@link defaultPatience}, and its pauses. */
const attempts = 3;
/** Files that clients read slowly keep a connection each. */
const maximumConnections = 256;
/** A multipart upload that began before that has lost its writer, milliseconds. */
const abandonedMs = 24 * 3_600_000;
/** Names the writer of a multipart upload in the metadata of the object. */
const writerKey = 'upload';

/** A multipart upload that was begun. */
interface Upload {
  Key: string;
  UploadId: string;
  /** In the metadata of the object, once it is complete. */
  writer: string;
  parts: { PartNumber: number; ETag: string | undefined }[];
}

/**
 * Blobs as objects of an S3-compatible bucket, `<prefix><key>`. What is larger than 5 MiB is a multipart upload: neither
 * it nor a smaller object is visible before it is complete. Nothing is connected, and the SDK not loaded, before the first request.
 */
export class S3BlobStore implements BlobStore, MarkedStore {
  readonly #bucket: Bucket;
  readonly #patience: BucketPatience;
  #client: Promise<S3> | undefined;

  constructor(bucket: Bucket, patience: BucketPatience = defaultPatience) {
    this.#bucket = bucket;
    this.#patience = patience;
  }

  get place(): string {
    const { name, prefix } = this.#bucket;
    return prefix === '' ? `the bucket ${name}` : `the bucket ${name} below ${prefix}`;
  }

  async write(key: string, content: AsyncIterable<Uint8Array>): Promise<WrittenBlob> {
    const Key = this.#objectName(key);
    const digest = new BlobDigest();
    const part = new PartBuffer();
    let upload: Upload | null = null;
    let mayBeStored = false;
    try {
      for await (const chunk of content) {
        digest.add(chunk);
        for (let rest = chunk; rest.byteLength > 0; rest = rest.subarray(part.add(rest))) {
          if (!part.isFull) continue;
          upload ??= await this.#begin(Key);
          await this.#sendPart(upload, part);
        }
        uncollectedBuffers.add(chunk.byteLength);
      }
      if (upload !== null) await this.#sendPart(upload, part);
      mayBeStored = true;
      if (upload !== null) await this.#complete(upload);
      else await this.#put(Key, part.content);
    } catch (error) {
      await this.#discard(Key, upload, mayBeStored);
      throw error;
    }
    return digest.result();
  }

  read(key: string, size: number): AsyncIterable<Uint8Array> {
    return wholeBlob(this.#lazily(this.#objectName(key)), size);
  }

  async delete(key: string): Promise<void> {
    const Key = this.#objectName(key);
    await this.#send('A file could not be deleted', (s3, Bucket) => s3.deleteObject({ Bucket, Key }));
  }

  async has(key: string): Promise<boolean> {
    return (await this.#metadata(this.#objectName(key))) !== null;
  }

  async installation(): Promise<string | null> {
    const Key = this.#bucket.prefix + markName;
    try {
      return await this.#send('The bucket cannot be read', async (s3, Bucket) => {
        const { Body } = await s3.getObject({ Bucket, Key });
        return (await Body?.transformToString())?.trim() ?? null;
      });
    } catch (error) {
      if (isAnswer(error, 'NoSuchKey')) return null;
      throw error;
    }
  }

  async mark(installation: string): Promise<void> {
    await this.#put(this.#bucket.prefix + markName, Buffer.from(`${installation}\n`));
  }

  /**
   * Aborts multipart uploads of this store that began a day ago: their parts take room in the bucket and are not visible.
   * @returns how many, at most `limit`
   */
  async abortAbandoned(limit: number): Promise<number> {
    const before = Date.now() - abandonedMs;
    const { prefix } = this.#bucket;
    let [aborted, KeyMarker, UploadIdMarker] = [0, undefined as string | undefined, undefined as string | undefined];
    do {
      const page = await this.#send('The uploads that are left could not be listed', (s3, Bucket) =>
        s3.listMultipartUploads({ Bucket, Prefix: prefix, KeyMarker, UploadIdMarker }),
      );
      for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
        // Others may use the bucket as well.
        const isOurs = Key.startsWith(prefix) && isUuid(Key.slice(prefix.length));
        if (!isOurs || UploadId === undefined || Initiated === undefined || Initiated.getTime() > before) continue;
        await this.#abort({ Key, UploadId });
        aborted += 1;
        if (aborted === limit) return aborted;
      }
      [KeyMarker, UploadIdMarker] = page.IsTruncated ? [page.NextKeyMarker, page.NextUploadIdMarker] : [];
    } while (KeyMarker !== undefined);
    return aborted;
  }

  /** Closes its connections. */
  async close(): Promise<void> {
    (await this.#client)?.destroy();
  }

  /** Requests nothing before the first read: a stream that is never read would leave its connection open. */
  async *#lazily(Key: string): AsyncIterable<Uint8Array> {
    const failed = 'A file could not be read';
    const { Body } = await this.#send(failed, (s3, Bucket) => s3.getObject({ Bucket, Key })).catch((error) => {
      throw isAnswer(error, 'NoSuchKey') ? missingFile(Key) : error;
    });
    // In Node.js, the SDK gives the response itself.
    const body = Body as Readable;
    const { answer } = this.#patience;
    const silent = () => void body.destroy(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' }));
    let timer = setTimeout(silent, answer);
    try {
      for await (const chunk of body) {
        // While the reader is busy, nothing has to arrive.
        clearTimeout(timer);
        yield chunk;
        timer = setTimeout(silent, answer);
      }
    } catch (error) {
      throw bucketError(failed, error);
    } finally {
      clearTimeout(timer);
      body.destroy();
    }
  }

  async #put(Key: string, Body: Uint8Array): Promise<void> {
    await this.#send('A file could not be stored', (s3, Bucket) => s3.putObject({ Bucket, Key, Body }));
  }

  async #begin(Key: string): Promise<Upload> {
    const writer = newUuid();
    const { UploadId = '' } = await this.#send('A file could not be stored', (s3, Bucket) =>
      s3.createMultipartUpload({ Bucket, Key, Metadata: { [writerKey]: writer } }),
    );
    return { Key, UploadId, writer, parts: [] };
  }

  async #sendPart({ Key, UploadId, parts }: Upload, part: PartBuffer): Promise<void> {
    const PartNumber = parts.length + 1;
    const { ETag } = await this.#send('A part of a file could not be stored', (s3, Bucket) =>
      s3.uploadPart({ Bucket, Key, UploadId, PartNumber, Body: part.content }),
    );
    parts.push({ PartNumber, ETag });
    part.clear();
  }

  async #complete({ Key, UploadId, writer, parts }: Upload): Promise<void> {
    const MultipartUpload = { Parts: parts };
    try {
      await this.#send('A file could not be completed', (s3, Bucket) =>
        s3.completeMultipartUpload({ Bucket, Key, UploadId, MultipartUpload }),
      );
    } catch (error) {
      // An earlier attempt completed it, and its response was lost.
      if (!isAnswer(error, 'NoSuchUpload') || (await this.#metadata(Key))?.[writerKey] !== writer) throw error;
    }
  }

  /** Leaves nothing of a write that failed. What the bucket does not remove either is found by {@link abortAbandoned}. */
  async #discard(Key: string, upload: Upload | null, mayBeStored: boolean): Promise<void> {
    const abortSignal = AbortSignal.timeout(this.#patience.connect);
    const remove = () =>
      this.#send('A file could not be deleted', (s3, Bucket) => s3.deleteObject({ Bucket, Key }, { abortSignal }));
    // The write has failed already: what fails here is no other failure.
    if (upload !== null) await this.#abort(upload, abortSignal).catch(() => {});
    if (mayBeStored) await remove().catch(() => {});
  }

  async #abort({ Key, UploadId }: Pick<Upload, 'Key' | 'UploadId'>, abortSignal?: AbortSignal): Promise<void> {
    try {
      await this.#send('An upload could not be aborted', (s3, Bucket) =>
        s3.abortMultipartUpload({ Bucket, Key, UploadId }, abortSignal === undefined ? {} : { abortSignal }),
      );
    } catch (error) {
      if (!isAnswer(error, 'NoSuchUpload')) throw error;
    }
  }

  /** The metadata of an object; null when there is none. */
  async #metadata(Key: string): Promise<Record<string, string> | null> {
    try {
      const { Metadata = {} } = await this.#send('The bucket cannot be read', (s3, Bucket) =>
        s3.headObject({ Bucket, Key }),
      );
      return Metadata;
    } catch (error) {
      if (isAnswer(error, 'NotFound', 'NoSuchKey')) return null;
      throw error;
    }
  }

  /** @throws StorageError that starts with `failed` */
  async #send<Result>(failed: string, request: (s3: S3, bucket: string) => Promise<Result>): Promise<Result> {
    this.#client ??= openClient(this.#bucket, this.#patience);
    const s3 = await this.#client;
    try {
      return await request(s3, this.#bucket.name);
    } catch (error) {
      throw bucketError(failed, error);
    }
  }

  /** Only uuids are valid keys; anything else could name another object. */
  #objectName(key: string): string {
    if (!isUuid(key)) throw new RangeError('a blob key must be a uuid');
    return this.#bucket.prefix + key;
  }
}

/**
 * The SDK is loaded on use: it takes memory and time at start. It connects by itself, without the rules for addresses
 * that records name: the operator configured this one, and it may be private. It does not follow redirects.
 */
async function openClient(bucket: Bucket, { connect, answer }: BucketPatience): Promise<S3> {
  const { S3 } = await import('@aws-sdk/client-s3');
  const agent = { keepAlive: true, maxSockets: maximumConnections };
  return new S3({
    region: bucket.region,
    forcePathStyle: bucket.pathStyle,
    ...(bucket.endpoint === null ? {} : { endpoint: bucket.endpoint }),
    ...(bucket.credentials === null ? {} : { credentials: bucket.credentials }),
    maxAttempts: attempts,
    retryMode: 'standard',
    // Services other than Amazon's may not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Some of them, and proxies in between, never send the permission that is waited for.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connect,
      requestTimeout: answer,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}
