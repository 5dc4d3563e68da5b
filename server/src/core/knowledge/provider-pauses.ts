import { setTimeout as delay } from 'node:timers/promises';
import { ParleyError } from '@parley/sdk';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';

interface ProviderState {
  /** Concurrency limits by purpose. */
  turns: Map<string, ConcurrencyLimit>;
  /** End of the pause, milliseconds since 1970. */
  freeAt: number;
  /** The version of the provider that was paused: after a change there is no wait. */
  updatedAt: string;
}

interface CalledProvider {
  provider_uuid: string;
  provider_updated_at: string;
}

/** State shared by all calls to a provider: concurrency limits and requested pauses. */
export class ProviderPauses {
  readonly #providers = new Map<string, ProviderState>();

  /** Makes a call wait for its turn. @param limit concurrent calls with this purpose */
  turns({ provider_uuid }: Pick<CalledProvider, 'provider_uuid'>, purpose: string, limit: number): ConcurrencyLimit {
    const { turns } = this.#stateOf(provider_uuid);
    const known = turns.get(purpose) ?? new ConcurrencyLimit(limit);
    turns.set(purpose, known);
    return known;
  }

  /** Pauses all calls to the provider. */
  pause(provider: CalledProvider, seconds: number): void {
    const state = this.#stateOf(provider.provider_uuid);
    state.freeAt = Math.max(state.freeAt, performance.now() + seconds * 1000);
    state.updatedAt = provider.provider_updated_at;
  }

  /**
   * Waits until the provider may be called.
   * @throws ParleyError `quota` when that would take longer than `longestMs`; the signal's reason when it is aborted
   */
  async free(provider: CalledProvider, longestMs: number, signal: AbortSignal): Promise<void> {
    const state = this.#stateOf(provider.provider_uuid);
    for (;;) {
      signal.throwIfAborted();
      const left = state.updatedAt === provider.provider_updated_at ? state.freeAt - performance.now() : 0;
      if (left <= 0) return;
      if (left > longestMs) {
        const retryAfterSeconds = Math.ceil(left / 1000);
        throw new ParleyError('quota', 'The model provider takes no more requests for now.', { retryAfterSeconds });
      }
      await delay(left, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  #stateOf(uuid: string): ProviderState {
    const state = this.#providers.get(uuid) ?? { turns: new Map(), freeAt: 0, updatedAt: '' };
    this.#providers.set(uuid, state);
    return state;
  }
}
