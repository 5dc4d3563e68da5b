/** What a bot may send: messages per second on average, and how many at once after a pause. */
export interface SendRates {
  chatPerSecond: number;
  chatBurst: number;
  botPerSecond: number;
  botBurst: number;
  /** Seconds for which a chat or bot that sent more is refused everything. */
  penaltySeconds: number;
}

interface Allowance {
  /** Messages that may be sent at once at `at`. */
  left: number;
  at: number;
  /** Until when everything is refused, `performance.now()`. */
  refusedUntil: number;
}

/** Telegram's limits of the sends and edits of one bot: in each chat, and over all of them. */
export class RateLimit {
  readonly #rates: SendRates;
  readonly #allowances = new Map<string, Allowance>();

  constructor(rates: SendRates) {
    this.#rates = rates;
  }

  /** Counts a send. @returns whole seconds to wait when it is refused, else null */
  take(chat: number): number | null {
    const { chatPerSecond, chatBurst, botPerSecond, botBurst } = this.#rates;
    return this.#take('bot', botPerSecond, botBurst) ?? this.#take(String(chat), chatPerSecond, chatBurst);
  }

  #take(key: string, perSecond: number, burst: number): number | null {
    const now = performance.now();
    const known = this.#allowances.get(key) ?? { left: burst, at: now, refusedUntil: 0 };
    this.#allowances.set(key, known);
    if (known.refusedUntil > now) return Math.ceil((known.refusedUntil - now) / 1000);
    known.left = Math.min(burst, known.left + ((now - known.at) / 1000) * perSecond);
    known.at = now;
    if (known.left < 1) {
      known.refusedUntil = now + this.#rates.penaltySeconds * 1000;
      return this.#rates.penaltySeconds;
    }
    known.left -= 1;
    return null;
  }
}
