import type { Logger } from '@parley/sdk';
import type { InFlight } from '../../lib/in-flight.ts';
import { type LoopDuty, WorkerLoop } from '../../lib/worker-loop.ts';
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
  duty?: LoopDuty;
  /** Time until an engine that failed is retried, milliseconds. Default one minute. */
  retryDelayMs?: number;
}

/** Files that are removed between two checks for a stop. */
const filesAtOnce = 100;

/** Removes what collections that are `dropping` hold, and files that were discarded. */
export function createCollectionRemover(
  store: Pick<CollectionStore, 'dropping' | 'delete'>,
  { engines, queue, files, inFlight, logger, duty, retryDelayMs = 60_000 }: CollectionRemoverOptions,
): WorkerLoop {
  const drop = async (collection: StoredCollection): Promise<boolean> => {
    const { collection_id, knowledge_base_uuid } = collection;
    try {
      await queue.halt('stop', ({ collectionId }) => collectionId === collection_id);
      // Searches in progress finish; new ones use another collection.
      await inFlight.settled(knowledge_base_uuid);
      await engines.drop(collection);
      await store.delete(collection_id);
      return true;
    } catch (error) {
      logger.warn({ collection_id, error }, 'a collection could not be removed yet');
      return false;
    }
  };
  return new WorkerLoop({
    async look(loop) {
      let hasFailed = false;
      for (const collection of await store.dropping()) {
        if (loop.isStopped) return null;
        hasFailed = !(await drop(collection)) || hasFailed;
      }
      while (!loop.isStopped && (await files.removeDiscarded(filesAtOnce)) > 0);
      return hasFailed ? retryDelayMs : null;
    },
    failed: (error) => logger.error({ error }, 'failed to find collections to remove'),
    retryDelayMs,
    duty,
  });
}
