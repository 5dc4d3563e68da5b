import { ParleyError } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeEngine, type OpenKnowledge, openKnowledge } from '../../../test/stores/knowledge-fixture.ts';
import { newUuid } from '../../lib/uuid.ts';

const secret = 'sk-0123456789abcdef';

describe('knowledge bases', () => {
  let knowledge: OpenKnowledge;
  const bases = () => knowledge.service.knowledgeBases;
  beforeEach(async () => {
    knowledge = await openKnowledge();
    await knowledge.service.start();
  });
  afterEach(() => knowledge.close());

  it('are created with defaults, and shown with their engine and counts', async () => {
    const uuid = await bases().create({});
    const base = await bases().get(uuid.toUpperCase());
    expect(base).toMatchObject({
      uuid,
      name: 'Untitled',
      description: '',
      emoji: '📚',
      knowledge_engine_plugin_id: 'tests/texts',
      creation_settings: { prefix: '', key: '', address: 'https://a.example' },
      retrieval_settings: {},
      document_count: 0,
      chunk_count: 0,
      knowledge_engine: { plugin_id: 'tests/texts', name: { en_US: 'Texts' }, capabilities: ['doc_ingestion'] },
    });
    expect(base).not.toHaveProperty('sealed_secrets');
    expect(await bases().list()).toEqual([base]);
    expect([...knowledge.held.keys()]).toEqual([base.collection_id]);
  });

  it.each([
    ['knowledge_engine_plugin_id', { knowledge_engine_plugin_id: 'a/b' }],
    ['creation_settings.prefix', { creation_settings: { prefix: 7 } }],
    ['creation_settings.prefix', { creation_settings: { prefix: 'x'.repeat(21) } }],
    ['creation_settings.other', { creation_settings: { other: 1 } }],
    ['creation_settings', { creation_settings: { prefix: 'x'.repeat(100_001) } }],
    ['retrieval_settings.top_k', { retrieval_settings: { top_k: 0 } }],
    ['retrieval_settings.filters.a', { retrieval_settings: { filters: { a: { $like: 'x' } } } }],
  ])('are refused with the path of the fault: %s', async (path, request) => {
    await expect(bases().create(request)).rejects.toMatchObject({ reason: 'invalid_request', details: [{ path }] });
    expect(await bases().list()).toEqual([]);
    expect(knowledge.held.size).toBe(0);
  });

  it('are not created when their engine fails, and leave nothing behind', async () => {
    knowledge.gate.fail(
      'open',
      new ParleyError('invalid_request', 'x', { details: [{ path: 'key', message: 'is wrong' }] }),
    );
    await expect(bases().create({})).rejects.toMatchObject({
      reason: 'invalid_request',
      details: [{ path: 'creation_settings.key', message: 'is wrong' }],
    });
    knowledge.gate.fail('open', new Error('with a secret in it'));
    await expect(bases().create({})).rejects.toMatchObject({
      reason: 'engine_failed',
      message: expect.not.stringContaining('secret'),
    });
    expect(await bases().list()).toEqual([]);
    await expect.poll(async () => knowledge.service.collectionStore.dropping(), { timeout: 30_000 }).toEqual([]);
    expect(knowledge.held.size).toBe(0);
  });

  it('mask secrets, and keep them only for the address that they were given for', async () => {
    const uuid = await bases().create({ creation_settings: { key: secret }, retrieval_settings: { token: secret } });
    const base = await bases().get(uuid);
    expect(JSON.stringify(base)).not.toContain(secret);
    const mask = base.creation_settings.key;
    expect(mask).toBe(base.retrieval_settings.token);
    // Writing a record back changes nothing.
    const { creation_settings, retrieval_settings } = base;
    expect(await bases().update(uuid, { creation_settings, retrieval_settings })).toEqual({ task_id: null });
    expect(await bases().update(uuid, { retrieval_settings: { token: mask, top_k: 3 } })).toEqual({ task_id: null });
    expect((await bases().get(uuid)).retrieval_settings).toEqual({ token: mask, top_k: 3 });
    const moved = { key: mask, address: 'https://b.example' };
    await expect(bases().update(uuid, { creation_settings: moved })).rejects.toMatchObject({
      reason: 'secret_required',
    });
    await expect(bases().create({ creation_settings: { key: mask } })).rejects.toMatchObject({
      reason: 'secret_required',
    });
    // Another prefix is another way of storing, with the same secret.
    expect((await bases().update(uuid, { creation_settings: { key: mask, prefix: '> ' } })).task_id).toBeGreaterThan(0);
    await expect.poll(async () => (await bases().get(uuid)).creation_settings.prefix, { timeout: 30_000 }).toBe('> ');
    expect((await bases().get(uuid)).creation_settings.key).toBe(mask);
  });

  it('are changed in the given fields; retrieval settings are replaced completely', async () => {
    const uuid = await bases().create({ name: 'a', description: 'b', retrieval_settings: { top_k: 3 } });
    await bases().update(uuid, { name: 'c', emoji: null });
    expect(await bases().get(uuid)).toMatchObject({
      name: 'c',
      description: 'b',
      emoji: null,
      retrieval_settings: { top_k: 3 },
    });
    await bases().update(uuid, { retrieval_settings: {} });
    expect((await bases().get(uuid)).retrieval_settings).toEqual({});
    await expect(bases().update(uuid, { name: 'd', retrieval_settings: { top_k: 'x' } })).rejects.toMatchObject({
      reason: 'invalid_request',
    });
    expect((await bases().get(uuid)).name).toBe('c');
    for (const unknown of [newUuid(), 'no-uuid']) {
      await expect(bases().update(unknown, { name: 'x' })).rejects.toMatchObject({ reason: 'not_found' });
      await expect(bases().get(unknown)).rejects.toMatchObject({ reason: 'not_found' });
      await expect(bases().delete(unknown)).rejects.toMatchObject({ reason: 'not_found' });
    }
  });

  it('are deleted with everything they held, also documents in progress', async () => {
    const uuid = await knowledge.base({ 'a.txt': 'one', 'b.txt': 'two' });
    knowledge.gate.hold('ingest', 'c.txt');
    const file_id = await knowledge.service.upload('c.txt', 'three');
    const { task_id } = await knowledge.service.documents.attach(uuid, { file_id });
    await expect.poll(() => knowledge.gate.came('ingest', 'c.txt'), { timeout: 30_000 }).toBe(true);
    await bases().delete(uuid);
    expect(await bases().list()).toEqual([]);
    await expect.poll(() => [knowledge.held.size, knowledge.blobs()], { timeout: 30_000 }).toEqual([0, []]);
    expect(await knowledge.service.files.document(file_id)).toBeNull();
    await expect
      .poll(async () => (await knowledge.service.tasks.get(task_id)).runtime.state, { timeout: 30_000 })
      .toBe('CANCELLED');
    await expect.poll(async () => knowledge.service.collectionStore.dropping(), { timeout: 30_000 }).toEqual([]);
  });

  it('are dropped later when their engine fails, or the service ends meanwhile', async () => {
    const uuid = await knowledge.base({ 'a.txt': 'one' });
    knowledge.gate.fail('drop', new Error('not now'), new ParleyError('engine_failed', 'nor now'));
    await bases().delete(uuid);
    await expect.poll(() => knowledge.held.size, { timeout: 30_000 }).toBe(0);

    const other = await knowledge.base({ 'a.txt': 'one' });
    await knowledge.service.stop();
    await knowledge.service.bases.delete(other, new Date().toISOString());
    expect(knowledge.held.size).toBe(1);
    await knowledge.restart();
    await expect.poll(() => [knowledge.held.size, knowledge.blobs()], { timeout: 30_000 }).toEqual([0, []]);
  });

  it('stay as they are when their engine is gone, and can be renamed', async () => {
    const gone = { ...fakeEngine({ held: knowledge.held }), plugin_id: 'tests/gone' };
    await knowledge.restart({ engines: [gone] });
    const uuid = await bases().create({ knowledge_engine_plugin_id: 'tests/gone' });
    await knowledge.restart();
    const base = await bases().get(uuid);
    expect(base.knowledge_engine).toEqual({
      plugin_id: 'tests/gone',
      name: { en_US: 'tests/gone', zh_Hans: 'tests/gone', ja_JP: 'tests/gone' },
      capabilities: [],
    });
    const { creation_settings, retrieval_settings } = base;
    await bases().update(uuid, { name: 'renamed', creation_settings, retrieval_settings });
    expect((await bases().get(uuid)).name).toBe('renamed');
    const missing = { reason: 'engine_not_found' };
    await expect(bases().update(uuid, { creation_settings: { prefix: 'x' } })).rejects.toMatchObject(missing);
    await expect(knowledge.service.documents.attach(uuid, { file_id: newUuid() })).rejects.toMatchObject(missing);
    const { signal } = new AbortController();
    await expect(knowledge.service.retrieval.retrieve(uuid, 'x', { signal })).rejects.toMatchObject(missing);
  });
});
