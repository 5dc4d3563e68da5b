import type { CollectionState, ShownCollection, StoredCollection } from './knowledge-base.ts';

/** Why a collection did not become the one that is searched. Nothing has changed then. */
export type SwitchRefusal = 'not_found' | 'incomplete';

export interface CollectionStore {
  /** Of a base, oldest first. */
  list(baseUuid: string): Promise<ShownCollection[]>;
  byId(collectionId: string): Promise<StoredCollection | null>;
  /** All in one of these states, oldest first. */
  inState(states: readonly CollectionState[]): Promise<StoredCollection[]>;
  /**
   * Adds a collection. Of its base, those that failed become `dropping`.
   * @returns false when the base has another one that is being built or waits for a decision
   */
  create(collection: StoredCollection): Promise<boolean>;
  /** @returns false when it is in none of the states `from`, or gone */
  change(
    collectionId: string,
    from: readonly CollectionState[],
    changes: { state: CollectionState; error?: string | null; evaluation_uuid?: string | null; updated_at: string },
  ): Promise<boolean>;
  /**
   * Makes a complete collection the one that its base searches, at once; the other is `dropping` from then on. Documents
   * that failed and are not in it are queued again.
   */
  activate(collectionId: string, now: string): Promise<SwitchRefusal | null>;
  /** Leaves collections whose base is gone `dropping`. */
  dropOrphans(now: string): Promise<void>;
  /** Forgets a collection with what is known of documents in it. */
  delete(collectionId: string): Promise<void>;
}
