import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type S3Fault,
  type S3Request,
  type S3Server,
  startS3Server,
} from '../../../test/fakes/s3-server/start-s3-server.ts';
import { seededNumbers } from '../../../test/shared/seeded-numbers.ts';
import { blobStoreContract } from '../../../test/stores/blob-store-contract.ts';
import { newUuid } from '../../lib/uuid.ts';
import { type BucketPatience, S3BlobStore } from './s3-blob-store.ts';

const credentials = { accessKeyId: 'the-access-key', secretAccessKey: 'the-secret-key' };
const day = 24 * 3_600_000;
const megabyte = 1024 * 1024;
const opened: S3BlobStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

function open({ endpoint, bucket }: S3Server, prefix = '', patience?: BucketPatience): S3BlobStore {
  const place = { name: bucket, endpoint, region: 'us-east-1', credentials, prefix, pathStyle: true };
  const store = new S3BlobStore(place, patience);
  opened.push(store);
  return store;
}

/** Every tenth request fails, in each of the ways in turn. */
function everyTenth(ways: readonly S3Fault[], isSpared: (request: S3Request) => boolean = () => false) {
  let [requests, faults] = [0, 0];
  return (request: S3Request) => {
    requests += 1;
    if (requests % 10 !== 0 || isSpared(request)) return null;
    faults += 1;
    return ways[faults % ways.length] ?? null;
  };
}

/** The answer that names a new upload: when it is lost, only the chore finds the upload. */
const beginsUpload = ({ method, url }: S3Request) => method === 'POST' && url.searchParams.has('uploads');

async function bucketPlace(prefix: string) {
  const server = await startS3Server();
  return {
    server,
    open: async () => open(server, prefix),
    names: async () => [...server.objects(), ...server.uploads()],
    remove: () => server.stop(),
  };
}

blobStoreContract('A bucket', () => bucketPlace(''));
blobStoreContract('A bucket of which every tenth request fails', async () => {
  const place = await bucketPlace('a/prefix/');
  place.server.fault = everyTenth(['refused', 'cut', 'answer lost', 'slow down'], beginsUpload);
  return place;
});

