import type { Reason } from '@parley/sdk';
import type { DocumentStage, KnowledgeDocument } from './document.ts';

/** Why a document was not added, with the document that is in its place. */
export type DocumentRefusal =
  | { reason: 'no_base' | 'no_file' }
  | { reason: 'same_file' | 'same_content'; document: KnowledgeDocument };

/** How a run of a document ended. */
export type DocumentEnding =
  | (Pick<KnowledgeDocument, 'chunk_count'> & { stage: 'ready' })
  | { stage: 'failed'; reason: Reason; error: string }
  | { stage: 'cancelled' }
  /** It was told to stop, and nothing is wrong with it. */
  | { stage: 'queued' };

/** A document and a collection that it is to be stored in. */
export interface DocumentWork {
  document: KnowledgeDocument;
  collection_id: string;
}

/** Which documents of a collection are stored in it. */
export interface CollectionContent {
  collection_id: string;
  knowledge_base_uuid: string;
  /** Null where the document is to be in it and is not. */
  documents: { uuid: string; chunk_count: number | null }[];
}

export interface DocumentStore {
  /**
   * Adds a document of an upload.
   * @param allowDuplicate also when another upload with the same content is in the base
   */
  create(document: KnowledgeDocument, allowDuplicate: boolean): Promise<DocumentRefusal | null>;
  byUuid(uuid: string): Promise<KnowledgeDocument | null>;
  /** Oldest first, those after a document when it is given. */
  page(
    baseUuid: string,
    page: { limit: number; after: Pick<KnowledgeDocument, 'created_at' | 'uuid'> | null },
  ): Promise<KnowledgeDocument[]>;

  /** For each base that has queued documents the oldest of them. */
  firstQueued(): Promise<KnowledgeDocument[]>;
  /** A document that belongs into a collection beside the one that is searched and is not in it; null when none is missing. */
  firstMissing(collectionId: string, except: readonly string[]): Promise<KnowledgeDocument | null>;
  /** How many documents belong into a collection, and how many of them are in it. */
  progress(collectionId: string): Promise<{ done: number; total: number }>;

  /** Begins a queued document. @returns it with the collection that is searched; null when it is not queued any more */
  begin(uuid: string, now: string): Promise<DocumentWork | null>;
  /** Counts that a document is begun for a collection beside the one that is searched. @returns how often, with this one */
  beginBeside(uuid: string, collectionId: string, now: string): Promise<number>;
  /** What a run found out so far. */
  update(
    uuid: string,
    changes: Partial<
      Pick<
        KnowledgeDocument,
        'stage' | 'done' | 'total' | 'warnings' | 'title' | 'page_kind' | 'pages' | 'task_id' | 'updated_at'
      >
    >,
  ): Promise<void>;
  /**
   * Ends a run in a collection. One that became ready in a collection that is not searched any more is queued again.
   * @returns the document as it is now; null when it is gone
   */
  end(work: DocumentWork, ending: DocumentEnding, now: string): Promise<KnowledgeDocument | null>;
  /** Ends a run for a collection beside the one that is searched. Null: it was told to stop. */
  endBeside(uuid: string, collectionId: string, chunkCount: number | null, now: string): Promise<void>;
  /** Puts a document that ended into the queue. @returns false when it is in another stage */
  requeue(
    uuid: string,
    from: readonly DocumentStage[],
    now: string,
    /** Also stores it anew in collections beside the one that is searched. */
    options: { everywhere: boolean },
  ): Promise<boolean>;

  /** Says of a document that it is in no collection any more. @returns those that it may have been in */
  forget(uuid: string): Promise<string[]>;
  /** Removes a document, and marks its file as discarded when no other document needs it. */
  delete(uuid: string): Promise<void>;

  /** Documents that were under way when the process ended; they are queued again. @returns them */
  recover(now: string): Promise<KnowledgeDocument[]>;
  /** What collections hold, one after the other. */
  contents(): Promise<CollectionContent[]>;
  /** Says of documents that they are not stored in a collection, so that they are stored anew. */
  missing(collectionId: string, uuids: readonly string[], now: string): Promise<void>;
}
