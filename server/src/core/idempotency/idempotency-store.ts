/** Names a request that is to be carried out once. */
export interface RequestName {
  /** Who makes it. */
  principal: string;
  /** Method and path. */
  route: string;
  /** What the caller named it. */
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
   * Begins a request unless there is one of the same name that began after `retainedSince`. Of several that begin at once,
   * one does.
   * @returns the earlier request, or null when this one has begun
   */
  begin(name: RequestName, hash: string, startedAt: string, retainedSince: string): Promise<EarlierRequest | null>;
  finish(name: RequestName, answer: StoredResponse): Promise<void>;
  /** Lets the next request of this name begin. */
  forget(name: RequestName): Promise<void>;
  /** Marks what is running as interrupted. @returns how many */
  interruptRunning(): Promise<number>;
  /** Removes requests that began before a moment, ISO 8601 UTC. @returns how many, at most `limit` */
  removeBefore(timestamp: string, limit: number): Promise<number>;
}
