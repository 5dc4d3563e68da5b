import type { CollectionState, CollectionView, StoredCollection } from './knowledge-base.ts';

/** Why a collection was not activated. Nothing has changed then. */
export type SwitchRefusal = 'not_found' | 'incomplete';

/** What changes of a collection. */
export interface CollectionChanges {
  state: CollectionState;
  error?: string | null;
  evaluation_uuid?: string | null;
  updated_at: string;
}

/** The state of documents in a collection. */
export interface CollectionContent {
  collection_id: string;
  knowledge_base_uuid: string;
  knowledge_engine_plugin_id: string;
  documents: { uuid: string; chunk_count: number }[];
  /** Uuids of documents that a living replica works on. */
  claimed: string[];
}

export interface CollectionStore {
  /** Of a base, oldest first. */
  list(baseUuid: string): Promise<CollectionView[]>;
  byId(collectionId: string): Promise<StoredCollection | null>;
  /**
   * Those that are being built or wait for a decision, by this replica, whose base is there; oldest first. It takes on those
   * that no living replica builds.
   */
  built(): Promise<StoredCollection[]>;
  /** Those that are to be removed, whether their base is there or not. */
  dropping(): Promise<StoredCollection[]>;
  /**
   * Adds a collection, which this replica builds. Of its base, those that failed become `dropping`.
   * @returns false when the base has another one that is being built or waits for a decision
   */
  create(collection: StoredCollection): Promise<boolean>;
  /** @returns false when it is in none of the states `from`, or gone */
  change(collectionId: string, from: readonly CollectionState[], changes: CollectionChanges): Promise<boolean>;
  /**
   * Activates a complete collection atomically; the other is `dropping` from then on. Documents that failed and are not
   * in it are queued again.
   */
  activate(collectionId: string, now: string): Promise<SwitchRefusal | null>;
  /** Leaves collections without a base `dropping`, unless another replica may be creating their base. */
  dropOrphans(now: string): Promise<void>;
  /** Deletes a collection and the state of documents in it. */
  delete(collectionId: string): Promise<void>;
  /** The content of the collections that are not `dropping`. */
  contents(): Promise<CollectionContent[]>;
  /**
   * Says of documents that they are not stored in a collection, except of those that a living replica works on, or that
   * were stored again since `contents`.
   */
  forget(collectionId: string, documents: CollectionContent['documents']): Promise<void>;
}
