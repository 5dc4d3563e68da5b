import { setImmediate as nextTurn } from 'node:timers/promises';
import { ParleyError } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenKnowledge, openKnowledge } from '../../../test/stores/knowledge-fixture.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { CollectionVerdict } from './collection-judge.ts';

const patience = { timeout: 30_000 };
const texts = { 'a.txt': 'one', 'b.txt': 'two', 'c.txt': 'three' };

describe('collections', () => {
  let knowledge: OpenKnowledge;
  let verdict: (signal: AbortSignal) => Promise<CollectionVerdict | null>;
  const collections = () => knowledge.service.collections;
  beforeEach(async () => {
    verdict = async () => null;
    knowledge = await openKnowledge({ judge: { judge: (_, __, ___, signal) => verdict(signal) } });
    await knowledge.service.start();
  });
  afterEach(() => knowledge.close());

  const searched = async (base: string) => (await knowledge.service.knowledgeBases.get(base)).collection_id;
  const heldIn = (collectionId: string) => [...(knowledge.held.get(collectionId)?.values() ?? [])].sort();
  const states = async (base: string) => (await collections().list(base)).map(({ state }) => state);
  const runtime = async (taskId: number) => (await knowledge.service.tasks.get(taskId)).runtime;
  const attach = async (base: string, name: string) => {
    const file_id = await knowledge.service.upload(name, name);
    const { documents } = await knowledge.service.documents.attach(base, { file_id });
    return documents[0]?.uuid ?? '';
  };
  const reach = (uuid: string, wanted: string) =>
    expect.poll(() => knowledge.service.stage({ uuid }), patience).toBe(wanted);

  it('are rebuilt from the originals, and take over at once', async () => {
    const base = await knowledge.base(texts);
    const before = await searched(base);
    const { task_id, collection } = await collections().rebuild(base, { prefix: '> ' });
    expect(collection).toMatchObject({ state: 'building', creation_settings: { prefix: '> ' }, missing_count: 3 });
    await expect.poll(() => searched(base), patience).toBe(collection.collection_id);
    expect(heldIn(collection.collection_id)).toEqual(['> one', '> three', '> two']);
    await expect
      .poll(() => runtime(task_id), patience)
      .toMatchObject({
        done: true,
        result: { collection_id: collection.collection_id, state: 'active' },
      });
    await expect.poll(() => knowledge.held.has(before), patience).toBe(false);
    expect(await states(base)).toEqual(['active']);
    expect(await knowledge.service.knowledgeBases.get(base)).toMatchObject({
      creation_settings: { prefix: '> ' },
      document_count: 3,
      chunk_count: 3,
    });
  });

  it('of a base without documents take over, too', async () => {
    const base = await knowledge.base();
    const { collection } = await collections().rebuild(base);
    await expect.poll(() => searched(base), patience).toBe(collection.collection_id);
  });

  it('take what is attached, removed and read anew meanwhile', async () => {
    const base = await knowledge.base(texts);
    const documents = await knowledge.service.documents.list(base);
    const [a, b] = documents.map(({ uuid }) => uuid);
    const before = await searched(base);
    const judging = Promise.withResolvers<null>();
    verdict = () => judging.promise;
    const { collection } = await collections().rebuild(base);
    const id = collection.collection_id;
    await expect.poll(() => heldIn(id), patience).toEqual(['one', 'three', 'two']);
    // It is complete now, and being judged.
    await knowledge.service.documents.remove(base, a ?? '');
    await knowledge.service.documents.reindex(base, b ?? '');
    await reach(await attach(base, 'd.txt'), 'ready');
    await reach(b ?? '', 'ready');
    const now = ['d.txt', 'three', 'two'];
    expect(heldIn(before)).toEqual(now);
    await expect.poll(() => heldIn(id), patience).toEqual(now);
    judging.resolve(null);
    await expect.poll(() => searched(base), patience).toBe(id);
    expect(heldIn(id)).toEqual(now);
  });

  it('go on where they were when the service is started again', async () => {
    const base = await knowledge.base(texts);
    knowledge.gate.hold('ingest', 'b.txt');
    const { collection, task_id } = await collections().rebuild(base, { prefix: '> ' });
    const id = collection.collection_id;
    await expect.poll(() => heldIn(id), patience).toEqual(['> one', '> three']);
    await knowledge.service.stop();
    expect(await runtime(task_id)).toMatchObject({ done: true, state: 'CANCELLED' });
    knowledge.gate.letGo('ingest', 'b.txt');
    // What is there is not stored a second time.
    for (const uuid of knowledge.held.get(id)?.keys() ?? []) knowledge.held.get(id)?.set(uuid, 'stored before');
    await knowledge.restart();
    await expect.poll(() => searched(base), patience).toBe(id);
    expect(heldIn(id)).toEqual(['> two', 'stored before', 'stored before']);
  });

  it('wait for a decision when they find less', async () => {
    const evaluation_uuid = newUuid();
    verdict = async () => ({ evaluation_uuid, is_lower: true });
    const base = await knowledge.base(texts);
    const before = await searched(base);
    const { collection, task_id } = await collections().rebuild(base);
    await expect.poll(() => states(base), patience).toEqual(['active', 'waiting']);
    expect((await collections().list(base))[1]).toMatchObject({ evaluation_uuid, document_count: 3, missing_count: 0 });
    await expect
      .poll(() => runtime(task_id), patience)
      .toMatchObject({ result: { state: 'waiting', evaluation_uuid } });
    for (const begin of [
      collections().rebuild(base),
      knowledge.service.knowledgeBases.update(base, { creation_settings: { prefix: 'x' } }),
    ]) {
      await expect(begin).rejects.toMatchObject({ reason: 'conflict' });
    }
    expect(await searched(base)).toBe(before);
    await expect(collections().activate(base, before)).rejects.toMatchObject({ reason: 'conflict' });
    // What comes while it waits is stored in it as well.
    await knowledge.restart();
    await reach(await attach(base, 'd.txt'), 'ready');
    await expect.poll(() => heldIn(collection.collection_id), patience).toContain('d.txt');
    await expect.poll(async () => (await collections().list(base))[1]?.missing_count, patience).toBe(0);
    expect(await collections().activate(base, collection.collection_id)).toMatchObject({ state: 'active' });
    expect(await searched(base)).toBe(collection.collection_id);
    await expect.poll(() => knowledge.held.has(before), patience).toBe(false);
  });

  it('do not take over by hand before they are complete', async () => {
    verdict = async () => ({ evaluation_uuid: newUuid(), is_lower: true });
    const base = await knowledge.base(texts);
    const { collection } = await collections().rebuild(base);
    await expect.poll(() => states(base), patience).toEqual(['active', 'waiting']);
    const before = await searched(base);
    const uuid = await attach(base, 'd.txt');
    await reach(uuid, 'ready');
    await expect.poll(() => heldIn(collection.collection_id), patience).toContain('d.txt');
    knowledge.gate.hold('publish', 'd.txt');
    await knowledge.service.documents.reindex(base, uuid);
    await reach(uuid, 'embedding');
    await expect(collections().activate(base, collection.collection_id)).rejects.toMatchObject({ reason: 'conflict' });
    expect(await searched(base)).toBe(before);
    knowledge.gate.letGo('publish', 'd.txt');
  });

  it('wait when nobody can judge them', async () => {
    verdict = () => Promise.reject(new ParleyError('provider_unreachable', 'No connection'));
    const base = await knowledge.base(texts);
    await collections().rebuild(base);
    await expect.poll(() => states(base), patience).toEqual(['active', 'waiting']);
    expect((await collections().list(base))[1]).toMatchObject({
      error: 'The golden questions could not be asked: No connection',
    });
  });

  it('are judged anew when the service ended meanwhile, and not a second time when they were good', async () => {
    let judged = 0;
    verdict = (signal) =>
      new Promise((_, reject) => {
        judged += 1;
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    const base = await knowledge.base(texts);
    const { collection } = await collections().rebuild(base);
    await expect.poll(() => judged, patience).toBe(1);
    await knowledge.service.stop();
    expect(await knowledge.service.collectionStore.byId(collection.collection_id)).toMatchObject({ state: 'building' });
    verdict = async () => {
      judged += 1;
      return { evaluation_uuid: newUuid(), is_lower: false };
    };
    await knowledge.restart();
    await expect.poll(() => searched(base), patience).toBe(collection.collection_id);
    expect(judged).toBe(2);
  });

  it('are given up when somebody says so, however far they are', async () => {
    const base = await knowledge.base(texts);
    const before = await searched(base);
    knowledge.gate.hold('publish', 'b.txt');
    for (const giveUp of ['discard', 'task'] as const) {
      const { collection, task_id } = await collections().rebuild(base);
      const id = collection.collection_id;
      await expect.poll(() => heldIn(id), patience).toEqual(['one', 'three']);
      if (giveUp === 'discard') await collections().discard(base, id);
      else await knowledge.service.tasks.cancel(task_id);
      await expect.poll(() => knowledge.held.has(id), patience).toBe(false);
      await expect.poll(() => runtime(task_id), patience).toMatchObject({ done: true, state: 'CANCELLED' });
      expect(await searched(base)).toBe(before);
    }
    await expect(collections().discard(base, before)).rejects.toMatchObject({ reason: 'conflict' });
    for (const unknown of [newUuid(), 'x']) {
      await expect(collections().discard(base, unknown)).rejects.toMatchObject({ reason: 'not_found' });
      await expect(collections().activate(base, unknown)).rejects.toMatchObject({ reason: 'not_found' });
      await expect(collections().list(unknown)).rejects.toMatchObject({ reason: 'not_found' });
      await expect(collections().rebuild(unknown)).rejects.toMatchObject({ reason: 'not_found' });
    }
    knowledge.gate.letGo('publish', 'b.txt');
  });

  it('fail with a document that cannot be stored, and make way for the next', async () => {
    const base = await knowledge.base(texts);
    const before = await searched(base);
    knowledge.gate.fail('parse', new ParleyError('document_broken', 'It is cut off'));
    const { collection, task_id } = await collections().rebuild(base);
    await expect.poll(() => states(base), patience).toEqual(['active', 'failed']);
    const [, failed] = await collections().list(base);
    expect(failed?.error).toMatch(/^[abc]\.txt: It is cut off$/);
    await expect.poll(() => runtime(task_id), patience).toMatchObject({ done: true, exception: failed?.error });
    expect(await searched(base)).toBe(before);
    const next = await collections().rebuild(base);
    await expect.poll(() => searched(base), patience).toBe(next.collection.collection_id);
    await expect.poll(() => [...knowledge.held.keys()], patience).toEqual([next.collection.collection_id]);
    expect(collection.collection_id).not.toBe(next.collection.collection_id);
  });

  it('are not begun when their engine cannot make them', async () => {
    const base = await knowledge.base(texts);
    knowledge.gate.fail(
      'open',
      new ParleyError('invalid_request', 'x', { details: [{ path: 'prefix', message: 'is wrong' }] }),
    );
    await expect(collections().rebuild(base, { prefix: 'y' })).rejects.toMatchObject({
      reason: 'invalid_request',
      details: [{ path: 'creation_settings.prefix', message: 'is wrong' }],
    });
    await expect.poll(() => states(base), patience).toEqual(['active']);
  });

  it('have documents tried again that failed with the settings of before', async () => {
    const base = await knowledge.base(texts);
    knowledge.gate.fail('ingest', new ParleyError('model_not_configured', 'No such model'));
    const uuid = await attach(base, 'd.txt');
    await reach(uuid, 'failed');
    const { collection } = await collections().rebuild(base, { prefix: '> ' });
    await reach(uuid, 'ready');
    await expect.poll(() => heldIn(collection.collection_id), patience).toContain('> d.txt');
  });

  it('are not searched in vain for a moment while one takes over', async () => {
    const base = await knowledge.base(texts);
    const { signal } = new AbortController();
    let isDone = false;
    const asking = (async () => {
      let asked = 0;
      while (!isDone) {
        expect(await knowledge.service.retrieval.retrieve(base, 'three', { signal })).toHaveLength(1);
        asked += 1;
        // SQLite answers in the same turn, which would never end.
        await nextTurn();
      }
      return asked;
    })();
    for (let round = 0; round < 4; round += 1) {
      const { collection } = await collections().rebuild(base);
      await expect.poll(() => searched(base), patience).toBe(collection.collection_id);
      await expect.poll(() => states(base), patience).toEqual(['active']);
    }
    isDone = true;
    expect(await asking).toBeGreaterThan(0);
  });
});
