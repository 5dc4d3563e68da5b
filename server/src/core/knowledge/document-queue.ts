import { type Logger, ParleyError } from '@parley/sdk';
import pRetry from 'p-retry';
import { now } from '../../lib/clock.ts';
import { type LoopDuty, WorkerLoop } from '../../lib/worker-loop.ts';
import type { KnowledgeDocument } from './document.ts';
import type { DocumentIngestion, IngestionReport } from './document-ingestion.ts';
import { DocumentProgress } from './document-progress.ts';
import type { DocumentEnding, DocumentStore, DocumentWork } from './document-store.ts';
import type { DocumentTasks } from './document-tasks.ts';
import type { StoredCollection } from './knowledge-base.ts';

/** Indexing into collections that are not searched yet. */
export interface Rebuilds {
  /** Collections that are ready to take documents. */
  open(): Promise<Pick<StoredCollection, 'collection_id' | 'knowledge_base_uuid'>[]>;
  /** A document was stored in one. */
  stored(collectionId: string): void;
  /** A document could not be stored in one. */
  failed(collectionId: string, document: KnowledgeDocument, error: ParleyError): Promise<void>;
}

export interface DocumentQueueOptions {
  ingestion: Pick<DocumentIngestion, 'run' | 'remove'>;
  tasks: DocumentTasks;
  rebuilds: Rebuilds;
  /** The runs in progress, shared with other components. Default: a new set. */
  running?: Set<DocumentRun>;
  logger: Logger;
  /** Documents at the same time; default 2. */
  concurrency?: number;
  /** Least time between two writes of how far a document is, milliseconds; default 1000. */
  saveIntervalMs?: number;
  /** Time until another look when the store failed, milliseconds; default 1000. */
  retryDelayMs?: number;
  /** No document is begun while it is not this replica's. Default: it always is. */
  duty?: LoopDuty | undefined;
}

/**
 * Why a run is to end: it is resumed later or by another replica, a user cancelled it, or its document or collection is
 * being removed.
 */
type Halt = 'stop' | 'cancel' | 'remove';

/** Work that can be started. */
interface Candidate {
  uuid: string;
  base: string;
  /** Null for the one that is searched. */
  collection: string | null;
  /** An earlier attempt did not finish: it may be the cause of a crash. */
  isSuspect: boolean;
}

/** A document that is being stored in a collection. */
export interface DocumentRun extends Candidate {
  collectionId: string;
  abort: AbortController;
  halt: Halt | null;
  ended: Promise<void>;
}

/**
 * A document is abandoned after the process ended this often while it was indexed without more progress than before: at
 * the same step, of which embedding chunks counts as many. Waiting documents are not counted.
 */
const maximumAttempts = 3;

const actions = { parsing: 'Parsing file', chunking: 'Cutting into chunks', embedding: 'Embedding' };

/**
 * Indexes documents, several at the same time, alternating between bases. The queue is in the store, so a restart loses
 * nothing. Unfinished work runs alone, so that one document that crashes the process does not implicate others each
 * time.
 */
export class DocumentQueue {
  readonly #store: DocumentStore;
  readonly #options: Required<Omit<DocumentQueueOptions, 'running' | 'duty'>>;
  readonly #running: Set<DocumentRun>;
  /** Documents that must not start, with the number of callers that block each. */
  readonly #held = new Map<string, number>();
  readonly #loop: WorkerLoop;
  #isGivenUp = false;

