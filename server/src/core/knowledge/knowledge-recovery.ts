import type { Logger } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import type { ChunkStore, KnownDocuments } from './chunk-store.ts';
import type { CollectionContent, CollectionStore } from './collection-store.ts';
import type { DocumentStore } from './document-store.ts';
import type { KnowledgeEngines } from './knowledge-engines.ts';

export interface KnowledgeRecoveryOptions {
  collections: CollectionStore;
  documents: Pick<DocumentStore, 'recover'>;
  chunks: Pick<ChunkStore, 'sweep' | 'documents' | 'statistics'>;
  engines: Pick<KnowledgeEngines, 'open'>;
  logger: Logger;
}

/**
 * Recovers from an interrupted process. Called before this one stores anything; what other living replicas work on is left
 * alone.
 */
export async function recoverKnowledge(options: KnowledgeRecoveryOptions): Promise<void> {
  const { collections, documents, chunks, logger } = options;
  await collections.dropOrphans(now());
  let contents = await collections.contents();
  const isNothing = contents.length === 0 && (await collections.dropping()).length === 0;
  // Nothing was ever stored, so the chunk store is not opened.
  if (isNothing) return;
  try {
    const removed = await chunks.sweep(async () => {
      contents = await collections.contents();
      return new Map(contents.map((content) => [content.collection_id, knownOf(content)]));
    });
    if (removed > 0) logger.info({ removed }, 'removed what an interrupted change left in the store of chunks');
    for (const content of contents) await findLost(content, options);
  } catch (error) {
    // Everything else can be used.
    logger.error({ error }, 'the store of chunks could not be looked through');
  }
  const count = await documents.recover();
  if (count > 0) logger.info({ documents: count }, 'resumed indexing of documents');
}

/** Re-indexes documents that are marked as ready but not in the store. */
async function findLost(content: CollectionContent, options: KnowledgeRecoveryOptions): Promise<void> {
  const { collections, chunks, logger } = options;
  const { collection_id, documents, claimed } = content;
  if (documents.length === 0) return;
  const stored = await chunks.documents(collection_id);
  const lost = documents.filter(
    ({ uuid, chunk_count }) => chunk_count > 0 && stored.get(uuid) !== chunk_count && !claimed.includes(uuid),
  );
  if (lost.length === 0 || !(await isInStore(content, options))) return;
  logger.warn({ collection_id, documents: lost.length }, 're-indexing documents with missing chunks');
  await collections.forget(collection_id, lost);
}

/** Whether an engine stores its chunks in the service's store: then a prepared collection exists there. */
async function isInStore(
  { collection_id }: CollectionContent,
  { collections, chunks, engines, logger }: KnowledgeRecoveryOptions,
): Promise<boolean> {
  if ((await chunks.statistics(collection_id)) !== null) return true;
  const collection = await collections.byId(collection_id);
  if (collection === null) return false;
  try {
    await engines.open(collection);
  } catch (error) {
    logger.warn({ collection_id, error }, 'a collection could not be made ready');
    return false;
  }
  return (await chunks.statistics(collection_id)) !== null;
}

function knownOf({ documents, claimed }: CollectionContent): KnownDocuments {
  return { stored: new Set(documents.map(({ uuid }) => uuid)), claimed: new Set(claimed) };
}
