import type {
  Collection,
  IngestRequest,
  KnowledgeEngine,
  KnowledgeEngineContext,
  RetrieveRequest,
} from '../knowledge-engine.ts';
import type { RetrievedPassage } from '../retrieval.ts';
import type { ChunkIndex } from './chunk-index.ts';

export interface InternalEngineContext extends KnowledgeEngineContext {
  /** The service's own store of chunks. */
  chunks: ChunkIndex;
}

/** A knowledge engine that stores its chunks in the service's database. */
export interface InternalKnowledgeEngine extends KnowledgeEngine {
  open(collection: Collection, context: InternalEngineContext): Promise<void>;
  drop(collection: Collection, context: InternalEngineContext): Promise<void>;
  ingest(request: IngestRequest, context: InternalEngineContext): Promise<{ chunks: number }>;
  remove(collection: Collection, documentId: string, context: InternalEngineContext): Promise<void>;
  retrieve(request: RetrieveRequest, context: InternalEngineContext): Promise<RetrievedPassage[]>;
}
