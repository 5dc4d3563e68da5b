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

/**
 * A run that stores a document in a collection. It is outdated once another run was begun, or the document was moved to
 * another stage, or removed: its writes change nothing then.
 */
export interface DocumentWork {
  document: KnowledgeDocument;
  collection_id: string;
  /** Number of attempts that did not finish, including this one. */
  attempt: number;
  /** Whether the collection is one that is being built. */
  is_beside: boolean;
  /** Number of its claim. */
  claim: number;
}

/** A document that a collection misses. */
export interface MissingDocument {
  uuid: string;
  /** Number of attempts for this collection that did not finish. */
  attempts: number;
}

/** Findings about a document during its run. */
export type DocumentFindings = Partial<
  Pick<KnowledgeDocument, 'stage' | 'done' | 'total' | 'warnings' | 'title' | 'page_kind' | 'pages'>
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
  /** Documents that belong into a collection, are not in it and are not being stored by another replica, the oldest first. */
  missing(collectionId: string, limit: number): Promise<MissingDocument[]>;
  /** How many documents belong into a collection, and how many of them are in it. */
  progress(collectionId: string): Promise<{ done: number; total: number }>;

  /** Claims a queued document. @returns null when it is not queued any more */
  begin(uuid: string, now: string): Promise<DocumentWork | null>;
  /**
   * Claims a document for a collection that lacks it.
   * @returns null when it does not any more, or another replica is storing it
   */
  beginBeside(uuid: string, collectionId: string, now: string): Promise<DocumentWork | null>;
  /** Stores findings of a run that {@link begin} started. @returns false when it is outdated */
  update(work: DocumentWork, findings: DocumentFindings, now: string): Promise<boolean>;
  /** Stores the number of the task that shows how a document goes. */
  nameTask(uuid: string, taskId: number): Promise<void>;
  /**
   * Ends a run that {@link begin} started. It is queued again when its collection is not searched any more.
   * @returns the document as it is now; null when the run is outdated
   */
  end(work: DocumentWork, ending: DocumentEnding, now: string): Promise<KnowledgeDocument | null>;
  /** Stores the progress of a run that {@link beginBeside} started. @returns false when it is outdated */
  noteBeside(work: DocumentWork, place: { stage: DocumentStage; done: number }): Promise<boolean>;
  /**
   * Ends a run that {@link beginBeside} started.
   * @param chunkCount null when it was stopped
   * @returns false when it is outdated
   */
  endBeside(work: DocumentWork, chunkCount: number | null): Promise<boolean>;
  /** Whether nothing keeps what an outdated run stored: the document is gone, or it has ended and is not in its collection. */
  isLeftOver(work: DocumentWork): Promise<boolean>;
  /**
   * Moves a document to another stage. A run of it is outdated from then on.
   * @returns it as it is now; null when it is in none of the stages `from`, or gone
   */
  move(
    uuid: string,
    from: readonly DocumentStage[],
    to: Exclude<DocumentEnding, { stage: 'ready' }>,
    now: string,
  ): Promise<KnowledgeDocument | null>;

  /**
   * Says of a document that it is not stored in the collections that are not searched. Runs for them are outdated.
   * @param searched the collection that is searched
   */
  forgetBeside(uuid: string, searched: string): Promise<void>;
  /**
   * Claims a document for its removal, and says that it is not stored in any collection. All runs of it are outdated, and
   * no replica begins another one until it is moved, or this replica is gone.
   */
  beginRemoval(uuid: string, now: string): Promise<void>;
  /** Removes a document, and marks its file as discarded when no other document needs it. */
  delete(uuid: string): Promise<void>;
  /**
   * Queues documents whose runs no living replica works on, and those marked as ready that are not stored.
   * @returns how many
   */
  recover(): Promise<number>;
}
