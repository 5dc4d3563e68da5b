import { invalidFields, type Logger, ParleyError, problemError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import { TaskAborted } from '../tasks/task-run.ts';
import { cancelled, type TaskService } from '../tasks/task-service.ts';
import type { CollectionJudge, CollectionVerdict } from './collection-judge.ts';
import type { CollectionStore } from './collection-store.ts';
import { askQuestions, type EvaluatedQuestion, figuresOf } from './evaluation-run.ts';
import type { EvaluationStore, EvaluationSummary } from './evaluation-store.ts';
import { noBase } from './existing-base.ts';
import type { Evaluation, QuestionResult } from './golden-question.ts';
import type { GoldenQuestionStore } from './golden-question-store.ts';
import type { StoredKnowledgeBase } from './knowledge-base.ts';
import type { AnswerQuestion } from './question-answerer.ts';
import { isLower } from './ranking-figures.ts';
import type { RecordPage } from './record-page.ts';
import type { RetrievalService } from './retrieval-service.ts';

/** Options of an evaluation. */
export interface NewEvaluation {
  /** The active collection when omitted. */
  collection_id?: string | null | undefined;
  /** A language model that also answers the questions; none when omitted. */
  model_uuid?: string | null | undefined;
}

/** What an evaluation reads of a base. */
type EvaluatedBase = Pick<StoredKnowledgeBase, 'uuid' | 'name' | 'collection_id' | 'retrieval_settings'>;

export interface EvaluationServiceOptions {
  bases: { get(uuid: string): Promise<EvaluatedBase> };
  collections: Pick<CollectionStore, 'list'>;
  questions: Pick<GoldenQuestionStore, 'list' | 'documents'>;
  retrieval: Pick<RetrievalService, 'retrieve'>;
  answer: AnswerQuestion;
  /** Whether there is a language model of this uuid. */
  isModel: (uuid: string) => Promise<boolean>;
  tasks: Pick<TaskService, 'start'>;
  logger: Logger;
}

/** Stored runs per base. */
const storedRuns = 50;

/** Runs of all golden questions of a base on one of its collections. */
export class EvaluationService implements CollectionJudge {
  readonly #store: EvaluationStore;
  readonly #options: EvaluationServiceOptions;

  constructor(store: EvaluationStore, options: EvaluationServiceOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Ends what an earlier run of the service left behind. Call before the first evaluation. */
  open(): Promise<void> {
    return this.#store.recover();
  }

  /**
   * Newest first.
   * @throws ParleyError `not_found` when there is no such base
   */
  async list(baseUuid: string, page: RecordPage = {}): Promise<EvaluationSummary[]> {
    const { uuid } = await this.#options.bases.get(baseUuid);
    return this.#store.list(uuid, page);
  }

  /** @throws ParleyError `not_found` */
  async get(baseUuid: string, uuid: string): Promise<Evaluation> {
    const base = await this.#options.bases.get(baseUuid);
    const evaluation = isUuid(uuid) ? await this.#store.byUuid(base.uuid, uuid.toLowerCase()) : null;
    if (evaluation === null) {
      throw problemError('evaluation_not_found');
    }
    return evaluation;
  }

  /**
   * Starts an evaluation.
   * @param askedBy `reindex` when it is automatic
   * @throws ParleyError `not_found`, `invalid_request` for an unknown model or collection, `conflict` when there are no
   * questions or the collection is not complete, `not_ready` while the service stops
   */
  async start(
    baseUuid: string,
    request: NewEvaluation,
    askedBy: 'request' | 'reindex' = 'request',
  ): Promise<{ uuid: string; task_id: number }> {
    const base = await this.#options.bases.get(baseUuid);
    const collection = await this.#collection(base, request.collection_id ?? base.collection_id);
    const model = request.model_uuid?.toLowerCase() ?? null;
    if (model !== null && !(isUuid(model) && (await this.#options.isModel(model)))) {
      throw invalidFields([{ path: 'model_uuid', message: 'is no language model', rule: 'missing' }]);
    }
    const questions = await this.#questions(base.uuid);
    if (questions.length === 0) throw problemError('no_golden_questions');
    if (!questions.some(({ expected }) => expected.length > 0)) throw problemError('nothing_expected');
    const evaluation = await this.#begin(base, collection, askedBy, model);
    try {
      const task = await this.#options.tasks.start(
        {
          task_type: askedBy === 'request' ? 'user' : 'system',
          kind: 'knowledge-operation',
          name: `knowledge-evaluate-${base.uuid}`,
          label: `Evaluate ${base.name}`,
          scopes: ['application'],
        },
        async (context) => {
          context.setAction('Asking golden questions');
          const total = questions.length;
          context.setMetadata({ evaluation_uuid: evaluation.uuid, done: 0, total });
          const { uuid, state, figures, error } = await this.#run(evaluation, base, questions, {
            signal: context.signal,
            progress: (done) => context.setMetadata({ done, total }),
          });
          if (state === 'failed') throw new ParleyError('conflict', error ?? 'No question could be evaluated');
          return { evaluation_uuid: uuid, figures };
        },
      );
      return { uuid: evaluation.uuid, task_id: task.id };
    } catch (error) {
      await this.#end(evaluation, error);
      throw error;
    }
  }

  async judge(
    baseUuid: string,
    activeCollectionId: string,
    newCollectionId: string,
    signal: AbortSignal,
  ): Promise<CollectionVerdict | null> {
    const base = await this.#options.bases.get(baseUuid);
    const questions = await this.#questions(base.uuid);
    if (!questions.some(({ expected }) => expected.length > 0)) return null;
    const runOn = async (collectionId: string) =>
      this.#run(await this.#begin(base, collectionId, 'rebuild', null), base, questions, { signal });
    const before = evaluated((await runOn(activeCollectionId)).results);
    const evaluation = await runOn(newCollectionId);
    const after = evaluated(evaluation.results);
    // Figures are compared if both have them; questions that only the old one can evaluate count against the new one.
    const isLost = [...before.keys()].some((uuid) => !after.has(uuid));
    const both = [...after.keys()].filter((uuid) => before.has(uuid));
    const figures = (results: ReadonlyMap<string, QuestionResult>) =>
      figuresOf(both.map((uuid) => results.get(uuid) as QuestionResult));
    const isWorse = evaluation.state === 'failed' || isLost || isLower(figures(after), figures(before));
    return { evaluation_uuid: evaluation.uuid, is_lower: isWorse };
  }

  async #collection(base: EvaluatedBase, collectionId: string): Promise<string> {
    const collections = await this.#options.collections.list(base.uuid);
    const collection = collections.find(({ collection_id }) => collection_id === collectionId.toLowerCase());
    if (collection === undefined) {
      throw invalidFields([{ path: 'collection_id', message: 'is no collection of this knowledge base' }]);
    }
    if (collection.state !== 'active' && collection.state !== 'waiting') {
      throw problemError('collection_incomplete', { state: collection.state });
    }
    return collection.collection_id;
  }

  /** All questions, each with those of its documents that are there. */
  async #questions(baseUuid: string): Promise<EvaluatedQuestion[]> {
    const { questions: store } = this.#options;
    const questions = await store.list(baseUuid);
    const uuids = questions.flatMap(({ expected }) => expected.map(({ document_uuid }) => document_uuid));
    const there = new Set((await store.documents(baseUuid, { uuids })).map(({ uuid }) => uuid));
    return questions.map(({ uuid, question, expected }) => ({
      uuid,
      question,
      expected: expected.filter(({ document_uuid }) => there.has(document_uuid)),
    }));
  }

  async #begin(
    { uuid }: EvaluatedBase,
    collectionId: string,
    askedBy: Evaluation['asked_by'],
    modelUuid: string | null,
  ): Promise<Evaluation> {
    const evaluation: Evaluation = {
      uuid: newUuid(),
      knowledge_base_uuid: uuid,
      collection_id: collectionId,
      state: 'running',
      asked_by: askedBy,
      model_uuid: modelUuid,
      figures: null,
      results: [],
      error: null,
      created_at: now(),
      finished_at: null,
    };
    // Deleted meanwhile.
    if (!(await this.#store.create(evaluation, storedRuns))) {
      throw noBase();
    }
    return evaluation;
  }

  /**
   * @returns the ended evaluation
   * @throws the error that interrupted it, which is recorded
   * @throws TaskAborted when the base is gone, or another replica has taken over: the evaluation does not count
   */
  async #run(
    evaluation: Evaluation,
    base: EvaluatedBase,
    questions: readonly EvaluatedQuestion[],
    options: { signal: AbortSignal; progress?: (done: number) => void },
  ): Promise<Evaluation> {
    try {
      const plan = { ...evaluation, retrieval_settings: base.retrieval_settings };
      const results = await askQuestions(plan, questions, this.#options, options);
      const ended = { ...evaluation, ...outcome(results), finished_at: now() };
      if (!(await this.#store.end(ended)))
        throw new TaskAborted('the evaluation is gone, or was ended by another replica');
      return ended;
    } catch (error) {
      await this.#end(evaluation, error);
      throw error;
    }
  }

  /** Records that an evaluation failed. */
  async #end(evaluation: Evaluation, reason: unknown): Promise<void> {
    const isAborted = reason instanceof Error && reason.name === 'AbortError';
    const isCancelled = reason instanceof TaskAborted && reason.message === cancelled;
    await this.#store.end({
      ...evaluation,
      state: isCancelled ? 'cancelled' : 'failed',
      error: reason instanceof ParleyError || isAborted ? reason.message : 'An unexpected fault',
      finished_at: now(),
    });
  }
}

/** An evaluation with errors in all questions has failed. */
function outcome(results: QuestionResult[]): Pick<Evaluation, 'state' | 'results' | 'figures' | 'error'> {
  const figures = figuresOf(results);
  const isNone = figures.questions === 0;
  return {
    state: isNone ? 'failed' : 'finished',
    results,
    figures,
    error: isNone ? (results[0]?.error ?? null) : null,
  };
}

/** The results without an error, by the uuids of the questions. */
function evaluated(results: readonly QuestionResult[]): Map<string, QuestionResult> {
  return new Map(results.filter(({ error }) => error === null).map((result) => [result.question_uuid, result]));
}
