import { rateLimited } from '../../kit/failures/rate-limited.ts';

/**
 * Refused calls of a bot in ten minutes before it pauses. Discord blocks the IP address, which all bots of the service
 * share, after 10,000. @see https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
const mostRefusals = 300;
const periodMs = 600_000;

/** Counts the calls that Discord refuses, and stops calling it before it blocks the IP address. */
export class RefusalBudget {
  readonly #now: () => number;
  /** When the last refusals were, oldest first. */
  #refusals: number[] = [];

  /** @param now a monotonic clock, milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a response with status 401, 403 or 429. */
  count(): void {
    const present = this.#now();
    this.#refusals = this.#refusals.filter((when) => when > present - periodMs).slice(-mostRefusals);
    this.#refusals.push(present);
  }

  /** @throws DeliveryError `not_sent`, `quota` while too many calls were refused */
  check(): void {
    const oldest = this.#refusals.at(-mostRefusals);
    if (oldest === undefined) return;
    const pauseMs = Math.ceil(oldest + periodMs - this.#now());
    if (pauseMs <= 0) return;
    throw rateLimited('Discord refused too many calls of this bot; it pauses', { pauseMs, scope: 'bot' });
  }
}