describe('blobs in a bucket', () => {
  let server: S3Server;
  let blobs: S3BlobStore;
  beforeEach(async () => {
    server = await startS3Server();
    blobs = open(server, 'parley/');
  });
  afterEach(() => server.stop());

  const contentOf = (key: string, size: number, store = blobs) => buffer(store.read(key, size));
  async function* chunks(...parts: Buffer[]) {
    yield* parts;
  }
  const large = () => Array.from({ length: 11 }, () => randomBytes(megabyte));
  const methods = () => server.requests.map(({ method, url }) => `${method} ${[...url.searchParams.keys()].join(' ')}`);

  it('sends one request for what is not larger than a part, and parts for more', async () => {
    await blobs.write(newUuid(), chunks(randomBytes(5 * megabyte)));
    expect(methods()).toEqual(['PUT x-id']);
    await blobs.write(newUuid(), chunks(randomBytes(5 * megabyte), randomBytes(1)));
    expect(methods().slice(1)).toEqual([
      'POST uploads',
      'PUT partNumber uploadId x-id',
      'PUT partNumber uploadId x-id',
      'POST uploadId',
    ]);
    expect(server.objects().every((name) => name.startsWith('parley/'))).toBe(true);
  });

  it('sends no checksum that only Amazon knows, and waits for no permission to send', async () => {
    const key = newUuid();
    await blobs.write(key, chunks(...large()));
    await contentOf(key, 11 * megabyte);
    for (const { headers } of server.requests) {
      const names = Object.keys(headers).filter((name) => /checksum|trailer|expect|sdk-checksum/.test(name));
      expect(names).toEqual([]);
      expect(headers['x-amz-content-sha256']).not.toMatch(/STREAMING/);
    }
  });

  it.each<S3Fault>(['refused', 'slow down', 'cut', 'answer lost'])(
    'has nothing of a write whose requests fail in the end: %s',
    async (fault) => {
      const store = open(server);
      for (const content of [[Buffer.from('small')], large()]) {
        for (const step of [isPut, isPart, isEnd]) {
          const key = newUuid();
          server.fault = (request) => (step(request) ? fault : null);
          const isReached = content.length > 1 ? step !== isPut : step === isPut;
          const writing = store.write(key, chunks(...content));
          if (isReached) {
            await expect(writing).rejects.toMatchObject({ name: 'StorageError', kind: 'unavailable' });
          } else {
            const { size } = await writing;
            await contentOf(key, size, store);
            await store.delete(key);
          }
          expect([server.objects(), server.uploads()]).toEqual([[], []]);
        }
      }
    },
  );

  it('has what was completed although the answer was lost', async () => {
    const key = newUuid();
    let lost = 0;
    server.fault = (request) => {
      if (!isEnd(request) || lost > 0) return null;
      lost += 1;
      return 'answer lost';
    };
    await blobs.write(key, chunks(...large()));
    expect([lost, (await contentOf(key, 11 * megabyte)).length, server.uploads()]).toEqual([1, 11 * megabyte, []]);
  });

  it('fails within the given time when the bucket does not answer, and names no key', async () => {
    const store = open(server, '', { connect: 500, answer: 100 });
    server.fault = () => 'silent';
    const began = performance.now();
    for (const attempt of [
      () => store.write(newUuid(), chunks(Buffer.from('a'))),
      () => contentOf(newUuid(), 1, store),
      () => store.delete(newUuid()),
      () => store.installation(),
    ]) {
      const error = await attempt().then(
        () => null,
        (reason: Error) => reason,
      );
      expect(error).toMatchObject({ name: 'StorageError', kind: 'unavailable', detail: 'files_unreachable' });
      expect(error?.cause).toBeUndefined();
      expect(`${error?.stack}${JSON.stringify(error)}`).not.toMatch(/the-access-key|the-secret-key|Signature=/);
    }
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  it('does not wait for ever for the rest of a file, but as long as needed for its reader', async () => {
    const key = newUuid();
    await blobs.write(key, chunks(randomBytes(4 * megabyte)));
    const store = open(server, 'parley/', { connect: 500, answer: 150 });
    let read = 0;
    for await (const chunk of store.read(key, 4 * megabyte)) {
      if (read === 0) await new Promise((resolve) => setTimeout(resolve, 400));
      read += chunk.byteLength;
    }
    expect(read).toBe(4 * megabyte);
    server.fault = () => 'half answered';
    await expect(contentOf(key, 4 * megabyte, store)).rejects.toMatchObject({ detail: 'files_unreachable' });
  });

  it('says of a file that is not there what a folder says', async () => {
    await expect(contentOf(newUuid(), 1)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('never reads what is half-written while every tenth request fails', { timeout: 120_000 }, async () => {
    const random = seededNumbers(20);
    const ways: S3Fault[] = ['refused', 'cut', 'answer lost', 'half answered', 'silent', 'slow down'];
    const store = open(server, '', { connect: 2000, answer: 1000 });
    server.fault = everyTenth(ways);
    const stored = new Map<string, Buffer>();
    for (let round = 0; round < 24; round += 1) {
      const key = newUuid();
      const size = random(round % 6 === 0 ? 12 * megabyte : 200_000);
      const content = randomBytes(size);
      const isCut = round % 7 === 3;
      async function* parts() {
        for (let from = 0; from < size; from += 100_000) yield content.subarray(from, from + 100_000);
        if (isCut) throw new Error('the client is gone');
      }
      const isStored = await store.write(key, parts()).then(
        () => true,
        () => false,
      );
      if (isStored) stored.set(key, content);
      // Whole, or not at all.
      const read = await contentOf(key, size, store).catch(() => null);
      if (read !== null) expect(read.equals(content)).toBe(true);
    }
    expect(stored.size).toBeGreaterThan(17);
    server.fault = () => null;
    for (const [key, content] of stored)
      expect((await contentOf(key, content.length, store)).equals(content)).toBe(true);
    expect(server.objects().sort()).toEqual([...stored.keys()].sort());
    server.age(day);
    await store.abortAbandoned(100);
    expect(server.uploads()).toEqual([]);
  });

  it('aborts uploads that were left a day ago, and neither younger ones nor those of others', async () => {
    const gate = Promise.withResolvers<void>();
    async function* slow() {
      yield* large();
      await gate.promise;
    }
    const begin = (store: S3BlobStore) => store.write(newUuid(), slow()).catch(() => null);
    const left = [begin(blobs), begin(blobs), begin(blobs), begin(open(server, 'other/'))];
    await expect.poll(() => methods().filter((name) => name.startsWith('PUT partNumber')).length).toBe(8);
    server.age(day);
    const key = newUuid();
    left.push(blobs.write(key, slow()).catch(() => null));
    await expect.poll(() => methods().filter((name) => name.startsWith('PUT partNumber')).length).toBe(10);
    expect(await blobs.abortAbandoned(2)).toBe(2);
    expect(server.uploads()).toHaveLength(3);
    expect(await blobs.abortAbandoned(100)).toBe(1);
    expect(server.uploads().sort()).toEqual([expect.stringMatching(/^other\//), `parley/${key}`]);
    gate.resolve();
    await Promise.all(left);
    expect(server.objects().sort()).toEqual([expect.stringMatching(/^other\//), `parley/${key}`]);
  });

  it('keeps the mark of an installation', async () => {
    expect(await blobs.installation()).toBeNull();
    await blobs.mark('an id');
    expect(await open(server, 'parley/').installation()).toBe('an id');
    expect(await open(server).installation()).toBeNull();
    const key = newUuid();
    expect(await blobs.has(key)).toBe(false);
    await blobs.write(key, chunks(Buffer.from('a')));
    expect(await blobs.has(key)).toBe(true);
  });
});

const isPut = ({ method, url }: S3Request) => method === 'PUT' && !url.searchParams.has('partNumber');
const isPart = ({ method, url }: S3Request) => method === 'PUT' && url.searchParams.get('partNumber') === '2';
const isEnd = ({ method, url }: S3Request) => method === 'POST' && url.searchParams.has('uploadId');
