import { hash } from 'node:crypto';
import type { OpenedModel } from '@parley/sdk';

/** Cooldown of a rejected key, seconds. */
const unauthorizedSeconds = 600;
/** First cooldown after a rate limit without a retry delay; doubles with each, seconds. */
const quotaSeconds = 30;
const longestQuotaSeconds = 600;
/** Longest that a provider is believed, seconds. */
const longestRetryAfterSeconds = 3600;
/** Providers that are remembered; those that were used least recently are forgotten first. */
const maximumProviders = 500;

/** State of a key. The key itself is not part of it. */
interface KeyState {
  /** When it was last refused, milliseconds since 1970. */
  refusedAt: number;
  /** End of its cooldown. */
  freeAt: number;
  /** Refusals for too many requests in a row. */
  refusals: number;
}

interface ProviderState {
  keys: Map<string, KeyState>;
  /** Index of the next key. */
  next: number;
}

interface NamedKeys {
  distinct: readonly string[];
  names: readonly string[];
}

/** A key to call a provider with. */
export interface TakenKey {
  key: string;
  report: OpenedModel['report'];
}

/**
 * Rotates the keys of providers, and puts rejected ones on cooldown. It only saves calls that would fail: when no key
 * is free, the one that is free soonest is used, so a provider with one key never stops working. Its state is in memory
 * and reset when the keys of the provider change.
 */
export class ProviderKeyRing {
  readonly #providers = new Map<string, ProviderState>();
  /** By the lists they are of, which a record in memory gives with each call; nothing changes them. */
  readonly #named = new WeakMap<readonly string[], NamedKeys>();
  readonly #clock: () => number;

  /** @param clock milliseconds since 1970 */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** @returns null when there are no keys */
  take(providerUuid: string, keys: readonly string[]): TakenKey | null {
    const { distinct, names } = this.#namesOf(keys);
    if (distinct.length === 0) return null;
    const state = this.#stateOf(providerUuid, names);
    const takenAt = this.#clock();
    const inTurn = names.map((_, step) => (state.next + step) % names.length);
    const freeAt = (place: number) => state.keys.get(names[place] ?? '')?.freeAt ?? 0;
    const place =
      inTurn.find((candidate) => freeAt(candidate) <= takenAt) ??
      inTurn.reduce((soonest, candidate) => (freeAt(candidate) < freeAt(soonest) ? candidate : soonest));
    state.next = (place + 1) % names.length;
    const keyState = state.keys.get(names[place] ?? '') as KeyState;
    return {
      // A place in the list.
      key: distinct[place] as string,
      report: (failure) => this.#report(keyState, takenAt, failure),
    };
  }

  /** Keys without repetitions, and names that do not reveal them. */
  #namesOf(keys: readonly string[]): NamedKeys {
    const known = this.#named.get(keys);
    if (known !== undefined) return known;
    const distinct = [...new Set(keys)];
    const named = { distinct, names: distinct.map((key) => hash('sha256', key, 'base64url')) };
    this.#named.set(keys, named);
    return named;
  }

  #stateOf(providerUuid: string, names: readonly string[]): ProviderState {
    const known = this.#providers.get(providerUuid);
    this.#providers.delete(providerUuid);
    const isSame =
      known !== undefined && known.keys.size === names.length && names.every((name) => known.keys.has(name));
    const state = isSame
      ? known
      : { keys: new Map(names.map((name) => [name, { refusedAt: 0, freeAt: 0, refusals: 0 }])), next: 0 };
    this.#providers.set(providerUuid, state);
    const [oldest] = this.#providers.keys();
    if (this.#providers.size > maximumProviders && oldest !== undefined) this.#providers.delete(oldest);
    return state;
  }

  #report(key: KeyState, takenAt: number, failure: Parameters<OpenedModel['report']>[0]): void {
    // Calls that started before the last rejection carry no news: concurrent calls with one key are rejected together.
    const isNews = takenAt >= key.refusedAt;
    const timestamp = this.#clock();
    if (failure === null) {
      if (isNews) Object.assign(key, { freeAt: 0, refusals: 0 });
      return;
    }
    const isQuota = failure.reason === 'quota';
    if (!isQuota && failure.reason !== 'provider_unauthorized') return;
    if (isQuota && isNews) key.refusals += 1;
    const seconds = isQuota ? quotaPause(key.refusals, failure.retryAfterSeconds) : unauthorizedSeconds;
    key.freeAt = Math.max(key.freeAt, timestamp + seconds * 1000);
    key.refusedAt = timestamp;
  }
}

function quotaPause(refusals: number, retryAfterSeconds: number | undefined): number {
  if (retryAfterSeconds !== undefined) return Math.min(retryAfterSeconds, longestRetryAfterSeconds);
  return Math.min(quotaSeconds * 2 ** Math.max(0, refusals - 1), longestQuotaSeconds);
}
