import { ParleyError } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeEngine, type OpenKnowledge, openKnowledge } from '../../../test/stores/knowledge-fixture.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { AttachDocument } from './document.ts';

const patience = { timeout: 30_000 };

describe('documents', () => {
  let knowledge: OpenKnowledge;
  let base: string;
  const documents = () => knowledge.service.documents;
  const upload = (name: string, text: string) => knowledge.service.upload(name, text);
  const attach = async (name: string, text: string, over: Partial<AttachDocument> = {}) =>
    documents().attach(base, { file_id: await upload(name, text), ...over });
  const one = async (name: string, text: string) => {
    const { documents: made } = await attach(name, text);
    if (made[0] === undefined) throw new Error('nothing was attached');
    return made[0].uuid;
  };
  const stage = async (uuid: string) => knowledge.service.stage({ uuid });
  const reach = (uuid: string, wanted: string) => expect.poll(() => stage(uuid), patience).toBe(wanted);
  const found = async () => {
    const passages = await knowledge.service.retrieval
      .retrieve(base, '', { signal: AbortSignal.timeout(5000) })
      .catch(() => []);
    return passages.length;
  };
  const texts = async () => {
    const { collection_id } = await knowledge.service.knowledgeBases.get(base);
    return [...(knowledge.held.get(collection_id)?.values() ?? [])];
  };
  beforeEach(async () => {
    knowledge = await openKnowledge();
    await knowledge.service.start();
    base = await knowledge.base();
  });
  afterEach(() => knowledge.close());

  it('become ready, with a task that shows how', async () => {
    const {
      task_id,
      task_ids,
      documents: made,
      skipped,
    } = await attach('Büro.TXT', 'Title\nline', { metadata: { lang: 'de' } });
    expect([task_ids, skipped]).toEqual([[task_id], []]);
    const [document] = made;
    expect(document).toMatchObject({ file_name: 'Büro.TXT', extension: 'txt', stage: 'queued', task_id, attempts: 0 });
    const uuid = document?.uuid ?? '';
    await reach(uuid, 'ready');
    expect(await documents().get(base, uuid.toUpperCase())).toMatchObject({
      stage: 'ready',
      title: 'Title',
      page_kind: 'page',
      chunk_count: 2,
      attempts: 1,
      reason: null,
      error: null,
      pages: [{ number: 1, characters: 9 }],
      warnings: ['read by a test'],
      metadata: { lang: 'de' },
      finished_at: expect.any(String),
    });
    expect(await texts()).toEqual(['Title\nline']);
    await expect
      .poll(() => knowledge.service.tasks.get(task_id), patience)
      .toMatchObject({
        kind: 'knowledge-operation',
        name: `knowledge-store-file-${document?.file_uuid}`,
        label: `Store file ${document?.file_uuid}`,
        task_context: { metadata: { document_uuid: uuid, knowledge_base_uuid: base, stage: 'embedding' } },
        runtime: { done: true, state: 'FINISHED', exception: null, result: { document_uuid: uuid, chunk_count: 2 } },
      });
    const content = await documents().content(base, uuid);
    expect(content).toMatchObject({ file_name: 'Büro.TXT', size: 10 });
    const pieces: Uint8Array[] = [];
    for await (const piece of content.content) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('Title\nline');
  });

  it('are one for each file, whichever caller attaches it', async () => {
    const file_id = await upload('a.txt', 'one');
    const all = await Promise.all([1, 2, 3].map(() => documents().attach(base, { file_id: file_id.toUpperCase() })));
    const [first] = all;
    expect(new Set(all.map(({ task_id, documents: [document] }) => `${task_id} ${document?.uuid}`)).size).toBe(1);
    await reach(first?.documents[0]?.uuid ?? '', 'ready');
    expect(await documents().attach(base, { file_id })).toMatchObject({
      task_id: first?.task_id,
      documents: [{ stage: 'ready' }],
    });
    expect(await documents().list(base)).toHaveLength(1);
  });

  it('are not there twice with the same content, unless that is meant', async () => {
    const uuid = await one('a.txt', 'same');
    await expect(attach('b.txt', 'same')).rejects.toMatchObject({
      reason: 'duplicate_document',
      details: [{ path: `documents/${uuid}`, message: 'a.txt' }],
    });
    expect((await attach('b.txt', 'same', { allow_duplicate: true })).documents).toHaveLength(1);
  });

  it.each([
    ['an upload that is not there', { file_id: newUuid() }, 'not_found'],
    ['a malformed id', { file_id: '../a' }, 'not_found'],
    ['an unknown parser', { parser_plugin_id: 'a/b' }, 'invalid_request'],
    ['metadata that hide a field', { metadata: { page: 1 } }, 'invalid_request'],
  ])('are not made of %s', async (_, over, reason) => {
    await expect(attach('a.txt', 'x', over)).rejects.toMatchObject({ reason });
    expect(await documents().list(base)).toEqual([]);
  });

  it('are refused when no parser or the engine does not support them', async () => {
    // The media type is looked up, too, so this is no text.
    await expect(attach('a.exe', '\0\u0001')).rejects.toMatchObject({ reason: 'document_type_unsupported' });
    const finder = { ...fakeEngine({ held: knowledge.held }), plugin_id: 'tests/finder', capabilities: [] };
    await knowledge.restart({ engines: [finder] });
    base = await knowledge.service.knowledgeBases.create({ knowledge_engine_plugin_id: 'tests/finder' });
    await expect(attach('a.txt', 'x')).rejects.toMatchObject({ reason: 'conflict' });
    for (const unknown of [newUuid(), 'x']) {
      await expect(documents().attach(unknown, { file_id: newUuid() })).rejects.toMatchObject({ reason: 'not_found' });
      await expect(documents().get(base, unknown)).rejects.toMatchObject({ reason: 'not_found' });
      await expect(documents().list(unknown)).rejects.toMatchObject({ reason: 'not_found' });
    }
  });

  it('are extracted from an archive, each with its own upload and task', async () => {
    await one('there.txt', 'there');
    const archive = await upload(
      'all.zip',
      JSON.stringify({ 'a.txt': 'one', 'b.txt': 'there', 'c.txt': '', 'd.txt': 'two', 'e.txt': 'one' }),
    );
    const { task_ids, documents: made, skipped } = await documents().attach(base, { file_id: archive });
    expect(made.map(({ file_name }) => file_name)).toEqual(['a.txt', 'd.txt']);
    expect(new Set(task_ids).size).toBe(2);
    expect(skipped).toMatchObject([
      { file_name: 'b.txt', reason: 'duplicate_document', document_uuid: expect.any(String) },
      { file_name: 'c.txt', reason: 'empty_file', document_uuid: null },
      { file_name: 'e.txt', reason: 'duplicate_document', document_uuid: made[0]?.uuid },
    ]);
    for (const { uuid } of made) await reach(uuid, 'ready');
    // Unneeded files are deleted: the archive, and the copies.
    await expect.poll(() => knowledge.blobs().length, patience).toBe(3);
    expect(await knowledge.service.files.document(archive)).toBeNull();
    const again = await upload('again.zip', JSON.stringify({ 'a.txt': 'one', 'd.txt': 'two' }));
    await expect(documents().attach(base, { file_id: again })).rejects.toMatchObject({
      reason: 'duplicate_document',
      details: made.map(({ uuid }) => ({ path: `documents/${uuid}` })),
    });
    await expect.poll(() => knowledge.blobs().length, patience).toBe(4);
  });

  it('are listed page by page', async () => {
    const uuids = [];
    for (const name of ['a', 'b', 'c']) uuids.push(await one(`${name}.txt`, name));
    const first = await documents().list(base, { limit: 2 });
    expect(first.map(({ uuid }) => uuid)).toEqual(uuids.slice(0, 2));
    const second = await documents().list(base, { limit: 2, after: first.at(-1) });
    expect(second.map(({ uuid }) => uuid)).toEqual(uuids.slice(2));
  });

  it('fail with the reason, and can be retried', async () => {
    knowledge.gate.fail('parse', new ParleyError('document_encrypted', 'It has a password'), new Error('secret path'));
    const { task_id, documents: made } = await attach('a.txt', 'x');
    const uuid = made[0]?.uuid ?? '';
    await reach(uuid, 'failed');
    expect(await documents().get(base, uuid)).toMatchObject({
      reason: 'document_encrypted',
      error: 'It has a password',
    });
    await expect
      .poll(async () => (await knowledge.service.tasks.get(task_id)).runtime, patience)
      .toMatchObject({ done: true, exception: 'It has a password' });
    const retried = await documents().retry(base, uuid);
    expect(retried.task_id).toBeGreaterThan(task_id);
    await expect
      .poll(() => documents().get(base, uuid), patience)
      .toMatchObject({ stage: 'failed', reason: 'internal', error: 'An unexpected fault' });
    await documents().retry(base, uuid);
    await reach(uuid, 'ready');
    await expect(documents().retry(base, uuid)).rejects.toMatchObject({ reason: 'conflict' });
  });

  it('without text fail, and report what the pages contain', async () => {
    const uuid = await one('scan.txt', '\n\n');
    await reach(uuid, 'failed');
    expect(await documents().get(base, uuid)).toMatchObject({
      reason: 'document_empty',
      error: 'No text was found in the file: no text, perhaps a scan',
      pages: [{ number: 1, characters: 0 }],
    });
  });

  it('are not indexed by a part of their file', async () => {
    const base = await knowledge.base();
    const files = () => knowledge.storage.database.updateTable('files');
    const file_id = await knowledge.service.upload('a.txt', 'one');
    await files().set({ size: 4 }).execute();
    const { documents } = await knowledge.service.documents.attach(base, { file_id });
    const uuid = documents[0]?.uuid ?? '';
    await expect.poll(() => knowledge.service.stage({ uuid }), patience).toBe('failed');
    expect(await knowledge.service.documents.get(base, uuid)).toMatchObject({ reason: 'storage_unavailable' });
    await files().set({ size: 3 }).execute();
    await knowledge.storage.database.updateTable('knowledge_documents').set({ size: 3 }).execute();
    await knowledge.service.documents.retry(base, uuid);
    await expect.poll(() => knowledge.service.stage({ uuid }), patience).toBe('ready');
  });

  it('wait for what passes, and fail when it does not', async () => {
    const away = () => new ParleyError('provider_unreachable', 'No connection', { retryAfterSeconds: 0 });
    knowledge.gate.fail('ingest', away(), away());
    const uuid = await one('a.txt', 'x');
    await reach(uuid, 'ready');
    knowledge.gate.fail('ingest', away(), away(), away());
    const other = await one('b.txt', 'y');
    await reach(other, 'failed');
    expect(await documents().get(base, other)).toMatchObject({ reason: 'provider_unreachable', attempts: 1 });
    knowledge.gate.fail('ingest', new ParleyError('provider_unauthorized', 'Wrong key'));
    const third = await one('c.txt', 'z');
    await reach(third, 'failed');
  });

  it('stay searchable while they are re-indexed, and when that fails', async () => {
    const uuid = await one('a.txt', 'x');
    await reach(uuid, 'ready');
    knowledge.gate.hold('publish', 'a.txt');
    await documents().reindex(base, uuid);
    await reach(uuid, 'embedding');
    await expect(documents().reindex(base, uuid)).rejects.toMatchObject({ reason: 'conflict' });
    expect(await texts()).toEqual(['x']);
    expect(await documents().get(base, uuid)).toMatchObject({ chunk_count: 1 });
    knowledge.gate.letGo('publish', 'a.txt');
    await reach(uuid, 'ready');
    knowledge.gate.fail('parse', new ParleyError('document_broken', 'now it is'));
    await documents().reindex(base, uuid);
    await reach(uuid, 'failed');
    expect(await texts()).toEqual(['x']);
    expect(await documents().get(base, uuid)).toMatchObject({ chunk_count: 1 });
  });

  it.each(['parse', 'ingest', 'publish'] as const)('are cancelled immediately at the step %s', async (step) => {
    knowledge.gate.hold(step, 'a.txt');
    const { task_id, documents: made } = await attach('a.txt', 'x');
    const uuid = made[0]?.uuid ?? '';
    await expect.poll(() => knowledge.gate.came(step, 'a.txt'), patience).toBe(true);
    expect(await documents().cancel(base, uuid)).toMatchObject({ stage: 'cancelled', reason: null });
    await expect
      .poll(async () => (await knowledge.service.tasks.get(task_id)).runtime.state, patience)
      .toBe('CANCELLED');
    await expect(documents().cancel(base, uuid)).rejects.toMatchObject({ reason: 'conflict' });
    expect(await texts()).toEqual([]);
    knowledge.gate.letGo(step, 'a.txt');
    await documents().retry(base, uuid);
    await reach(uuid, 'ready');
  });

  it('are cancelled with their task, also while they wait', async () => {
    knowledge.gate.hold('parse');
    const first = await one('a.txt', '1');
    await one('b.txt', '2');
    const waiting = await attach('c.txt', '3');
    await expect.poll(() => stage(first), patience).toBe('parsing');
    await knowledge.service.tasks.cancel(waiting.task_id);
    await reach(waiting.documents[0]?.uuid ?? '', 'cancelled');
    await knowledge.service.tasks.cancel((await documents().get(base, first)).task_id ?? 0);
    await reach(first, 'cancelled');
    knowledge.gate.letGo('parse');
  });

  it.each([null, 'parse', 'ingest', 'publish'] as const)('are removed with all of it, at the step %s', async (step) => {
    await one('stays.txt', 'stays');
    if (step !== null) knowledge.gate.hold(step, 'a.txt');
    const { task_id, documents: made } = await attach('a.txt', 'x');
    const uuid = made[0]?.uuid ?? '';
    if (step === null) await reach(uuid, 'ready');
    else await expect.poll(() => knowledge.gate.came(step, 'a.txt'), patience).toBe(true);
    await documents().remove(base, uuid);
    await expect(documents().remove(base, uuid)).rejects.toMatchObject({ reason: 'not_found' });
    await expect.poll(texts, patience).toEqual(['stays']);
    await expect.poll(() => knowledge.blobs().length, patience).toBe(1);
    expect((await knowledge.service.tasks.get(task_id)).runtime.done || step !== null).toBe(true);
    await expect.poll(async () => (await knowledge.service.tasks.get(task_id)).runtime.done, patience).toBe(true);
    knowledge.gate.letGo(step ?? 'parse', 'a.txt');
  });

  it('share a file between bases, which stays until the last is gone', async () => {
    const file_id = await upload('a.txt', 'x');
    const other = await knowledge.base();
    const [here, there] = [await documents().attach(base, { file_id }), await documents().attach(other, { file_id })];
    await expect(documents().get(base, there.documents[0]?.uuid ?? '')).rejects.toMatchObject({ reason: 'not_found' });
    await documents().remove(base, here.documents[0]?.uuid ?? '');
    expect(await knowledge.service.files.document(file_id)).not.toBeNull();
    await documents().remove(other, there.documents[0]?.uuid ?? '');
    await expect.poll(() => knowledge.blobs(), patience).toEqual([]);
  });

  it('report a failed removal, which can be retried', async () => {
    const uuid = await one('a.txt', 'x');
    await reach(uuid, 'ready');
    knowledge.gate.fail('remove', new ParleyError('provider_unreachable', 'No connection'));
    await expect(documents().remove(base, uuid)).rejects.toMatchObject({ reason: 'provider_unreachable' });
    expect(await documents().get(base, uuid)).toMatchObject({
      stage: 'failed',
      error: 'It could not be removed: No connection',
    });
    await documents().remove(base, uuid);
    expect(await texts()).toEqual([]);
    expect(await found()).toBe(0);
  });
});
