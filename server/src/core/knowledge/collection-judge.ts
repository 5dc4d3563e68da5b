/** What golden questions say of a new collection. */
export interface CollectionVerdict {
  /** The run of the questions on the new collection. */
  evaluation_uuid: string;
  /** Whether it finds less than the one that is searched now. */
  is_lower: boolean;
}

/** Compares a collection that is complete with the one that it is to replace. */
export interface CollectionJudge {
  /**
   * @returns null when the base has no golden questions
   * @throws the signal's reason when it is aborted
   */
  judge(
    baseUuid: string,
    activeCollectionId: string,
    newCollectionId: string,
    signal: AbortSignal,
  ): Promise<CollectionVerdict | null>;
}
