import { ParleyError } from '@parley/sdk';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { fingerprint } from '../../lib/token.ts';
import type { AccountStore, Attempts } from './account-store.ts';

/** Failures allowed before waiting begins, per key. */
const limits = { pair: 5, address: 20, account: 50 };
const firstWaitSeconds = 30;
const longestWaitSeconds = 900;
/** Failures older than this no longer count. */
const memorySeconds = 3600;

/**
 * Slows down guessing of passwords and recovery keys, per person at an address, per address and per person.
 * Every attempt counts as failed before it is judged, so that parallel attempts do not slip through.
 */
export class AttemptLimit {
  readonly #store: AccountStore;

  constructor(store: AccountStore) {
    this.#store = store;
  }

  /**
   * Counts an attempt.
   * @returns what to call when the attempt succeeded
   * @throws ParleyError `too_many_requests` with the seconds to wait
   */
  async begin(action: string, user: string, address: string): Promise<() => Promise<void>> {
    const person = fingerprint(user.trim().toLowerCase());
    const keys = {
      pair: `${action}/pair/${person}/${address}`,
      address: `${action}/address/${address}`,
      account: `${action}/account/${person}`,
    };
    // A refused attempt does not count any further: somebody who is refused already could otherwise lock the person out
    // at every address.
    for (const kind of ['pair', 'address', 'account'] as const) {
      let waitSeconds = 0;
      await this.#store.updateAttempts(keys[kind], (attempts) => {
        waitSeconds = secondsLeft(attempts);
        return waitSeconds > 0 && attempts !== null ? attempts : count(attempts, limits[kind]);
      });
      if (waitSeconds > 0) {
        throw new ParleyError('too_many_requests', `Too many attempts. Try again in ${waitSeconds} s.`, {
          retryAfterSeconds: waitSeconds,
        });
      }
    }
    return async () => {
      await this.#store.clearAttempts([keys.pair, keys.account], secondsFromNow(-memorySeconds));
      // Others may guess from the same address, so only this attempt is taken back.
      await this.#store.updateAttempts(keys.address, takeBack);
    };
  }
}

function secondsLeft(attempts: Attempts | null): number {
  if (attempts?.blocked_until == null) return 0;
  return Math.max(0, Math.ceil((Date.parse(attempts.blocked_until) - Date.now()) / 1000));
}

function takeBack(attempts: Attempts | null): Attempts {
  const failures = Math.max(0, (attempts?.failures ?? 0) - 1);
  const blocked = failures < limits.address ? null : (attempts?.blocked_until ?? null);
  return { failures, blocked_until: blocked, updated_at: now() };
}

function count(attempts: Attempts | null, limit: number): Attempts {
  const stale = attempts === null || Date.parse(attempts.updated_at) < Date.now() - memorySeconds * 1000;
  const failures = (stale ? 0 : attempts.failures) + 1;
  const over = failures - limit;
  const wait = over < 0 ? 0 : Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** over);
  return { failures, blocked_until: wait === 0 ? null : secondsFromNow(wait), updated_at: now() };
}
