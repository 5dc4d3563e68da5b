import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { DiskBlobStore } from '../../storage/files/disk-blob-store.ts';
import { KyselyFileStore } from '../../storage/files/kysely-file-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { maximumFileBytes } from './file.ts';
import { FileService } from './file-service.ts';

describe('files', () => {
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
    service = new FileService(files, blobs, { basePath: '/parley' });
  });
  afterEach(async () => {
    await storage.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function* pieces(...parts: Uint8Array[]) {
    yield* parts;
  }
  const accept = async () => undefined;
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
  const left = async () => ({
    blobs: readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length,
    records: (await storage.database.selectFrom('files').select('uuid').execute()).length,
  });

  it('are stored with their name, size, checksum and kind', async () => {
    const uuid = await service.storeDocument('notes.txt', pieces(Buffer.from('Hello '), Buffer.from('there')), accept);
    expect(await files.byUuid(uuid)).toEqual({
      uuid,
      name: 'notes.txt',
      size: 11,
      sha256: '4e47826698bb4630fb4451010062fadbf85d61427cbdfaed7ad0f23f239bed89',
      media_type: 'text/plain',
      purpose: 'document',
      access_key: null,
      created_at: expect.stringMatching(/Z$/),
    });
    expect((await buffer(blobs.read(uuid, 11))).toString()).toBe('Hello there');
  });

  it('may be as large as the limit and no larger', async () => {
    const half = randomBytes(maximumFileBytes / 2);
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

  const gif = Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1');

  describe('that were attached to messages', () => {
    it('are found by a name that cannot be guessed', async () => {
      const stored = await service.storeMedia('dir/photo.bin', pieces(png));
      expect(stored).toEqual({
        path: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/),
        name: 'photo.bin',
        size: png.length,
        media_type: 'image/png',
        url: `/parley/api/v1/files/image/${stored.path}`,
      });
      const found = await service.readMedia(stored.path);
      expect(found).toEqual({ ...stored, content: expect.anything() });
      expect(await buffer(found?.content ?? pieces())).toEqual(png);
      expect((await service.storeMedia('photo.bin', pieces(png))).path).not.toBe(stored.path);
    });

    it('may be as large as the limit, no larger, and not empty', async () => {
      const half = Buffer.alloc(maximumFileBytes / 2);
      expect((await service.storeMedia('large', pieces(half, half))).size).toBe(maximumFileBytes);
      const larger = service.storeMedia('larger', pieces(half, half, Buffer.from('a')));
      await expect(larger).rejects.toMatchObject({ reason: 'too_large' });
      await expect(service.storeMedia('empty', pieces())).rejects.toMatchObject({ reason: 'empty_file' });
      expect(await left()).toEqual({ blobs: 1, records: 1 });
    });

    it('are not there under a name that is none', async () => {
      const uuid = await service.storeDocument('a.png', pieces(png), accept);
      const { path } = await service.storeMedia('a.png', pieces(png));
      for (const other of [
        uuid,
        '',
        'a',
        '../../etc/passwd',
        path.slice(1),
        `${path}.png`,
        `${path}\0`,
        '\ud800'.repeat(32),
      ]) {
        expect(await service.readMedia(other)).toBeNull();
        await expect(service.image(other)).rejects.toMatchObject({ reason: 'not_found' });
      }
    });
  });

  describe('that are images', () => {
    it.each([
      ['png', 'image/png', png],
      [
        'png',
        'image/png',
        Buffer.from(`${png.toString('hex')}000000086163544c00000001000000000000000000000000`, 'hex'),
      ],
      ['jpg', 'image/jpeg', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')],
      ['gif', 'image/gif', gif],
      ['webp', 'image/webp', Buffer.from('RIFF\x1a\x00\x00\x00WEBPVP8L', 'latin1')],
    ])('are known by their content: %s', async (extension, media_type, content) => {
      const key = await service.storeImage('named.wrongly', pieces(content), accept);
      expect(key).toMatch(new RegExp(`^[A-Za-z0-9_-]{32}\\.${extension}$`));
      const { content: shown, ...image } = await service.image(key);
      expect(image).toMatchObject({ extension, media_type, size: content.length });
      expect(await buffer(shown)).toEqual(content);
      expect(await service.readMedia(key)).toMatchObject({ path: key, name: 'named.wrongly', media_type });
    });

    it.each([
      ['a text', Buffer.from('Hello')],
      [
        'a drawing that may hold a script',
        Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      ],
      ['a drawing without a declaration', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
      ['a page', Buffer.from('<html><img src="a.png"></html>')],
      ['a PDF', Buffer.from('%PDF-1.7\n')],
      ['an image of another kind', Buffer.from('424d1e000000000000001a0000000c000000010001000100180000', 'hex')],
      ['an icon', Buffer.from('00000100010010100000010020006804', 'hex')],
    ])('are not %s', async (_, content) => {
      const stored = service.storeImage('a.png', pieces(content), accept);
      await expect(stored).rejects.toMatchObject({ reason: 'invalid_request', details: [{ path: 'file' }] });
      expect(await left()).toEqual({ blobs: 0, records: 0 });
    });

    it('are not empty', async () => {
      const stored = service.storeImage('a.png', pieces(), accept);
      await expect(stored).rejects.toMatchObject({ reason: 'empty_file' });
    });

    it('are served when they were attached to a message, and no other attachment is', async () => {
      const image = await service.storeMedia('a', pieces(gif));
      expect(await service.image(image.path)).toMatchObject({ extension: 'gif' });
      const text = await service.storeMedia('a.png', pieces(Buffer.from('Hello')));
      expect(text.url).toBeUndefined();
      await expect(service.image(text.path)).rejects.toMatchObject({ reason: 'not_found' });
    });
  });

  describe('that were uploaded for a message', () => {
    const hours = (count: number) => count * 3_600_000;
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00.000Z') });
      service = new FileService(files, blobs, { basePath: '', uploadRetentionHours: 24 });
    });
    afterEach(() => void vi.useRealTimers());
    const attach = async () =>
      (await service.storeAttachment('a.txt', pieces(Buffer.from('a')), accept, () => true)).path;

    it('wait for it for so long, and are removed later, with their content', async () => {
      const path = await attach();
      const image = await service.storeImage('a.png', pieces(png), accept);
      vi.setSystemTime(Date.now() + hours(24));
      expect(await service.readMedia(path)).toMatchObject({ name: 'a.txt' });
      expect(await service.image(image)).toMatchObject({ media_type: 'image/png' });
      vi.setSystemTime(Date.now() + 1);
      expect(await service.readMedia(path)).toBeNull();
      await expect(service.image(image)).rejects.toMatchObject({ reason: 'not_found' });
      // A message that found them just before may still be being stored.
      expect(await service.discardUnsent(10)).toBe(0);
      vi.setSystemTime(Date.now() + hours(1));
      expect(await service.discardUnsent(1)).toBe(1);
      expect(await service.discardUnsent(10)).toBe(1);
      expect(await service.discardUnsent(10)).toBe(0);
      expect(await service.removeDiscarded(10)).toBe(2);
      expect(await left()).toEqual({ blobs: 0, records: 0 });
    });

    it('stay when they are in a message, and when there is no limit', async () => {
      const path = await attach();
      await storage.database.updateTable('files').set({ purpose: 'media' }).execute();
      const unsent = await attach();
      vi.setSystemTime(Date.now() + hours(10_000));
      const unlimited = new FileService(files, blobs, { basePath: '', uploadRetentionHours: 0 });
      expect(await unlimited.discardUnsent(10)).toBe(0);
      expect(await unlimited.readMedia(unsent)).not.toBeNull();
      expect(await service.discardUnsent(10)).toBe(1);
      expect(await unlimited.readMedia(unsent)).toBeNull();
      expect(await service.readMedia(path)).not.toBeNull();
    });

    it('and content that was stored for a message otherwise has no limit', async () => {
      const { path } = await service.storeMedia('a.txt', pieces(Buffer.from('a')));
      vi.setSystemTime(Date.now() + hours(10_000));
      expect(await service.discardUnsent(10)).toBe(0);
      expect(await service.readMedia(path)).not.toBeNull();
    });
  });
});
