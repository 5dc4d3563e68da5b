import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenKnowledge, openKnowledge } from '../../../test/stores/knowledge-fixture.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';

const patience = { timeout: 30_000 };

describe('a document that another replica works on', () => {
  let knowledge: OpenKnowledge;
  /** Has the document; the gate holds its steps only. */
  let busy: Awaited<ReturnType<OpenKnowledge['other']>>;
  let storage: Awaited<ReturnType<typeof otherReplica>>;
  beforeEach(async () => {
    knowledge = await openKnowledge();
    await knowledge.service.start();
    storage = await otherReplica(knowledge.storage);
  });
  afterEach(async () => {
    await busy.stop();
    await knowledge.close();
  });

  /** A document that the other replica has brought to a step. */
  const heldAt = async (step: 'ingest' | 'publish') => {
    const base = await knowledge.base();
    knowledge.gate.hold(step, 'a.txt');
    busy = await knowledge.other({ storage });
    const { documents, task_id } = await busy.documents.attach(base, { file_id: await busy.upload('a.txt', 'one') });
    const uuid = documents[0]?.uuid ?? '';
    await expect.poll(() => knowledge.gate.came(step, 'a.txt'), patience).toBe(true);
    const { collection_id } = await knowledge.service.knowledgeBases.get(base);
    return { base, uuid, task_id, text: () => knowledge.held.get(collection_id)?.get(uuid) ?? null };
  };
  const hasEnded = (taskId: number) => expect.poll(async () => (await busy.tasks.get(taskId)).runtime.done, patience);

  it('is cancelled: the run aborts itself with its next progress', async () => {
    const { base, uuid, task_id, text } = await heldAt('ingest');
    const cancelled = await knowledge.service.documents.cancel(base, uuid);
    expect(cancelled).toMatchObject({ stage: 'cancelled', attempts: 1 });
    // It reaches the next step, and does not get past it.
    knowledge.gate.hold('publish', 'a.txt');
    knowledge.gate.letGo('ingest', 'a.txt');
    await hasEnded(task_id).toBe(true);
    expect(text()).toBeNull();
    expect(await knowledge.service.documents.get(base, uuid)).toEqual(cancelled);
  });

  it('is removed: what the run publishes afterwards is removed', async () => {
    const { base, uuid, task_id, text } = await heldAt('publish');
    await knowledge.service.documents.remove(base, uuid);
    knowledge.gate.letGo('publish', 'a.txt');
    await hasEnded(task_id).toBe(true);
    expect(text()).toBeNull();
    expect(await knowledge.service.stage({ uuid })).toBeNull();
    expect((await busy.tasks.get(task_id)).runtime.exception).toBe('the document was removed');
  });

  it('is taken over: the run that is late changes nothing', async () => {
    const { base, uuid, text } = await heldAt('publish');
    await takeOver(storage, knowledge.service.documentStore);
    await knowledge.service.stop();
    // Another one, that the gate does not hold.
    await knowledge.restart({ at: () => undefined });
    await expect.poll(() => knowledge.service.stage({ uuid }), patience).toBe('ready');
    const before = await knowledge.service.documents.get(base, uuid);
    expect(before).toMatchObject({ attempts: 2, chunk_count: 1 });
    knowledge.gate.letGo('publish', 'a.txt');
    await busy.stop();
    expect(await knowledge.service.documents.get(base, uuid)).toEqual(before);
    // What keeps the document keeps its text, whichever run stored it.
    expect(text()).toBe('one');
  });
});
