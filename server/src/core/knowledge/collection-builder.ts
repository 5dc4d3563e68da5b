import { type Logger, ParleyError, problemError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { WorkerLoop } from '../../lib/worker-loop.ts';
import { TaskAborted, type TaskContext } from '../tasks/task-run.ts';
import { cancelled, type TaskService } from '../tasks/task-service.ts';
import type { CollectionJudge } from './collection-judge.ts';
import type { CollectionStore } from './collection-store.ts';
import type { KnowledgeDocument } from './document.ts';
import type { DocumentRun, Rebuilds } from './document-queue.ts';
import type { DocumentStore } from './document-store.ts';
import type { CollectionState, StoredCollection } from './knowledge-base.ts';
import type { KnowledgeBaseStore } from './knowledge-base-store.ts';
import type { KnowledgeEngines } from './knowledge-engines.ts';

export interface CollectionBuilderOptions {
  collections: CollectionStore;
  documents: Pick<DocumentStore, 'progress'>;
  bases: Pick<KnowledgeBaseStore, 'byUuid'>;
  engines: Pick<KnowledgeEngines, 'open'>;
  tasks: Pick<TaskService, 'start'>;
  /** Null without a comparison. */
  judge: () => CollectionJudge | null;
  /** Documents that are being stored. */
  running: Iterable<Pick<DocumentRun, 'collectionId'>>;
  /** Called when documents may be stored in a collection, and when one took over. */
  changed: () => void;
  /** Called when a user cancels the task of a rebuild. */
  cancel: (collectionId: string) => void;
  logger: Logger;
  /** Time until another look when something failed, milliseconds; default 1000. */
  retryDelayMs?: number;
}

/** A task that shows the progress of a rebuild. */
interface LiveTask {
  baseUuid: string;
  context: TaskContext;
  end: PromiseWithResolvers<unknown>;
}

/** Builds collections in the background and activates them when they are complete. */
export class CollectionBuilder implements Rebuilds {
  readonly #options: Required<CollectionBuilderOptions>;
  readonly #loop: WorkerLoop;
  readonly #stopping = new AbortController();
  /** Collections that another caller prepares. */
  readonly #held = new Set<string>();
  readonly #opened = new Set<string>();
  readonly #tasks = new Map<string, LiveTask>();

  constructor(options: CollectionBuilderOptions) {
    this.#options = { retryDelayMs: 1000, ...options };
    this.#loop = new WorkerLoop({
      look: () => this.#look(),
      failed: (error) => this.#options.logger.error({ error }, 'could not look for collections that are built'),
      retryDelayMs: this.#options.retryDelayMs,
    });
  }

  start(): void {
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  /** Interrupted evaluations run again after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort(new TaskAborted('interrupted by a stop of the service'));
    await this.#loop.stop();
    for (const { end } of this.#tasks.values()) end.reject(this.#stopping.signal.reason);
    this.#tasks.clear();
  }

  /**
   * Prepares a collection that was just created, and starts filling it.
   * @param beforeStart called once its engine has it, before it is filled
   * @returns the number of its task
   * @throws ParleyError when its engine cannot create it, or the error of `beforeStart`; it is dropped then
   */
  async begin(collection: StoredCollection, beforeStart?: () => Promise<void>): Promise<number> {
    const { collection_id } = collection;
    this.#held.add(collection_id);
    try {
      await this.#options.engines.open(collection);
      await beforeStart?.();
      this.#opened.add(collection_id);
      return await this.#ensureTask(collection);
    } catch (error) {
      await this.#options.collections.change(collection_id, ['building'], { state: 'dropping', updated_at: now() });
      throw error;
    } finally {
      this.#held.delete(collection_id);
      this.#options.changed();
    }
  }

  /** Has a collection that is complete take over. @throws ParleyError `not_found` or `conflict` */
  async activate(collectionId: string): Promise<void> {
    const refusal = await this.#options.collections.activate(collectionId, now());
    if (refusal === 'not_found') throw problemError('collection_not_found');
    if (refusal === 'incomplete') {
      throw problemError('documents_being_stored');
    }
    this.#settle(collectionId, { state: 'active' });
    this.#options.changed();
  }

  /** Says that a collection is not built any more. */
  discarded(collectionId: string): void {
    this.#settle(collectionId, new TaskAborted(cancelled));
  }

  /** Says that a base is gone. */
  baseRemoved(baseUuid: string): void {
    const collections = [...this.#tasks].filter(([, task]) => task.baseUuid === baseUuid);
    for (const [collectionId] of collections)
      this.#settle(collectionId, new TaskAborted('the knowledge base was removed'));
  }

  async open(): Promise<StoredCollection[]> {
    const collections = await this.#options.collections.built();
    return collections.filter(({ collection_id }) => this.#opened.has(collection_id));
  }

  stored(): void {
    this.wake();
  }

  async failed(collectionId: string, { file_name }: KnowledgeDocument, error: ParleyError): Promise<void> {
    await this.#fail(collectionId, new ParleyError(error.reason, `${file_name}: ${error.message}`));
  }

  async #look(): Promise<number | null> {
    let hasFailed = false;
    const collections = await this.#options.collections.built();
    await this.#settleOthers(new Set(collections.map(({ collection_id }) => collection_id)));
    for (const collection of collections) {
      if (this.#loop.isStopped) return null;
      if (this.#held.has(collection.collection_id)) continue;
      try {
        await this.#further(collection);
      } catch (error) {
        if (this.#stopping.signal.aborted) return null;
        const { collection_id } = collection;
        this.#options.logger.error({ collection_id, error }, 'a collection could not be built further');
        hasFailed = true;
      }
    }
    return hasFailed ? this.#options.retryDelayMs : null;
  }

  /** Ends the tasks of collections that were settled by another replica, or are built by it now. */
  async #settleOthers(built: ReadonlySet<string>): Promise<void> {
    for (const collectionId of [...this.#tasks.keys()]) {
      if (built.has(collectionId)) continue;
      const collection = await this.#options.collections.byId(collectionId);
      const { state, error = null } = collection ?? { state: 'dropping' };
      if (state === 'active') this.#settle(collectionId, { state });
      else if (state === 'failed') this.#settle(collectionId, new ParleyError('internal', error ?? ''));
      else if (state === 'dropping') this.#settle(collectionId, new TaskAborted(cancelled));
      else this.#settle(collectionId, new TaskAborted('the knowledge base is being rebuilt by another replica'));
    }
  }

  async #further(collection: StoredCollection): Promise<void> {
    const { collection_id, state } = collection;
    if (!(await this.#isOpen(collection)) || state === 'waiting') return;
    await this.#ensureTask(collection);
    const { done, total } = await this.#options.documents.progress(collection_id);
    const task = this.#tasks.get(collection_id)?.context;
    task?.setAction('Storing documents');
    task?.setMetadata({ done, total });
    const isBusy = [...this.#options.running].some(({ collectionId }) => collectionId === collection_id);
    if (done < total || isBusy) return;
    if (collection.evaluation_uuid === null && !(await this.#isGood(collection, task))) return;
    task?.setAction('Switching');
    const refusal = await this.#options.collections.activate(collection_id, now());
    // Documents were added meanwhile; it continues when they are stored.
    if (refusal !== null) return;
    this.#settle(collection_id, { state: 'active' });
    this.#options.changed();
  }

  /** @returns false when its engine cannot prepare it, which is recorded */
  async #isOpen(collection: StoredCollection): Promise<boolean> {
    const { collection_id } = collection;
    if (this.#opened.has(collection_id)) return true;
    try {
      await this.#options.engines.open(collection);
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      await this.#fail(collection_id, error);
      return false;
    }
    this.#opened.add(collection_id);
    this.#options.changed();
    return true;
  }

  /** Whether it may take over; else it waits for a decision. */
  async #isGood(collection: StoredCollection, task: TaskContext | undefined): Promise<boolean> {
    const { collection_id, knowledge_base_uuid } = collection;
    const judge = this.#options.judge();
    const base = await this.#options.bases.byUuid(knowledge_base_uuid);
    if (judge === null || base === null) return base !== null;
    task?.setAction('Asking golden questions');
    const signals = [this.#stopping.signal, ...(task === undefined ? [] : [task.signal])];
    let state: CollectionState = 'building';
    let evaluation_uuid: string | null = null;
    let error: string | null = null;
    try {
      const verdict = await judge.judge(base.uuid, base.collection_id, collection_id, AbortSignal.any(signals));
      if (verdict === null) return true;
      evaluation_uuid = verdict.evaluation_uuid;
      if (verdict.is_lower) state = 'waiting';
    } catch (fault) {
      // Stopped, or another replica has taken the evaluation over.
      if (signals.some(({ aborted }) => aborted) || fault instanceof TaskAborted) return false;
      this.#options.logger.error({ collection_id, error: fault }, 'a collection could not be judged');
      state = 'waiting';
      error = `The golden questions could not be evaluated: ${fault instanceof ParleyError ? fault.message : 'an unexpected error'}`;
    }
    const changes = { state, evaluation_uuid, error, updated_at: now() };
    const isChanged = await this.#options.collections.change(collection_id, ['building'], changes);
    if (state === 'waiting' && isChanged) this.#settle(collection_id, { state, evaluation_uuid, error });
    return isChanged && state === 'building';
  }

  async #fail(collectionId: string, error: ParleyError): Promise<void> {
    const { collections } = this.#options;
    const changes = { state: 'failed', error: error.message, updated_at: now() } as const;
    if (await collections.change(collectionId, ['building', 'waiting'], changes)) this.#settle(collectionId, error);
  }

  async #ensureTask({ collection_id, knowledge_base_uuid }: StoredCollection): Promise<number> {
    const live = this.#tasks.get(collection_id);
    if (live !== undefined) return live.context.task_id;
    const task = await this.#options.tasks.start(
      {
        task_type: 'user',
        kind: 'knowledge-operation',
        name: `knowledge-rebuild-${knowledge_base_uuid}`,
        label: 'Rebuild a knowledge base',
        scopes: ['application'],
      },
      (context) => {
        const end = Promise.withResolvers<unknown>();
        this.#tasks.set(collection_id, { baseUuid: knowledge_base_uuid, context, end });
        context.setMetadata({ knowledge_base_uuid, collection_id, done: 0, total: 0 });
        const abort = () => {
          if (this.#tasks.get(collection_id)?.context === context) this.#options.cancel(collection_id);
        };
        context.signal.addEventListener('abort', abort, { once: true });
        return end.promise;
      },
    );
    return task.id;
  }

  #settle(collectionId: string, outcome: Record<string, unknown> | Error): void {
    const task = this.#tasks.get(collectionId);
    this.#tasks.delete(collectionId);
    if (outcome instanceof Error) task?.end.reject(outcome);
    else task?.end.resolve({ collection_id: collectionId, ...outcome });
  }
}
