import { botLease, type Leases } from './leases.ts';
import type { CallPrincipal, PeerCalls } from './peer-calls.ts';

/** Finds the replica that holds a bot, for what needs the bot's connection. */
export class BotHolders {
  readonly #replica: { readonly id: string; readonly leases: Pick<Leases, 'holder'> };
  readonly #calls: PeerCalls;

  constructor(replica: { readonly id: string; readonly leases: Pick<Leases, 'holder'> }, calls: PeerCalls) {
    this.#replica = replica;
    this.#calls = calls;
  }

  /** The other replica that holds a bot; null while this one does, or none. */
  other(botUuid: string): string | null {
    const holder = this.#replica.leases.holder(botLease(botUuid));
    return holder === this.#replica.id ? null : holder;
  }

  /**
   * Asks another replica. @param principal the credential of the request; without one, this replica asks by itself
   * @throws ParleyError as {@link PeerCalls.call}
   */
  call(replica: string, name: string, payload: unknown, principal?: CallPrincipal): Promise<unknown> {
    return this.#calls.call(replica, name, payload, {
      principal: principal ?? { kind: 'replica', id: this.#replica.id },
    });
  }
}