  constructor(store: DocumentStore, options: DocumentQueueOptions) {
    this.#store = store;
    this.#running = options.running ?? new Set();
    this.#options = { concurrency: 2, saveIntervalMs: 1000, retryDelayMs: 1000, ...options };
    this.#loop = new WorkerLoop({
      look: () => this.#look(),
      failed: (error) => this.#options.logger.error({ error }, 'could not look for documents that are to be stored'),
      retryDelayMs: this.#options.retryDelayMs,
      concurrency: this.#options.concurrency,
      duty: options.duty,
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** There may be something to store. Until the start, it waits. */
  wake(): void {
    this.#loop.wake();
  }

  /** Starts nothing more, and returns running documents to the queue. What does not end is left to the next start. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isGivenUp = !(await this.#loop.stop(0, timeoutMs));
    if (this.#isGivenUp) {
      this.#options.logger.error({ documents: this.#running.size }, 'documents did not stop in time');
    }
    this.#options.tasks.stop();
  }

  /** Ends runs, and waits until they have ended. */
  async halt(
    halt: Halt,
    matches: (run: { uuid: string; base: string; collectionId: string; collection: string | null }) => boolean,
  ): Promise<void> {
    const runs = [...this.#running].filter(matches);
    for (const run of runs) {
      run.halt ??= halt;
      if (halt === 'remove') run.halt = halt;
      run.abort.abort();
    }
    await Promise.all(runs.map(({ ended }) => ended));
  }

  /** Blocks a document while a function runs; its running work is ended. */
  async without<Result>(documentUuid: string, halt: Halt, work: () => Promise<Result>): Promise<Result> {
    this.#held.set(documentUuid, (this.#held.get(documentUuid) ?? 0) + 1);
    try {
      await this.halt(halt, ({ uuid }) => uuid === documentUuid);
      return await work();
    } finally {
      const held = (this.#held.get(documentUuid) ?? 1) - 1;
      if (held > 0) this.#held.set(documentUuid, held);
      else this.#held.delete(documentUuid);
      this.wake();
    }
  }

  async #look(): Promise<number | null> {
    while (this.#loop.hasRoom) {
      if ([...this.#running].some(({ isSuspect }) => isSuspect)) break;
      const candidate = await this.#next();
      if (candidate === undefined || (candidate.isSuspect && this.#running.size > 0)) break;
      await this.#begin(candidate);
    }
    return null;
  }

  /** The next work: of the base with the fewest running, queued documents before those of a rebuild. */
  async #next(): Promise<Candidate | undefined> {
    const under = Map.groupBy(this.#running, ({ base }) => base);
    const runningOf = ({ base }: Candidate) => under.get(base)?.length ?? 0;
    const candidates = [...(await this.#queued()), ...(await this.#missing())];
    return candidates.sort((left, right) => runningOf(left) - runningOf(right)).at(0);
  }

  async #queued(): Promise<Candidate[]> {
    const documents = await this.#store.firstQueued();
    return documents
      .filter(({ uuid }) => this.#isFree(uuid, null))
      .map(({ uuid, knowledge_base_uuid: base, attempts }) => ({
        uuid,
        base,
        collection: null,
        isSuspect: attempts > 0,
      }));
  }

  async #missing(): Promise<Candidate[]> {
    const candidates: Candidate[] = [];
    for (const { collection_id: collection, knowledge_base_uuid: base } of await this.#options.rebuilds.open()) {
      const missing = await this.#store.missing(collection, 1 + this.#running.size + this.#held.size);
      const first = missing.find(({ uuid }) => this.#isFree(uuid, collection));
      if (first !== undefined) candidates.push({ uuid: first.uuid, base, collection, isSuspect: first.attempts > 0 });
    }
    return candidates;
  }

  #isFree(documentUuid: string, collection: string | null): boolean {
    if (this.#held.has(documentUuid)) return false;
    return ![...this.#running].some((run) => run.uuid === documentUuid && run.collection === collection);
  }

  async #begin(candidate: Candidate): Promise<void> {
    const { uuid, collection } = candidate;
    const ended = Promise.withResolvers<void>();
    // Registered before the first await, so that a caller who halts a document finds it.
    const run: DocumentRun = {
      ...candidate,
      collectionId: collection ?? '',
      abort: new AbortController(),
      halt: null,
      ended: ended.promise,
    };
    this.#running.add(run);
    const end = () => {
      this.#running.delete(run);
      ended.resolve();
    };
    const beginning =
      collection === null ? this.#store.begin(uuid, now()) : this.#store.beginBeside(uuid, collection, now());
    const work = await beginning.catch((error: unknown) => {
      end();
      throw error;
    });
    if (work === null) return end();
    run.collectionId = work.collection_id;
    void this.#loop.run(async (stopping) => {
      try {
        await this.#run(run, work, AbortSignal.any([run.abort.signal, stopping]));
      } catch (error) {
        // It is resumed after the next start.
        this.#options.logger.error({ document: uuid, error }, 'failed to store the outcome of a document');
      } finally {
        end();
      }
    });
  }

  async #run(run: DocumentRun, work: DocumentWork, signal: AbortSignal): Promise<void> {
    const isBeside = work.is_beside;
    const progress = new DocumentProgress(run.uuid, {
      // A run for a rebuild is not shown, but its progress shows whether a document crashes the process.
      store: (findings) => {
        const { stage = 'parsing', done = 0 } = findings;
        return isBeside ? this.#store.noteBeside(work, { stage, done }) : this.#store.update(work, findings, now());
      },
      outdated: () => {
        run.halt ??= 'stop';
        run.abort.abort();
      },
      logger: this.#options.logger,
      intervalMs: this.#options.saveIntervalMs,
    });
    let ending: DocumentEnding;
    try {
      signal.throwIfAborted();
      if (work.attempt > maximumAttempts) throw deadly(work);
      const report = isBeside ? besideReport(progress) : await this.#report(work.document, progress);
      const chunk_count = await this.#options.ingestion.run(work, { signal, report });
      ending = { stage: 'ready', chunk_count };
    } catch (error) {
      ending = this.#endingAfter(error, run, signal);
    }
    await progress.end();
    if (this.#isGivenUp) return;
    if (isBeside) await this.#endBeside(work, ending);
    else await this.#end(work, ending, run.halt);
  }

  async #end(work: DocumentWork, ending: DocumentEnding, halt: Halt | null): Promise<void> {
    // The caller that removes the document does the rest; until then it must not appear to be running.
    const recorded: DocumentEnding = halt === 'remove' ? { stage: 'queued' } : ending;
    const document = await this.#surely(() => this.#store.end(work, recorded, now()));
    if (document === null) await this.#dropOutdated(work);
    else if (document.stage === 'queued') this.#options.tasks.context(document.uuid)?.setAction('Waiting');
    else this.#options.tasks.ended(document);
  }

  async #endBeside(work: DocumentWork, ending: DocumentEnding): Promise<void> {
    const { rebuilds } = this.#options;
    const chunkCount = ending.stage === 'ready' ? ending.chunk_count : null;
    if (!(await this.#surely(() => this.#store.endBeside(work, chunkCount)))) return this.#removeLeftOver(work);
    if (ending.stage === 'ready') rebuilds.stored(work.collection_id);
    if (ending.stage === 'failed') {
      await rebuilds.failed(work.collection_id, work.document, new ParleyError(ending.reason, ending.error));
    }
  }

  /** Drops a run that another replica has taken over, or whose document was removed or cancelled there. */
  async #dropOutdated(work: DocumentWork): Promise<void> {
    const { uuid } = work.document;
    await this.#removeLeftOver(work);
    const document = await this.#store.byUuid(uuid);
    const hasEnded = document !== null && ended.includes(document.stage);
    this.#options.tasks.ended(hasEnded ? document : { uuid, stage: document === null ? 'gone' : 'elsewhere' });
  }

  /**
   * What the built-in engine publishes on PostgreSQL is checked in the same transaction, so there is nothing to remove. Other
   * engines are asked to remove the document when nothing keeps it. Where another run has stored it meanwhile, what
   * this one stored after that stays until the document is indexed again.
   */
  async #removeLeftOver(work: DocumentWork): Promise<void> {
    if (await this.#store.isLeftOver(work)) await this.#options.ingestion.remove(work);
  }

  async #report(document: KnowledgeDocument, progress: DocumentProgress): Promise<IngestionReport> {
    const { tasks } = this.#options;
    await tasks.ensure(document);
    const task = tasks.context(document.uuid);
    let current: string | null = null;
    return {
      stage: (stage, done, total) => {
        progress.note({ stage, done, total }, stage === current ? 'soon' : 'now');
        current = stage;
        task?.setAction(actions[stage]);
        task?.setMetadata({ stage, done, total });
      },
      parsed: ({ title, page_kind, pages, warnings }) => {
        progress.note({ title, page_kind, pages, warnings: warnings.slice(0, maximumWarnings) }, 'now');
        for (const warning of warnings.slice(0, maximumWarnings)) task?.log(warning);
      },
      again: (error, milliseconds) => task?.log(`${error.message}; tried again in ${Math.ceil(milliseconds / 1000)} s`),
    };
  }

  #endingAfter(error: unknown, run: DocumentRun, signal: AbortSignal): DocumentEnding {
    const isStopping = error instanceof ParleyError && error.reason === 'not_ready';
    if (isStopping && !signal.aborted) return { stage: 'queued' };
    if (signal.aborted) return { stage: run.halt === 'cancel' ? 'cancelled' : 'queued' };
    if (error instanceof ParleyError) return { stage: 'failed', reason: error.reason, error: error.message };
    this.#options.logger.error({ document: run.uuid, error }, 'a document could not be stored');
    return { stage: 'failed', reason: 'internal', error: 'An unexpected fault' };
  }

  /** A document must not appear to be running because the database was briefly unavailable. */
  #surely<Result>(write: () => Promise<Result>): Promise<Result> {
    return pRetry(write, { retries: 5, minTimeout: this.#options.retryDelayMs, unref: true });
  }
}

/** Stages in which nothing runs. */
const ended: readonly string[] = ['ready', 'failed', 'cancelled'];
/** Most stored warnings of one document. */
const maximumWarnings = 100;

function besideReport(progress: DocumentProgress): IngestionReport {
  let current: string | null = null;
  return {
    stage: (stage, done) => {
      progress.note({ stage, done }, stage === current ? 'soon' : 'now');
      current = stage;
    },
    parsed: () => undefined,
    again: () => undefined,
  };
}

function deadly({ attempt }: DocumentWork): ParleyError {
  const times = attempt - 1;
  return new ParleyError('interrupted', `The service ended ${times} times at the same step of this document`);
}
