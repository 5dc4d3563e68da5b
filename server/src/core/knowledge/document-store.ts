import type { Reason } from '@parley/sdk';
import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import type { DocumentFilter, DocumentStage, KnowledgeDocument } from './document.ts';

/** Why a document was not added, with the document that is in its place. */
export type DocumentRefusal =
  | { reason: 'no_base' | 'no_file' }
  | { reason: 'same_file' | 'same_content'; document: KnowledgeDocument };

/** How a run of a document ended. */
export type DocumentEnding =
  | { stage: 'ready'; chunk_count: number }
  | { stage: 'failed'; reason: Reason; error: string }
  | { stage: 'cancelled' }
  /** It was stopped, without an error. */
  | { stage: 'queued' };

/** A document that is stored in a collection, or about to be. */
export interface DocumentWork {
  document: KnowledgeDocument;
  collection_id: string;
  /** Number of attempts that did not finish, including this one. */
  attempt: number;
}

/** A document that a collection misses. */
export interface MissingDocument {
  uuid: string;
  /** Number of attempts for this collection that did not finish. */
  attempts: number;
}

/** Findings about a document during its run. */
export type DocumentFindings = Partial<
  Pick<KnowledgeDocument, 'stage' | 'done' | 'total' | 'warnings' | 'title' | 'page_kind' | 'pages' | 'task_id'>
>;

/**
 * Documents, and the queue that they are. A document goes into the collection that is searched; into others of its base
 * belong all that are ready, or found in the one that is searched.
 */
export interface DocumentStore {
  /**
   * Adds a document of an upload.
   * @param allowDuplicate also when another upload with the same content is in the base
   */
  create(document: KnowledgeDocument, allowDuplicate: boolean): Promise<DocumentRefusal | null>;
  byUuid(uuid: string): Promise<KnowledgeDocument | null>;
  /** The newest document of a base whose file has this name. */
  latestNamed(baseUuid: string, fileName: string): Promise<KnowledgeDocument | null>;
  /** Oldest first, those after a document when it is given. */
  page(
    baseUuid: string,
    page: { limit: number; after: Pick<KnowledgeDocument, 'created_at' | 'uuid'> | null },
  ): Promise<KnowledgeDocument[]>;

  /** @param baseUuid null for the documents of all bases */
  listed(baseUuid: string | null, listing: RecordListing & DocumentFilter): Promise<ListedRecords<KnowledgeDocument>>;
  /** All matches of a listing, by uuid. */
  names(baseUuid: string, listing: RecordListing & DocumentFilter): Promise<NamedRecord[]>;

  /** For each base that has queued documents the oldest of them. */
  firstQueued(): Promise<KnowledgeDocument[]>;
  /** Documents that belong into a collection and are not in it, the oldest first. */
  missing(collectionId: string, limit: number): Promise<MissingDocument[]>;
  /** How many documents belong into a collection, and how many of them are in it. */
  progress(collectionId: string): Promise<{ done: number; total: number }>;

  /** Starts a queued document. @returns null when it is not queued any more */
  begin(uuid: string, now: string): Promise<DocumentWork | null>;
  /** Starts indexing a document into a collection that lacks it. @returns null when it does not any more */
  beginBeside(uuid: string, collectionId: string, now: string): Promise<DocumentWork | null>;
  update(uuid: string, findings: DocumentFindings, now: string): Promise<void>;
  /**
   * Ends a run that {@link begin} started. It is queued again when its collection is not searched any more.
   * @returns the document as it is now; null when it is gone
   */
  end(work: DocumentWork, ending: DocumentEnding, now: string): Promise<KnowledgeDocument | null>;
  /** Stores the progress of a run that {@link beginBeside} started. */
  noteBeside(work: DocumentWork, place: { stage: DocumentStage; done: number }): Promise<void>;
  /** Ends a run that {@link beginBeside} started. @param chunkCount null when it was stopped */
  endBeside(work: DocumentWork, chunkCount: number | null): Promise<void>;
  /**
   * Moves an idle document to another stage.
   * @returns it as it is now; null when it is in none of the stages `from`, or gone
   */
  move(
    uuid: string,
    from: readonly DocumentStage[],
    to: Exclude<DocumentEnding, { stage: 'ready' }>,
    now: string,
  ): Promise<KnowledgeDocument | null>;

  /**
   * Says of a document that it is not stored in collections.
   * @param options.but all but this one
   */
  forget(uuid: string, options?: { but: string }): Promise<void>;
  /** Removes a document, and marks its file as discarded when no other document needs it. */
  delete(uuid: string): Promise<void>;
  /**
   * Queues documents that were running when the process ended, and those marked as ready that are not stored.
   * @returns how many
   */
  recover(now: string): Promise<number>;
}
