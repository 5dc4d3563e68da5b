import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import type { StoredKnowledgeBase } from './knowledge-base.ts';

/** Filters of the list of knowledge bases. */
export interface KnowledgeBaseFilter {
  /** Whether pipelines name it. */
  used?: boolean | undefined;
}

/** A base without counts and without the fields of its collection. */
export type NewKnowledgeBase = Omit<StoredKnowledgeBase, 'creation_settings' | 'document_count' | 'chunk_count'>;

/** What may change of a base. */
export type KnowledgeBaseChanges = Pick<
  StoredKnowledgeBase,
  'name' | 'description' | 'emoji' | 'retrieval_settings' | 'sealed_secrets' | 'updated_at'
>;

export interface KnowledgeBaseStore {
  /** Oldest first. */
  list(): Promise<StoredKnowledgeBase[]>;
  page(listing: RecordListing & KnowledgeBaseFilter): Promise<ListedRecords<StoredKnowledgeBase>>;
  /** All matches of a listing, by uuid. */
  names(listing: RecordListing & KnowledgeBaseFilter): Promise<NamedRecord[]>;
  byUuid(uuid: string): Promise<StoredKnowledgeBase | null>;
  /** Creates a base with its existing collection as the active one. */
  create(base: NewKnowledgeBase): Promise<void>;
  /**
   * @param change receives the stored record, which is locked meanwhile; its errors are rethrown
   * @returns false when there is none
   */
  update(uuid: string, change: (stored: StoredKnowledgeBase) => KnowledgeBaseChanges): Promise<boolean>;
  /**
   * Deletes a base with its documents, leaves its collections `dropping`, and marks files that no other document needs
   * as discarded; unless pipelines name it.
   * @returns the pipelines that name it; null when there is no such base
   */
  delete(uuid: string, now: string): Promise<{ uuid: string; name: string }[] | null>;
}
