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
  /** `interrupted`: it was running when the process died. */
  state: 'running' | 'finished' | 'interrupted';
  hash: string;
  /** Null unless it is finished. */
  answer: StoredResponse | null;
}

export interface IdempotencyStore {
  /**
   * Starts a request unless one with the same key started after `retainedSince`. Of several concurrent ones, one
   * starts.
   * @returns the earlier request, or null when this one has started
   */
  begin(name: RequestName, hash: string, startedAt: string, retainedSince: string): Promise<EarlierRequest | null>;
  finish(name: RequestName, answer: StoredResponse): Promise<void>;
  /** Lets the next request with this key start. */
  forget(name: RequestName): Promise<void>;
  /** Marks running requests as interrupted. @returns how many */
  interruptRunning(): Promise<number>;
  /** Removes requests that started before a timestamp, ISO 8601 UTC. @returns how many, at most `limit` */
  removeBefore(timestamp: string, limit: number): Promise<number>;
}
