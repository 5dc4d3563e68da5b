import type { Transaction } from 'kysely';
import type { RecordVersions } from '../../core/records/record-versions.ts';
import type { CancelledAnswer, DueWork } from '../../core/replicas/due-work.ts';
import { type Leases, SoleLeases } from '../../core/replicas/leases.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Tables } from '../database.ts';
import type { Claimant } from './claimant.ts';
import type { TakesOver } from './replica-rows.ts';

/** What a replica reads with each beat. */
export interface SeenAtBeat {
  /** The other replicas that live. */
  replicas: readonly OtherReplica[];
  versions: RecordVersions;
  /** Raised by each state of a bot that is stored. */
  botStateVersion: number;
  /** Work that waits for a replica, perhaps for another one. */
  due: readonly DueWork[];
  /** What this replica works on and others have cancelled. */
  cancelled: { answers: readonly CancelledAnswer[]; tasks: readonly number[] };
}

/** Another replica that lives, as far as is known. */
export interface OtherReplica {
  id: string;
  /** Where other replicas reach it, `http://10.0.0.2:5310`; null when nowhere. */
  address: string | null;
  /** Of its program. */
  version: string;
  /** `waiting` while it takes no work: it starts, or another one works alone. */
  state: 'waiting' | 'live' | 'draining';
}

/** This process among those that share the database: whether it may work, and what it has to do when that changes. */
export interface Replica extends Claimant {
  /**
   * Whether it may claim, send and edit. Computed at each read from the time that has passed, so it is right even when no
   * timer ran, as after the process was stopped.
   */
  readonly mayWork: boolean;
  /** Whether its last beat is recent: where it is not, load balancers should choose another replica. */
  readonly isBeating: boolean;
  /**
   * Call before each send.
   * @throws StorageError `not_owner` while it may not work
   */
  assertMayWork(): void;
  /** For calls in flight: aborted once it may not work; another one after that, once it may work again. */
  readonly working: AbortSignal;
  /**
   * Calls a listener when it may not work any more: what is connected to platforms has to end.
   * @param listener receives the cause, for the log
   */
  onFenced(listener: (why: string) => void): void;
  /** Calls a listener when it may work again. Unless it was replaced meanwhile, everything that it claimed is still its own. */
  onFree(listener: () => void): void;
  /**
   * Calls a listener when others have taken its work over. It has a new id and has to drop all work; it goes on once it
   * may work again.
   */
  onReplaced(listener: () => void): void;
  /** Calls a listener when it has taken over work of others, which may be due. */
  onTakeover(listener: () => void): void;
  /** Calls a listener when it could not take over work of others. It tries again. */
  onTakeoverFailed(listener: (error: unknown) => void): void;
  /** What is called when work is taken over, each time in this order, after what was registered before. */
  register(...stores: readonly TakesOver[]): void;
  /** Whether other replicas may work at the same time. */
  readonly worksWithOthers: boolean;
  /** What only one replica does at a time. */
  readonly leases: Leases;
  /**
   * Makes sure that it holds a lease until a transaction ends.
   * @throws StorageError `not_owner` when it does not
   */
  assertHolds(transaction: Transaction<Tables>, lease: string): Promise<void>;
  /** Calls a listener with what each beat that succeeds reads. There are none on SQLite. */
  onBeat(listener: (seen: SeenAtBeat) => void): void;
  /** How long this replica has seen the beats of living ones unchanged, milliseconds by their ids. None on SQLite. */
  readonly beatAges: ReadonlyMap<string, number>;
  /** Has the next beat come at once: others have told of changes, which it reads. */
  hurry(): void;
  /** From the next beat on, others read where they reach this replica. */
  announce(address: string | null): void;
  /** It is about to stop: takes no more leases, and hands over its bots, each once its answers in progress have ended. */
  drain(): void;
  readonly isDraining: boolean;
  /**
   * Waits until it may work.
   * @throws the reason of the signal once that is aborted
   */
  whenFree(signal: AbortSignal): Promise<void>;
  /** Frees what it holds for others, once all work has ended. Never fails. */
  leave(): Promise<void>;
}

/** Has a replica take over with a store what others left. @returns the store */
export function takingOver<Store extends TakesOver>(replica: Pick<Replica, 'register'>, store: Store): Store {
  replica.register(store);
  return store;
}

/** The only process, as on SQLite, where the data directory is locked for its lifetime. It may always work. */
export class SoleReplica implements Replica {
  readonly id: string;
  readonly mayWork = true;
  readonly isBeating = true;
  readonly worksWithOthers = false;
  readonly isDraining = false;
  readonly beatAges: ReadonlyMap<string, number> = new Map();
  readonly working = new AbortController().signal;
  readonly leases: Leases = new SoleLeases(this);

  constructor(id = newUuid()) {
    this.id = id;
  }

  assertMayWork(): void {}
  onFenced(): void {}
  onFree(): void {}
  onReplaced(): void {}
  onTakeover(): void {}
  onTakeoverFailed(): void {}
  register(): void {}
  onBeat(): void {}
  hurry(): void {}
  announce(): void {}
  drain(): void {}
  async assertHolds(): Promise<void> {}
  async whenFree(): Promise<void> {}
  async leave(): Promise<void> {}
}
