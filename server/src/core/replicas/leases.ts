/**
 * What only one replica does at a time, each with a name. The holder of a lease has a token for it, a number that each
 * holder raises: what it writes for the lease can be compared with the token, so that a former holder changes nothing.
 */
export interface Leases {
  /** From now on this replica takes these leases when they are free, those of bots up to its share. */
  want(names: readonly string[]): void;
  /** Does not take them any more. Those that it holds are released. */
  unwant(names: readonly string[]): void;
  /** Of a lease that this replica holds; null while it does not, or may not work. */
  token(name: string): number | null;
  /** The replica that holds a lease, as far as is known; null for none. */
  holder(name: string): string | null;
  /**
   * Brings a lease here, beyond the share as well, unless the holder is using it: what needs it has reached this replica.
   * Takes a few seconds.
   */
  bring(name: string): void;
  /** Calls a listener for each lease that was taken. */
  onGained(listener: (name: string) => void): void;
  /** Has a listener end what it does for a lease, which goes to another replica once that has ended. Must not take long. */
  onRelease(listener: (name: string) => Promise<void>): void;
  /** Calls a listener for each lease that others have taken without asking: its work has to end, and may store nothing. */
  onLost(listener: (name: string) => void): void;
  /** Whether the lease that another replica asks for is not in use here. Without an answer it is. */
  onAsked(listener: (name: string) => boolean): void;
}

const botPrefix = 'bot/';

/** The lease for the connection of a bot, and for what is sent through it. */
export function botLease(botUuid: string): string {
  return botPrefix + botUuid;
}

/** The bot of a lease; null for other leases. */
export function botOfLease(name: string): string | null {
  return name.startsWith(botPrefix) ? name.slice(botPrefix.length) : null;
}

/** Of the only replica that works: it holds whatever it wants. */
export class SoleLeases implements Leases {
  readonly #held = new Set<string>();
  readonly #replica: { readonly id: string; readonly mayWork: boolean };
  readonly #gained: ((name: string) => void)[] = [];
  readonly #releasing: ((name: string) => Promise<void>)[] = [];

  constructor(replica: { readonly id: string; readonly mayWork: boolean }) {
    this.#replica = replica;
  }

  want(names: readonly string[]): void {
    for (const name of names) {
      if (this.#held.has(name)) continue;
      this.#held.add(name);
      for (const listener of this.#gained) listener(name);
    }
  }

  unwant(names: readonly string[]): void {
    for (const name of names) {
      if (!this.#held.delete(name)) continue;
      for (const listener of this.#releasing) void listener(name);
    }
  }

  token(name: string): number | null {
    return this.#held.has(name) && this.#replica.mayWork ? 0 : null;
  }

  holder(name: string): string | null {
    return this.#held.has(name) ? this.#replica.id : null;
  }

  onGained(listener: (name: string) => void): void {
    this.#gained.push(listener);
  }

  onRelease(listener: (name: string) => Promise<void>): void {
    this.#releasing.push(listener);
  }

  bring(): void {}
  onLost(): void {}
  onAsked(): void {}
}
