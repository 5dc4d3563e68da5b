import type { CallPrincipal, PeerCalls } from './peer-calls.ts';

/** What another replica answered; null when it could not be asked. */
export interface ReplicaAnswer {
  replica: string;
  answer: unknown;
}

/** How long each replica may take, milliseconds. */
const patience = 2000;

/** Asks all other replicas for what each of them knows. */
export class OtherReplicas {
  readonly #calls: PeerCalls;
  #ids: readonly string[] = [];

  constructor(calls: PeerCalls) {
    this.#calls = calls;
  }

  /** Takes which other replicas live. */
  see(ids: readonly string[]): void {
    this.#ids = ids;
  }

  /** Whether another replica lives, as far as is known. */
  has(id: string): boolean {
    return this.#ids.includes(id);
  }

  /** Asks all of them at once; those that cannot be reached, or do not know the call, have no answer. Never fails. */
  ask(name: string, payload: unknown, principal: CallPrincipal): Promise<ReplicaAnswer[]> {
    return Promise.all(
      this.#ids.map(async (replica) => {
        const signal = AbortSignal.timeout(patience);
        const answer = await this.#calls.call(replica, name, payload, { principal, signal }).catch(() => null);
        return { replica, answer };
      }),
    );
  }
}
