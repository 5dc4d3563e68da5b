import { problemError } from '@parley/sdk';
import { now, present, secondsFromNow } from '../../lib/clock.ts';
import { networkOf } from '../../lib/network-of.ts';
import { fingerprint } from '../../lib/token.ts';
import type { AttemptStore, Attempts } from './attempt-store.ts';

/** Failures allowed before the delay starts, per key. */
const limits = { network: 20, pair: 5, account: 50 };
type Kind = keyof typeof limits;
const firstWaitSeconds = 30;
const longestWaitSeconds = 900;
/** Failures older than this no longer count. */
const memorySeconds = 3600;
/** How long a network counts as one of an account after a success. */
const knownSeconds = 30 * 24 * 3600;

/**
 * Slows down guessing of passwords and recovery keys, per account at a network, per network and per account. At a network
 * from which the account signed in lately, only the first counts, so that others cannot lock its owner out. Every attempt
 * counts as failed before it is judged, so that parallel attempts do not slip through.
 */
export class AttemptLimit {
  readonly #store: AttemptStore;

  constructor(store: AttemptStore) {
    this.#store = store;
  }

  /**
   * Counts an attempt.
   * @returns what to call with the uuid of the account when the attempt succeeded
   * @throws ParleyError `too_many_requests` with the seconds to wait
   */
  async begin(action: string, user: string, address: string): Promise<(accountUuid: string) => Promise<void>> {
    const name = user.trim();
    const network = networkOf(address);
    const account = fingerprint(name.toLowerCase());
    const keys: Record<Kind, string> = {
      network: `${action}/network/${network}`,
      pair: `${action}/pair/${account}/${network}`,
      account: `${action}/account/${account}`,
    };
    const isKnown = await this.#store.hasSignedIn(name, network, secondsFromNow(-knownSeconds));
    const kinds: Kind[] = isKnown ? ['pair'] : ['network', 'pair', 'account'];
    // Refused attempts write nothing: they could fill the database.
    const stored = await this.#store.read(kinds.map((kind) => keys[kind]));
    refuseFor(Math.max(0, ...stored.map(secondsLeft)));
    // Concurrent attempts may reach this point, and each step refuses the surplus. A refused attempt is not counted
    // further, so it does not lock the account everywhere.
    for (const kind of kinds) {
      let wait = 0;
      await this.#store.update(keys[kind], (attempts) => {
        wait = secondsLeft(attempts);
        return wait > 0 && attempts !== null ? attempts : count(attempts, limits[kind]);
      });
      refuseFor(wait);
    }
    return async (accountUuid) => {
      await this.#store.clear(Object.values(keys));
      await this.#store.recordSignIn(accountUuid, network, now());
    };
  }

  /** Forgets what no longer counts. @returns how much */
  prune(limit: number): Promise<number> {
    return this.#store.prune(secondsFromNow(-memorySeconds), limit);
  }

  /** Forgets the networks from which no account signed in lately. @returns how many */
  pruneNetworks(limit: number): Promise<number> {
    return this.#store.pruneSignIns(secondsFromNow(-knownSeconds), limit);
  }
}

function refuseFor(seconds: number): void {
  if (seconds === 0) return;
  throw problemError('too_many_attempts', { seconds: String(seconds) }, { retryAfterSeconds: seconds });
}

function secondsLeft(attempts: Attempts | null): number {
  if (attempts?.blocked_until == null) return 0;
  return Math.max(0, Math.ceil((Date.parse(attempts.blocked_until) - present()) / 1000));
}

function count(attempts: Attempts | null, limit: number): Attempts {
  const stale = attempts === null || Date.parse(attempts.updated_at) < present() - memorySeconds * 1000;
  const failures = (stale ? 0 : attempts.failures) + 1;
  const over = failures - limit;
  const wait = over < 0 ? 0 : Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** over);
  return { failures, blocked_until: wait === 0 ? null : secondsFromNow(wait), updated_at: now() };
}
