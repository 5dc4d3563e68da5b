import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { insertBase, newDocument } from '../../../test/stores/knowledge-records.ts';
import { FileService } from '../../core/files/file-service.ts';
import { discardUnattached } from '../../core/knowledge/unattached-uploads.ts';
import { DiskBlobStore } from '../files/disk-blob-store.ts';
import { KyselyFileStore } from '../files/kysely-file-store.ts';
import { KyselyDocumentStore } from './kysely-document-store.ts';
import { KyselyUnattachedUploads } from './kysely-unattached-uploads.ts';

describeOnEachEngine('unattached uploads', (storage) => {
  let directory: string;
  let files: FileService;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'parley-uploads-'));
    const blobs = await DiskBlobStore.open(directory);
    files = new FileService(new KyselyFileStore(storage().database), blobs, { basePath: '' });
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T00:00:00.000Z') });
  });
  afterEach(() => {
    vi.useRealTimers();
    rmSync(directory, { recursive: true, force: true });
  });

  async function* content() {
    yield Buffer.from('Hello');
  }
  const upload = () => files.storeDocument('a.txt', content(), async () => undefined);
  const attach = async (fileUuid: string) => {
    const { uuid } = await insertBase(storage().database);
    const document = newDocument({ file_uuid: fileUuid, knowledge_base_uuid: uuid });
    return new KyselyDocumentStore(storage().database, storage().engine, storage().replica).create(document, true);
  };
  const discard = (hours = 24, limit = 500) =>
    discardUnattached(new KyselyUnattachedUploads(storage().database, storage().engine), hours, limit);
  const blobs = () =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  const records = async () =>
    (await storage().database.selectFrom('files').select('uuid').execute()).map(({ uuid }) => uuid).sort();

  it('are removed with their contents when they expire, and nothing else is', async () => {
    const old = await upload();
    const attached = await upload();
    expect(await attach(attached)).toBeNull();
    const { path } = await files.storeMedia('m.txt', content());
    vi.setSystemTime('2026-03-01T23:59:59.999Z');
    const young = await upload();
    expect(await discard()).toBe(0);
    vi.setSystemTime('2026-03-02T00:00:00.001Z');
    expect(await discard(0)).toBe(0);
    expect(await discard(25)).toBe(0);
    expect(await discard()).toBe(1);
    expect(await files.document(old)).toBeNull();
    // The process may end here: discarded uploads are found by their records.
    expect(blobs()).toHaveLength(4);
    expect(await files.removeDiscarded(500)).toBe(1);
    expect(blobs()).toEqual(await records());
    expect(blobs()).toHaveLength(3);
    for (const uuid of [attached, young]) expect(await files.document(uuid)).not.toBeNull();
    expect(await files.readMedia(path)).not.toBeNull();
  });

  it('go a part at a time, the oldest first', async () => {
    const uuids: string[] = [];
    for (let hour = 0; hour < 3; hour += 1) {
      vi.setSystemTime(`2026-03-01T0${hour}:00:00.000Z`);
      uuids.push(await upload());
    }
    vi.setSystemTime('2026-03-05T00:00:00.000Z');
    expect(await discard(24, 2)).toBe(2);
    expect(await Promise.all(uuids.map(async (uuid) => (await files.document(uuid)) !== null))).toEqual([
      false,
      false,
      true,
    ]);
    expect(await discard(24, 2)).toBe(1);
    expect(await discard(24, 2)).toBe(0);
  });

  it('are either attached or discarded when both happen at once', async () => {
    const uuids = await Promise.all(Array.from({ length: 12 }, upload));
    vi.setSystemTime('2026-03-05T00:00:00.000Z');
    const [, ...refusals] = await Promise.all([discard(), ...uuids.map(attach), discard()]);
    await discard();
    const outcomes = refusals.slice(0, uuids.length) as Awaited<ReturnType<typeof attach>>[];
    for (const [index, uuid] of uuids.entries()) {
      const isThere = (await files.document(uuid)) !== null;
      expect(outcomes[index]).toEqual(isThere ? null : { reason: 'no_file' });
    }
    expect(await files.removeDiscarded(500)).toBe(outcomes.filter((outcome) => outcome !== null).length);
    expect(blobs()).toEqual(await records());
  });
});
