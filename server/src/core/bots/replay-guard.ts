import { createHash } from 'node:crypto';
import { now } from '../../lib/clock.ts';

/** A request of a platform that was seen. */
export interface UsedRequest {
  bot_uuid: string;
  /** SHA-256 of its id, base64url. */
  digest: string;
  /** ISO 8601 UTC. */
  expires_at: string;
}

export interface UsedRequestStore {
  /** Stores a request unless it is stored, in one statement. @returns whether it was not */
  add(request: UsedRequest): Promise<boolean>;
  /** @returns how many it removed */
  removeExpired(at: string, limit: number): Promise<number>;
}

/** Longest time that a request is remembered, milliseconds. It bounds the table, whatever an adapter says. */
const longest = 24 * 60 * 60 * 1000;

/** Remembers the signed requests of platforms over restarts, so that none is accepted twice. */
export class ReplayGuard {
  readonly #store: UsedRequestStore;

  constructor(store: UsedRequestStore) {
    this.#store = store;
  }

  /**
   * As `isFirstUse` of a platform's context. A request that has expired is never new, because it is no longer
   * remembered.
   * @throws RangeError when it does not expire within a day
   */
  async isFirstUse(botUuid: string, id: string, expiresAt: Date): Promise<boolean> {
    const left = expiresAt.getTime() - Date.now();
    if (!(left <= longest)) throw new RangeError('A request must expire within a day');
    if (left <= 0) return false;
    const digest = createHash('sha256').update(id).digest('base64url');
    return this.#store.add({ bot_uuid: botUuid, digest, expires_at: expiresAt.toISOString() });
  }

  /** Removes expired requests. @returns how many */
  prune(limit: number): Promise<number> {
    return this.#store.removeExpired(now(), limit);
  }
}
