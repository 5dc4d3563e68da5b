/** Names a request that is to be carried out once. */
export interface RequestName {
  /** Who makes it. */
  principal: string;
  /** Method and path. */
  route: string;
  /** The idempotency key of the caller. */
  key: string;
}

/** An answer as it was given: JSON. */
export interface StoredResponse {
  status: number;
  text: string;
}

/** A request that was made before under the same name. */
export interface EarlierRequest {
  /** `interrupted`: it was running when its process died. */
  state: 'running' | 'finished' | 'interrupted';
  hash: string;
  /** Null unless it is finished. */
  answer: StoredResponse | null;
}

/** A request that this replica carries out. */
export interface BegunRequest extends RequestName {
  /** Raised each time that a request with the key starts. */
  claim: number;
}

export interface IdempotencyStore {
  /**
   * Starts a request unless one with the same key started after `retainedSince`. Of several concurrent ones, one
   * starts.
   * @returns the number of the claim when this one has started, else the earlier request
   */
  begin(name: RequestName, hash: string, startedAt: string, retainedSince: string): Promise<number | EarlierRequest>;
  /** Does nothing when the claim is outdated: another request with the key was started, or this one was interrupted. */
  finish(request: BegunRequest, answer: StoredResponse): Promise<void>;
  /** Lets the next request with this key start. Does nothing when the claim is outdated. */
  forget(request: BegunRequest): Promise<void>;
  /** At start: marks running requests that no living replica carries out as interrupted. @returns how many */
  interruptAbandoned(): Promise<number>;
  /** Removes requests that started before a timestamp, ISO 8601 UTC. @returns how many, at most `limit` */
  removeBefore(timestamp: string, limit: number): Promise<number>;
}
