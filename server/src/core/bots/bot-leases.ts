import { botLease, botOfLease, type Leases } from '../replicas/leases.ts';

export interface BotLeasesOptions {
  /** Called with a bot whose lease was taken, except by {@link BotLeases.want} itself. */
  gained: (botUuid: string) => void;
  /** Ends the connection of a bot, whose lease is then free for other replicas. */
  released: (botUuid: string) => Promise<void>;
  /** Called with a bot whose lease others have taken. */
  lost: (botUuid: string) => void;
  /** Whether a bot is connected, so that its lease should stay. */
  isInUse: (botUuid: string) => boolean;
}

/** The leases of bots: this replica connects those that it holds. */
export class BotLeases {
  readonly #leases: Leases;
  readonly #held = new Set<string>();
  /** Ends the waits for leases that may come here. */
  readonly #coming = new Map<string, PromiseWithResolvers<void>>();
  #isWanting = false;

  constructor(leases: Leases, { gained, released, lost, isInUse }: BotLeasesOptions) {
    this.#leases = leases;
    leases.onGained((name) => {
      const uuid = botOfLease(name);
      if (uuid === null) return;
      this.#held.add(uuid);
      this.#endWait(uuid);
      if (!this.#isWanting) gained(uuid);
    });
    leases.onRelease(async (name) => {
      const uuid = botOfLease(name);
      if (uuid !== null && this.#held.delete(uuid)) await released(uuid);
    });
    leases.onLost((name) => {
      const uuid = botOfLease(name);
      if (uuid !== null && this.#held.delete(uuid)) lost(uuid);
    });
    leases.onAsked((name) => {
      const uuid = botOfLease(name);
      return uuid === null || !isInUse(uuid);
    });
  }

  /** From now on the leases of these bots are taken: at once in the only replica that works. */
  want(botUuids: readonly string[]): void {
    this.#isWanting = true;
    try {
      this.#leases.want(botUuids.map(botLease));
    } finally {
      this.#isWanting = false;
    }
  }

  unwant(botUuid: string): void {
    this.#leases.unwant([botLease(botUuid)]);
    this.#endWait(botUuid);
  }

  /** Resolves once the lease of a bot is held here, or by another replica. Call {@link noteHolders} meanwhile. */
  async decided(botUuid: string): Promise<void> {
    if (this.#leases.holder(botLease(botUuid)) !== null) return;
    const wait = this.#coming.get(botUuid) ?? Promise.withResolvers<void>();
    this.#coming.set(botUuid, wait);
    await wait.promise;
  }

  /** Call with each beat. */
  noteHolders(): void {
    for (const uuid of this.#coming.keys()) if (this.#leases.holder(botLease(uuid)) !== null) this.#endWait(uuid);
  }

  /** Has the lease of a bot come here, unless it is in use elsewhere. */
  bring(botUuid: string): void {
    if (!this.#held.has(botUuid)) this.#leases.bring(botLease(botUuid));
  }

  isHeld(botUuid: string): boolean {
    return this.#held.has(botUuid);
  }

  #endWait(botUuid: string): void {
    this.#coming.get(botUuid)?.resolve();
    this.#coming.delete(botUuid);
  }

  /** Whether the connection of a bot is this replica's. */
  holds(botUuid: string): boolean {
    return this.token(botUuid) !== null;
  }

  /** The fencing token of a lease that this replica holds; else null. */
  token(botUuid: string): number | null {
    return this.#held.has(botUuid) ? this.#leases.token(botLease(botUuid)) : null;
  }
}
