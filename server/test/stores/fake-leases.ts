import { botLease, type Leases } from '../../src/core/replicas/leases.ts';

/** Leases of bots that a test gives and takes. */
export class FakeLeases implements Leases {
  readonly wanted = new Set<string>();
  readonly brought: string[] = [];
  /** The holder of the leases that this replica does not hold. */
  others: string | null = 'other';
  readonly #tokens = new Map<string, number>();
  #lastToken = 0;
  readonly #gained: ((name: string) => void)[] = [];
  readonly #releasing: ((name: string) => Promise<void>)[] = [];
  readonly #lost: ((name: string) => void)[] = [];
  readonly #asked: ((name: string) => boolean)[] = [];

  gain(botUuid: string): void {
    this.#lastToken += 1;
    this.#tokens.set(botLease(botUuid), this.#lastToken);
    for (const listener of this.#gained) listener(botLease(botUuid));
  }

  /** @returns when another replica may take it */
  async release(botUuid: string): Promise<void> {
    await Promise.all(this.#releasing.map((listener) => listener(botLease(botUuid))));
    this.#tokens.delete(botLease(botUuid));
  }

  lose(botUuid: string): void {
    this.#tokens.delete(botLease(botUuid));
    for (const listener of this.#lost) listener(botLease(botUuid));
  }

  /** Whether the lease of a bot would be given to another replica. */
  ask(botUuid: string): boolean {
    return this.#asked.some((listener) => listener(botLease(botUuid)));
  }

  want(names: readonly string[]): void {
    for (const name of names) this.wanted.add(name);
  }

  unwant(names: readonly string[]): void {
    for (const name of names) {
      this.wanted.delete(name);
      if (this.#tokens.delete(name)) for (const listener of this.#releasing) void listener(name);
    }
  }

  token(name: string): number | null {
    return this.#tokens.get(name) ?? null;
  }

  holder(name: string): string | null {
    return this.#tokens.has(name) ? 'this' : this.others;
  }

  bring(name: string): void {
    this.brought.push(name);
  }

  onGained(listener: (name: string) => void): void {
    this.#gained.push(listener);
  }

  onRelease(listener: (name: string) => Promise<void>): void {
    this.#releasing.push(listener);
  }

  onLost(listener: (name: string) => void): void {
    this.#lost.push(listener);
  }

  onAsked(listener: (name: string) => boolean): void {
    this.#asked.push(listener);
  }
}
