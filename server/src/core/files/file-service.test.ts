import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { DiskBlobStore } from '../../storage/files/disk-blob-store.ts';
import { KyselyFileStore } from '../../storage/files/kysely-file-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { maximumDocumentBytes } from './file.ts';
import { FileService } from './file-service.ts';

describe('documents', () => {
  let directory: string;
  let storage: Storage;
  let files: KyselyFileStore;
  let blobs: DiskBlobStore;
  let service: FileService;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'parley-documents-'));
    storage = await openTestStorage('sqlite');
    files = new KyselyFileStore(storage.database);
    blobs = await DiskBlobStore.open(directory);
    service = new FileService(files, blobs);
  });
  afterEach(async () => {
    await storage.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function* pieces(...parts: Uint8Array[]) {
    yield* parts;
  }
  const accept = async () => undefined;
  const left = async () => ({
    blobs: readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length,
    records: (await storage.database.selectFrom('files').select('uuid').execute()).length,
  });

  it('are kept with their name, size, checksum and kind', async () => {
    const uuid = await service.storeDocument('notes.txt', pieces(Buffer.from('Hello '), Buffer.from('there')), accept);
    expect(await files.byUuid(uuid)).toEqual({
      uuid,
      name: 'notes.txt',
      size: 11,
      sha256: '4e47826698bb4630fb4451010062fadbf85d61427cbdfaed7ad0f23f239bed89',
      media_type: 'text/plain',
      created_at: expect.stringMatching(/Z$/),
    });
    expect((await buffer(blobs.read(uuid))).toString()).toBe('Hello there');
  });

  it('may be as large as the limit and no larger', async () => {
    const half = randomBytes(maximumDocumentBytes / 2);
    const uuid = await service.storeDocument('large', pieces(half, half), accept);
    expect((await files.byUuid(uuid))?.size).toBe(10_485_760);
    await expect(service.storeDocument('larger', pieces(half, half, Buffer.from('a')), accept)).rejects.toMatchObject({
      reason: 'too_large',
    });
    expect(await left()).toEqual({ blobs: 1, records: 1 });
  });

  it.each<[string, () => Promise<string>, object]>([
    ['are empty', () => service.storeDocument('a', pieces(), accept), { reason: 'empty_file' }],
    [
      'are not as they should be in the end',
      () => service.storeDocument('a', pieces(Buffer.from('a')), () => Promise.reject(new Error('second part'))),
      { message: 'second part' },
    ],
  ])('leave nothing when they %s', async (_, store, failure) => {
    await expect(store()).rejects.toMatchObject(failure);
    expect(await left()).toEqual({ blobs: 0, records: 0 });
  });

  it('leave nothing when their record cannot be written', async () => {
    files.create = () => Promise.reject(new Error('disk full'));
    await expect(service.storeDocument('a', pieces(Buffer.from('a')), accept)).rejects.toThrow('disk full');
    expect(await left()).toEqual({ blobs: 0, records: 0 });
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\notes.txt', 'notes.txt'],
    ['', 'unnamed'],
    ['..', '..'],
    ['dir/', 'unnamed'],
    ['a\0b\r\nc.txt', 'abc.txt'],
    ['\u202efdp.exe', 'fdp.exe'],
    ['履歴書 👩‍💻.pdf', '履歴書 👩‍💻.pdf'],
    ['half \ud800.txt', 'half \ufffd.txt'],
    ['👍'.repeat(300), '👍'.repeat(255)],
  ])('named %j are called %j', async (name, shown) => {
    const uuid = await service.storeDocument(name, pieces(Buffer.from('a')), accept);
    expect((await files.byUuid(uuid))?.name).toBe(shown);
  });
});
