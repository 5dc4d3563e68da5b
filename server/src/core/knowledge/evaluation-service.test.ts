import { ParleyError, type RetrievedPassage } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertMeasuredBase, insertMeasuredDocument } from '../../../test/stores/measured-base.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyEvaluationStore } from '../../storage/knowledge/kysely-evaluation-store.ts';
import { KyselyQuestionStore } from '../../storage/knowledge/kysely-question-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { KyselyTaskStore } from '../../storage/tasks/kysely-task-store.ts';
import { StateEvents } from '../events/state-events.ts';
import { TaskAborted } from '../tasks/task-run.ts';
import { TaskService } from '../tasks/task-service.ts';
import { EvaluationService } from './evaluation-service.ts';
import { GoldenQuestionService } from './golden-question-service.ts';
import type { NamedDocument } from './golden-question-store.ts';
import type { CollectionView, KnowledgeBaseView } from './knowledge-base.ts';
import type { QuestionAnswer } from './question-answerer.ts';
import type { RetrieveOptions } from './retrieval-service.ts';

const model = newUuid();
const patience = { timeout: 30_000 };

describe('evaluations', () => {
  let storage: Storage;
  let tasks: TaskService;
  let questions: GoldenQuestionService;
  let service: EvaluationService;
  let base: KnowledgeBaseView;
  let documents: [NamedDocument, NamedDocument];
  let collections: Pick<CollectionView, 'collection_id' | 'state'>[];
  /** The search results for a question in a collection. */
  let find: (question: string, collectionId: string, signal: AbortSignal) => Promise<RetrievedPassage[]>;
  let answer: () => Promise<QuestionAnswer>;
  let searches: { question: string; options: RetrieveOptions }[];

  const active = () => base.collection_id;
  const passage = (document: NamedDocument, text = 'text', id = newUuid()): RetrievedPassage => ({
    id,
    text,
    distance: 0.1,
    score: 1,
    legs: {},
    metadata: {},
    source: {
      document_id: document.uuid,
      file_id: document.file_uuid,
      file_name: document.file_name,
      page: 2,
      page_end: 2,
      heading_path: [],
      start: 0,
      end: text.length,
    },
  });

  beforeEach(async () => {
    storage = await openTestStorage('sqlite');
    const uuid = await insertMeasuredBase(storage);
    documents = [
      await insertMeasuredDocument(storage, uuid, 'a.md'),
      await insertMeasuredDocument(storage, uuid, 'b.md'),
    ];
    base = { uuid, name: 'B', collection_id: newUuid(), retrieval_settings: {} } as unknown as KnowledgeBaseView;
    collections = [{ collection_id: base.collection_id, state: 'active' }];
    const bases = {
      get: async (asking: string) => {
        if (asking !== uuid) throw new ParleyError('not_found', 'knowledge base not found');
        return base;
      },
    };
    const store = new KyselyQuestionStore(storage.database, storage.engine);
    questions = new GoldenQuestionService(store, bases);
    tasks = new TaskService(new KyselyTaskStore(storage.database, storage.replica), new StateEvents(), {
      logger: silentLogger,
    });
    find = async () => documents.map((document) => passage(document));
    answer = () => Promise.reject(new Error('not expected'));
    searches = [];
    service = new EvaluationService(new KyselyEvaluationStore(storage.database, storage.engine, storage.replica), {
      bases,
      questions: store,
      tasks,
      logger: silentLogger,
      collections: { list: async () => collections as CollectionView[] },
      retrieval: {
        retrieve: (_base, question, options) => {
          searches.push({ question, options });
          return find(question, options.collection_id ?? '', options.signal);
        },
      },
      answer: () => answer(),
      isModel: async (candidate) => candidate === model,
    });
  });
  afterEach(async () => {
    await tasks.stop(5000);
    await storage.close();
  });

  const ask = (question: string, ...expected: object[]) => questions.create(base.uuid, { question, expected });
  const first = () => ({ document_uuid: documents[0].uuid });
  const second = () => ({ document_uuid: documents[1].uuid });
  async function run(request = {}) {
    const { uuid, task_id } = await service.start(base.uuid, request);
    await expect.poll(async () => (await tasks.get(task_id)).runtime.done, patience).toBe(true);
    return { evaluation: await service.get(base.uuid, uuid), task: await tasks.get(task_id) };
  }

  it('run every question on the active collection, and report each result', async () => {
    await ask('First?', first());
    await ask('Second?', { ...second(), quote: 'TEXT' }, { ...first(), grade: 2 });
    const { evaluation, task } = await run();
    expect(searches.map(({ question }) => question).sort()).toEqual(['First?', 'Second?']);
    expect(searches[0]?.options).toMatchObject({ collection_id: active(), retrieval_settings: { top_k: 10 } });
    expect(evaluation).toMatchObject({
      knowledge_base_uuid: base.uuid,
      collection_id: active(),
      state: 'finished',
      asked_by: 'request',
      model_uuid: null,
      error: null,
      figures: {
        questions: 2,
        hit_at_1: 1,
        hit_at_5: 1,
        hit_at_10: 1,
        ndcg_at_10: 1,
        mrr: 1,
        citation_precision: null,
      },
    });
    expect(evaluation.results.map(({ question, rank }) => ({ question, rank }))).toEqual([
      { question: 'First?', rank: 1 },
      { question: 'Second?', rank: 1 },
    ]);
    expect(evaluation.results[0]?.found).toEqual([
      { document_uuid: documents[0].uuid, file_name: 'a.md', page: 2, is_expected: true },
      { document_uuid: documents[1].uuid, file_name: 'b.md', page: 2, is_expected: false },
    ]);
    expect(evaluation.finished_at).toEqual(expect.any(String));
    expect(task).toMatchObject({
      kind: 'knowledge-operation',
      task_context: { metadata: { evaluation_uuid: evaluation.uuid, done: 2, total: 2 } },
      runtime: { exception: null, result: { evaluation_uuid: evaluation.uuid, figures: evaluation.figures } },
    });
    const { results: _, ...summary } = evaluation;
    expect(await service.list(base.uuid)).toEqual([summary]);
  });

  it.each([
    [25, 25],
    [3, 10],
    ['x', 10],
  ])('find at least as many as are counted, where the base finds %j', async (topK, found) => {
    base.retrieval_settings = { top_k: topK };
    await ask('First?', first());
    await run();
    expect(searches[0]?.options.retrieval_settings).toEqual({ top_k: found });
  });

  it('exclude a question that fails or whose documents are gone, and say why', async () => {
    await ask('Good?', second());
    await ask('Bad?', first());
    await ask('Broken?', first());
    await ask('Gone?', first());
    await storage.database
      .updateTable('knowledge_questions')
      .set({ expected: JSON.stringify([{ document_uuid: newUuid(), quote: null, grade: 1 }]) })
      .where('question', '=', 'Gone?')
      .execute();
    find = async (question) => {
      if (question === 'Bad?') throw new ParleyError('provider_timeout', 'The provider is slow');
      if (question === 'Broken?') throw new Error('a secret of ours');
      return documents.map((document) => passage(document));
    };
    const { evaluation } = await run();
    expect(evaluation.state).toBe('finished');
    expect(evaluation.figures).toMatchObject({ questions: 1, hit_at_1: 0, hit_at_5: 1, mrr: 0.5 });
    expect(evaluation.results.map(({ error }) => error)).toEqual([
      null,
      'The provider is slow',
      'An unexpected fault',
      'None of the documents that are expected is there any more',
    ]);
  });

  it('have failed when no question could be evaluated', async () => {
    await ask('First?', first());
    find = () => Promise.reject(new ParleyError('provider_unreachable', 'No connection'));
    const { evaluation, task } = await run();
    expect(evaluation).toMatchObject({
      state: 'failed',
      error: 'No connection',
      results: [{ error: 'No connection' }],
    });
    expect(task.runtime.exception).toBe('No connection');
  });

  it('let a model answer, and count which citations are right', async () => {
    await ask('First?', { ...first(), quote: 'nine lives' });
    const found = passage(documents[0], 'A cat has nine  lives.');
    const [other, third] = [passage(documents[0], 'Dogs have one.'), passage(documents[1], 'nine lives')];
    find = async () => [found, other, third];
    answer = async () => ({
      text: 'Nine [1][2][3].',
      citations: [found, other, third].map(({ id, source }, index) => ({
        number: index + 1,
        knowledge_base_uuid: base.uuid,
        chunk_id: id,
        source,
        quote: null,
      })),
      dropped: 2,
      passages: new Map([found, other, third].map(({ id, text }) => [id, text])),
    });
    const { evaluation } = await run({ model_uuid: model.toUpperCase() });
    expect(evaluation).toMatchObject({ model_uuid: model, figures: { citation_precision: 1 / 3 } });
    expect(evaluation.results[0]?.answer).toEqual({
      text: 'Nine [1][2][3].',
      citations: 3,
      right_citations: 1,
      dropped_citations: 2,
    });
  });

  it('are refused without questions, on a collection that is not complete, and with a model that is none', async () => {
    const refusal = async (request: object, baseUuid = base.uuid) => {
      const error = await service.start(baseUuid, request).catch((reason: unknown) => reason);
      return [(error as ParleyError).reason, (error as ParleyError).details?.[0]?.path];
    };
    expect(await refusal({})).toEqual(['conflict', undefined]);
    await ask('First?', first());
    collections.push({ collection_id: newUuid(), state: 'building' }, { collection_id: newUuid(), state: 'waiting' });
    expect(await refusal({ collection_id: collections[1]?.collection_id })).toEqual(['conflict', undefined]);
    expect(await refusal({ collection_id: newUuid() })).toEqual(['invalid_request', 'collection_id']);
    expect(await refusal({ model_uuid: newUuid() })).toEqual(['invalid_request', 'model_uuid']);
    expect(await refusal({ model_uuid: 'x' })).toEqual(['invalid_request', 'model_uuid']);
    expect(await refusal({}, newUuid())).toEqual(['not_found', undefined]);
    expect(await service.list(base.uuid)).toEqual([]);
    const waiting = collections[2]?.collection_id;
    expect((await run({ collection_id: waiting })).evaluation.collection_id).toBe(waiting);
    await storage.database.deleteFrom('knowledge_documents').execute();
    expect(await refusal({})).toEqual(['conflict', undefined]);
  });

  /** A search that lasts until it is aborted. */
  const endless = (_question: string, _collection: string, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });

  it('end when they are cancelled', async () => {
    for (let number = 0; number < 6; number += 1) await ask(`${number}?`, first());
    find = endless;
    const { uuid, task_id } = await service.start(base.uuid, {});
    await expect.poll(() => searches.length, patience).toBeGreaterThan(0);
    await tasks.cancel(task_id);
    await expect.poll(async () => (await tasks.get(task_id)).runtime.state, patience).toBe('CANCELLED');
    expect(await service.get(base.uuid, uuid)).toMatchObject({ state: 'cancelled', error: 'cancelled', figures: null });
    // Questions that waited for their turn were not searched any more.
    expect(searches.length).toBeLessThan(6);
  });

  it('have failed when the service stops, and when it is gone without a stop', async () => {
    await ask('First?', first());
    find = endless;
    const stopped = await service.start(base.uuid, {});
    await tasks.stop(5000);
    expect(await service.get(base.uuid, stopped.uuid)).toMatchObject({
      state: 'failed',
      error: 'interrupted by a stop of the service',
    });
    await expect(service.start(base.uuid, {})).rejects.toMatchObject({ reason: 'not_ready' });
    const [refused] = await service.list(base.uuid);
    expect(refused).toMatchObject({ state: 'failed', error: 'The server is stopping' });
    await storage.database.updateTable('knowledge_evaluations').set({ state: 'running' }).execute();
    await service.open();
    expect((await service.list(base.uuid)).map(({ state, error }) => [state, error])).toEqual([
      ['failed', 'interrupted by a restart'],
      ['failed', 'interrupted by a restart'],
    ]);
  });

  describe('judge a new collection', () => {
    const fresh = newUuid();
    const judge = (signal = new AbortController().signal) => service.judge(base.uuid, active(), fresh, signal);
    const both = () => documents.map((document) => passage(document));

    it('as not worse when it finds as much, and leave a run of each', async () => {
      await ask('First?', first());
      const verdict = await judge();
      expect(verdict).toEqual({ evaluation_uuid: expect.any(String), is_lower: false });
      expect(await service.get(base.uuid, verdict?.evaluation_uuid ?? '')).toMatchObject({
        collection_id: fresh,
        asked_by: 'rebuild',
        state: 'finished',
      });
      expect((await service.list(base.uuid)).map(({ collection_id }) => collection_id)).toEqual([fresh, active()]);
    });

    it.each<[string, typeof find, boolean]>([
      ['finds it lower down', async (_, at) => (at === fresh ? both().reverse() : both()), true],
      ['finds it higher up', async (_, at) => (at === fresh ? both() : both().reverse()), false],
      ['returns no passages', async (_, at) => (at === fresh ? [] : both()), true],
      [
        'fails where the old one does not',
        async (question, at) => {
          if (at === fresh && question === 'Second?') throw new ParleyError('provider_failed', 'No');
          return both();
        },
        true,
      ],
      [
        'finds where the old one fails',
        async (_, at) => {
          if (at !== fresh) throw new ParleyError('provider_failed', 'No');
          return both();
        },
        false,
      ],
      ['fails as the old one does', () => Promise.reject(new ParleyError('provider_failed', 'No')), true],
    ])('that %s', async (_, finding, isLower) => {
      await ask('First?', first());
      await ask('Second?', first());
      find = finding;
      expect((await judge())?.is_lower).toBe(isLower);
    });

    it('only by questions that can be evaluated', async () => {
      expect(await judge()).toBeNull();
      await ask('First?', first());
      await storage.database.deleteFrom('knowledge_documents').execute();
      expect(await judge()).toBeNull();
      expect(await service.list(base.uuid)).toEqual([]);
    });

    it('only while no other replica has taken them over', async () => {
      await ask('First?', first());
      const late = Promise.withResolvers<RetrievedPassage[]>();
      find = () => late.promise;
      const verdict = judge();
      await expect.poll(() => searches.length, patience).toBe(1);
      const other = await otherReplica(storage);
      await takeOver(storage, new KyselyEvaluationStore(other.database, other.engine, other.replica));
      const taken = await service.list(base.uuid);
      expect(taken).toMatchObject([{ state: 'failed', error: 'interrupted by a restart' }]);
      late.resolve(both());
      await expect(verdict).rejects.toBeInstanceOf(TaskAborted);
      expect(await service.list(base.uuid)).toEqual(taken);
    });

    it('until they are cancelled', async () => {
      await ask('First?', first());
      find = endless;
      const controller = new AbortController();
      const verdict = judge(controller.signal);
      await expect.poll(() => searches.length, patience).toBe(1);
      controller.abort();
      await expect(verdict).rejects.toBe(controller.signal.reason);
      expect((await service.list(base.uuid))[0]?.state).toBe('failed');
    });
  });
});
