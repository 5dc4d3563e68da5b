import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenKnowledge, openKnowledge } from '../../../test/stores/knowledge-fixture.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import { now } from '../../lib/clock.ts';
import { KyselyDocumentStore } from '../../storage/knowledge/kysely-document-store.ts';
import type { DocumentFindings } from './document-store.ts';

const patience = { timeout: 30_000 };

describe('the queue of documents', () => {
  let knowledge: OpenKnowledge;
  beforeEach(async () => {
    knowledge = await openKnowledge();
    await knowledge.service.start();
  });
  afterEach(() => knowledge.close());

  const attach = async (base: string, name: string) => {
    const file_id = await knowledge.service.upload(name, name);
    const { documents } = await knowledge.service.documents.attach(base, { file_id });
    return documents[0]?.uuid ?? '';
  };
  const stage = (uuid: string) => knowledge.service.stage({ uuid });
  const reach = (uuid: string, wanted: string) => expect.poll(() => stage(uuid), patience).toBe(wanted);
  /** The process is killed while it works on a document, several times. */
  const killed = async (uuid: string, times: number, findings: DocumentFindings = {}) => {
    for (let time = 0; time < times; time += 1) {
      const other = await otherReplica(knowledge.storage);
      const store = new KyselyDocumentStore(other.database, other.engine, other.replica);
      const work = await store.begin(uuid, now());
      if (work === null) throw new Error('it was not queued');
      await store.update(work, findings, now());
      await takeOver(other, store);
    }
  };

  it('processes two at the same time, alternating between bases', async () => {
    const [busy, other] = [await knowledge.base(), await knowledge.base()];
    knowledge.gate.hold('parse');
    const first = [];
    for (const name of ['a.txt', 'b.txt', 'c.txt']) first.push(await attach(busy, name));
    for (const uuid of first.slice(0, 2)) await reach(uuid, 'parsing');
    const late = await attach(other, 'late.txt');
    expect(await Promise.all([first[2], late].map((uuid) => stage(uuid ?? '')))).toEqual(['queued', 'queued']);
    // One that ends frees a slot: the other base has none running yet.
    await knowledge.service.documents.cancel(busy, first[0] ?? '');
    await reach(late, 'parsing');
    expect(await stage(first[2] ?? '')).toBe('queued');
    knowledge.gate.letGo('parse');
    for (const uuid of [...first.slice(1), late]) await reach(uuid, 'ready');
  });

  it.each(['parse', 'ingest', 'publish'] as const)(
    'returns a document to the queue when stopped during %s',
    async (step) => {
      const base = await knowledge.base();
      knowledge.gate.hold(step);
      const uuid = await attach(base, 'a.txt');
      const waiting = await attach(base, 'b.txt');
      await expect.poll(() => knowledge.gate.came(step, 'a.txt'), patience).toBe(true);
      const before = await knowledge.service.documents.get(base, uuid);
      const started = performance.now();
      await knowledge.service.stop();
      expect(performance.now() - started).toBeLessThan(900);
      expect(await knowledge.service.documentStore.byUuid(uuid)).toMatchObject({ stage: 'queued', attempts: 0 });
      knowledge.gate.letGo(step);
      await knowledge.restart();
      for (const one of [uuid, waiting]) await reach(one, 'ready');
      const after = await knowledge.service.documents.get(base, uuid);
      expect(after.task_id).toBeGreaterThan(before.task_id ?? 0);
      const [interrupted, task] = [before, after].map(({ task_id }) => knowledge.service.tasks.get(task_id ?? 0));
      expect((await interrupted)?.runtime).toMatchObject({
        state: 'CANCELLED',
        exception: 'interrupted by a stop of the service',
      });
      await expect.poll(async () => (await task)?.runtime.done !== undefined, patience).toBe(true);
    },
  );

  it('resumes after the process was killed, and skips a document that kills it', async () => {
    const base = await knowledge.base();
    await knowledge.service.stop();
    const [twice, often] = [await attachStopped(base, 'a.txt'), await attachStopped(base, 'b.txt')];
    await killed(twice, 2);
    await killed(often, 3);
    await knowledge.restart();
    await reach(twice, 'ready');
    await reach(often, 'failed');
    expect(await knowledge.service.documents.get(base, often)).toMatchObject({
      reason: 'interrupted',
      error: 'The service ended 3 times at the same step of this document',
    });
    // A user may retry it.
    await knowledge.service.documents.retry(base, often);
    await reach(often, 'ready');
  });

  it('finishes a document that gets further before each kill, however many there are', async () => {
    const base = await knowledge.base();
    await knowledge.service.stop();
    const uuid = await attachStopped(base, 'a.txt');
    for (let done = 0; done < 15; done += 1) {
      await killed(uuid, 1, { stage: 'embedding', done, total: 15 });
    }
    await knowledge.restart();
    await reach(uuid, 'ready');
  });

  it('first processes alone what was running when the process ended', async () => {
    const base = await knowledge.base();
    await knowledge.service.stop();
    const suspect = await attachStopped(base, 'a.txt');
    const other = await attachStopped(base, 'b.txt');
    await killed(suspect, 1);
    knowledge.gate.hold('parse', 'a.txt');
    await knowledge.restart();
    await reach(suspect, 'parsing');
    const third = await attach(await knowledge.base(), 'c.txt');
    expect(await Promise.all([other, third].map(stage))).toEqual(['queued', 'queued']);
    knowledge.gate.letGo('parse', 'a.txt');
    for (const uuid of [suspect, other, third]) await reach(uuid, 'ready');
  });

  /** Creates a document while nothing runs. */
  async function attachStopped(base: string, name: string): Promise<string> {
    const file_id = await knowledge.service.upload(name, name);
    await expect(knowledge.service.documents.attach(base, { file_id })).rejects.toMatchObject({ reason: 'not_ready' });
    const documents = await knowledge.service.documents.list(base);
    return documents.at(-1)?.uuid ?? '';
  }
});
