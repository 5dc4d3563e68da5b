import type { Logger } from '@parley/sdk';
import type { InFlight } from '../../lib/in-flight.ts';
import { WorkerLoop } from '../../lib/worker-loop.ts';
import type { FileService } from '../files/file-service.ts';
import type { CollectionStore } from './collection-store.ts';
import type { DocumentQueue } from './document-queue.ts';
import type { StoredCollection } from './knowledge-base.ts';
import type { KnowledgeEngines } from './knowledge-engines.ts';

export interface CollectionRemoverOptions {
  engines: Pick<KnowledgeEngines, 'drop'>;
  queue: Pick<DocumentQueue, 'halt'>;
  files: Pick<FileService, 'removeDiscarded'>;
  /** Searches in progress, by base. */
  inFlight: InFlight;
  logger: Logger;
  /** Time until an engine that failed is retried, milliseconds. Default one minute. */
  retryDelayMs?: number;
}

const defaultDelay = 60_000;
/** Files that are removed between two checks for a stop. */
const filesAtOnce = 100;

/** Removes what collections that are `dropping` hold, and files that were discarded. */
export class CollectionRemover {
  readonly #store: Pick<CollectionStore, 'dropping' | 'delete'>;
  readonly #options: CollectionRemoverOptions;
  readonly #loop: WorkerLoop;

  constructor(store: Pick<CollectionStore, 'dropping' | 'delete'>, options: CollectionRemoverOptions) {
    this.#store = store;
    this.#options = options;
    this.#loop = new WorkerLoop(() => this.#look(), {
      failed: (error) => this.#options.logger.error({ error }, 'failed to find collections to remove'),
      retryDelayMs: options.retryDelayMs ?? defaultDelay,
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** There is something to remove. Until the start, it waits. */
  wake(): void {
    this.#loop.wake();
  }

  /** Running work is finished. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** @returns when what failed is tried again */
  async #look(): Promise<number | null> {
    let hasFailed = false;
    for (const collection of await this.#store.dropping()) {
      if (this.#loop.isStopped) return null;
      hasFailed = !(await this.#drop(collection)) || hasFailed;
    }
    while (!this.#loop.isStopped && (await this.#options.files.removeDiscarded(filesAtOnce)) > 0);
    return hasFailed ? (this.#options.retryDelayMs ?? defaultDelay) : null;
  }

  async #drop(collection: StoredCollection): Promise<boolean> {
    const { collection_id, knowledge_base_uuid } = collection;
    try {
      await this.#options.queue.halt('stop', ({ collectionId }) => collectionId === collection_id);
      // Searches in progress finish; new ones use another collection.
      await this.#options.inFlight.settled(knowledge_base_uuid);
      await this.#options.engines.drop(collection);
      await this.#store.delete(collection_id);
      return true;
    } catch (error) {
      this.#options.logger.warn({ collection_id, error }, 'a collection could not be removed yet');
      return false;
    }
  }
}
