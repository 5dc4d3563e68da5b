import { createHash } from 'node:crypto';
import { now, present } from '../../lib/clock.ts';

/** A request of a platform that was seen. */
export interface UsedRequest {
  bot_uuid: string;
  /** SHA-256 of its id, base64url. */
  digest: string;
  /** ISO 8601 UTC. */
  expires_at: string;
}

export interface UsedRequestStore {
  /**
   * Stores a request unless it is stored, in one statement. One that a replica took which died, without having settled
   * it, counts as not stored.
   * @returns whether it was not
   */
  add(request: UsedRequest): Promise<boolean>;
  /** Removes a request that this replica took. */
  remove(request: Pick<UsedRequest, 'bot_uuid' | 'digest'>): Promise<void>;
  /** Nothing of what this replica took is taken again if it ends now. */
  settle(): Promise<void>;
  /** @returns how many it removed */
  removeExpired(at: string, limit: number): Promise<number>;
}

/** Longest time that a request is remembered, milliseconds. It bounds the table, whatever an adapter says. */
const longest = 24 * 60 * 60 * 1000;
/** Requests that could neither be stored nor forgotten, because the database is away. */
const mostUnforgotten = 10_000;

/**
 * Remembers the signed requests of platforms, for all replicas and over restarts, so that none is accepted twice.
 *
 * What a request brings is stored after it was marked as used, so it may be marked without having been stored. When
 * storing fails, the mark is removed before the platform gets the failure. When the process dies in between, the
 * platform gets no answer; what it then sends again is accepted, since the mark names a replica that has died. This
 * holds for all marks of that replica until they expire: for these, only what was stored guards against a repetition.
 * A replica that stops settles its marks.
 */
export class ReplayGuard {
  readonly #store: UsedRequestStore;
  /** To be forgotten once the database can be reached. */
  readonly #unforgotten = new Map<string, Pick<UsedRequest, 'bot_uuid' | 'digest'>>();

  constructor(store: UsedRequestStore) {
    this.#store = store;
  }

  /**
   * As `isFirstUse` of a platform's context. A request that has expired is never new, because it is no longer
   * remembered.
   * @throws RangeError when it does not expire within a day
   */
  async isFirstUse(botUuid: string, id: string, expiresAt: Date): Promise<boolean> {
    const left = expiresAt.getTime() - present();
    if (!(left <= longest)) throw new RangeError('A request must expire within a day');
    if (left <= 0) return false;
    await this.#forgetAll();
    const digest = digestOf(id);
    return this.#store.add({ bot_uuid: botUuid, digest, expires_at: expiresAt.toISOString() });
  }

  /** As `forgetUse` of a platform's context. */
  async forgetUse(bot_uuid: string, id: string): Promise<void> {
    const digest = digestOf(id);
    if (this.#unforgotten.size < mostUnforgotten) this.#unforgotten.set(`${bot_uuid}/${digest}`, { bot_uuid, digest });
    // The next request of a platform tries again.
    await this.#forgetAll().catch(() => undefined);
  }

  /** Call when no request is taken any more. */
  async stop(): Promise<void> {
    await this.#forgetAll();
    await this.#store.settle();
  }

  /** Removes expired requests. @returns how many */
  prune(limit: number): Promise<number> {
    return this.#store.removeExpired(now(), limit);
  }

  async #forgetAll(): Promise<void> {
    for (const [key, request] of this.#unforgotten) {
      await this.#store.remove(request);
      this.#unforgotten.delete(key);
    }
  }
}

function digestOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
