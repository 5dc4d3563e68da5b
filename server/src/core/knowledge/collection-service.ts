import type { ShownCollection } from './knowledge-base.ts';

/** The collections of knowledge bases: the one that is searched, and one that is built beside it. */
export class CollectionService {
  /**
   * Oldest first.
   * @throws ParleyError `not_found`, as every method that takes a uuid
   */
  async list(_baseUuid: string): Promise<ShownCollection[]> {
    throw new Error('not built');
  }

  /**
   * Stores all documents anew, beside what is searched, and searches that once it is complete and not worse.
   * @param settings creation settings; those of the collection that is searched when left out
   * @throws ParleyError `invalid_request`, `secret_required`, or `conflict` when a rebuild is under way or waits
   */
  async rebuild(
    _baseUuid: string,
    _settings?: Record<string, unknown>,
  ): Promise<{ task_id: number; collection: ShownCollection }> {
    throw new Error('not built');
  }

  /** Searches a collection that waits for this decision. @throws ParleyError `conflict` when it does not */
  async activate(_baseUuid: string, _collectionId: string): Promise<ShownCollection> {
    throw new Error('not built');
  }

  /** Gives up a collection that is not searched. @throws ParleyError `conflict` for the one that is */
  async discard(_baseUuid: string, _collectionId: string): Promise<void> {
    throw new Error('not built');
  }
}
