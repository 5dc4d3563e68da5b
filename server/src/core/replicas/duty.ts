import type { Leases } from './leases.ts';

/** What one replica at a time does for all of them. */
export type DutyName = 'housekeeping' | 'roll-ups' | 'alerts' | 'plugin schedules' | 'collections';

/** Work that one replica at a time does, while it holds the lease for it. */
export class Duty {
  readonly #leases: Pick<Leases, 'want' | 'token' | 'onGained'>;
  readonly #name: DutyName;

  constructor(leases: Pick<Leases, 'want' | 'token' | 'onGained'>, name: DutyName) {
    this.#leases = leases;
    this.#name = name;
  }

  /** Whether this replica does it at present. */
  get isOurs(): boolean {
    return this.#leases.token(this.#name) !== null;
  }

  /** Takes it on whenever no other replica does it. @param begun called each time that this replica gets it */
  takeOn(begun: () => void): void {
    this.#leases.onGained((name) => {
      if (name === this.#name) begun();
    });
    this.#leases.want([this.#name]);
  }
}
