import { botOfLease, type Leases } from '../../core/replicas/leases.ts';
import type { BeatTiming } from './liveness.ts';
import type { LeaseRow, LeaseWishes } from './replica-statements.ts';

export interface ReplicaLeasesOptions {
  /** Of the replica, read for each use. */
  id: () => string;
  mayWork: () => boolean;
  /** Has the next beat come at once. */
  hurry: () => void;
  timing: Pick<BeatTiming, 'free' | 'settled'>;
}

/** What a beat answers about leases. */
export interface LeaseAnswer {
  /** As they were before the beat; null when they were as the replica knows them. */
  leases: readonly LeaseRow[] | null;
  digest: string;
  /** Those that the beat took. */
  taken: readonly { name: string; token: number }[];
}

/**
 * The leases of a replica on PostgreSQL. All it does with them is done by its beat: what it wishes goes there, and what the
 * beat answers comes back here.
 */
export class ReplicaLeases implements Leases {
  readonly #options: ReplicaLeasesOptions;
  readonly #wanted = new Set<string>();
  /** Tokens of the leases that this replica holds. */
  readonly #held = new Map<string, number>();
  /** Those whose work is being ended, and those whose work has ended, which the next beat frees. */
  readonly #ending = new Set<string>();
  readonly #ended = new Map<string, number>();
  /** Leases that are to come here although another replica holds them. */
  readonly #brought = new Set<string>();
  /** Asked for by other replicas, while they are in use here. */
  readonly #declined = new Set<string>();
  /** As of the last beat. */
  #known = new Map<string, LeaseRow>();
  #digest = '';
  /** Since when leases have been free that this replica wants, elapsed milliseconds. */
  readonly #freeSince = new Map<string, number>();
  #members = '';
  #membersSince = 0;
  #sharers = 1;
  #isLeaving = false;
  #wish: LeaseWishes | null = null;
  readonly #gained: ((name: string) => void)[] = [];
  readonly #release: ((name: string) => Promise<void>)[] = [];
  readonly #lost: ((name: string) => void)[] = [];
  readonly #asked: ((name: string) => boolean)[] = [];

  constructor(options: ReplicaLeasesOptions) {
    this.#options = options;
  }

  want(names: readonly string[]): void {
    const fresh = names.filter((name) => !this.#wanted.has(name));
    for (const name of fresh) this.#wanted.add(name);
    if (fresh.length > 0) this.#options.hurry();
  }

  unwant(names: readonly string[]): void {
    for (const name of names) {
      this.#wanted.delete(name);
      this.#brought.delete(name);
      this.#freeSince.delete(name);
      this.#end(name);
    }
  }

  token(name: string): number | null {
    return this.#options.mayWork() ? (this.#held.get(name) ?? null) : null;
  }

  holder(name: string): string | null {
    return this.#held.has(name) ? this.#options.id() : (this.#known.get(name)?.replica ?? null);
  }

  bring(name: string): void {
    if (!this.#wanted.has(name) || this.#held.has(name) || this.#brought.has(name)) return;
    this.#brought.add(name);
    this.#options.hurry();
  }

  onGained(listener: (name: string) => void): void {
    this.#gained.push(listener);
  }

  onRelease(listener: (name: string) => Promise<void>): void {
    this.#release.push(listener);
  }

  onLost(listener: (name: string) => void): void {
    this.#lost.push(listener);
  }

  onAsked(listener: (name: string) => boolean): void {
    this.#asked.push(listener);
  }

  /** Frees the leases of bots, each once its work has ended, and keeps none that comes from now on. */
  leaveBots(): void {
    this.#isLeaving = true;
    for (const name of this.#bots) this.#end(name);
  }

  /**
   * For the next beat.
   * @param mayTake whether leases may be taken
   * @param present elapsed milliseconds
   */
  wishes({ mayTake, present }: { mayTake: boolean; present: number }): LeaseWishes {
    const missing = [...this.#wanted].filter((name) => !this.#held.has(name));
    const takeable = mayTake ? missing : [];
    const isLongFree = (name: string) => present - (this.#freeSince.get(name) ?? present) >= this.#options.timing.free;
    const isUrgent = (name: string) => botOfLease(name) === null || this.#brought.has(name) || isLongFree(name);
    this.#wish = {
      add: missing.filter((name) => !this.#known.has(name)),
      take: takeable.filter(isUrgent),
      share: takeable.filter((name) => !isUrgent(name)),
      room: Math.max(0, this.#share - this.#bots.length),
      ask: mayTake ? [...this.#brought] : [],
      decline: [...this.#declined],
      release: Object.fromEntries(this.#ended),
      digest: this.#digest,
    };
    return this.#wish;
  }

  /**
   * A beat has succeeded.
   * @param sharers ids of the living replicas that take leases
   * @param present elapsed milliseconds
   */
  beaten(answer: LeaseAnswer, { sharers, present }: { sharers: readonly string[]; present: number }): void {
    const freed = this.#wish?.release ?? {};
    for (const name of this.#wish?.decline ?? []) this.#declined.delete(name);
    if (answer.leases !== null) this.#read(answer.leases, freed);
    this.#digest = answer.digest;
    for (const name of Object.keys(freed)) {
      this.#ended.delete(name);
      this.#know(name, { replica: null, wanted_by: null });
    }
    for (const { name, token } of answer.taken) {
      this.#know(name, { replica: this.#options.id(), token, wanted_by: null });
      this.#hold(name, token);
    }
    const former = this.#sharers;
    this.#sharers = Math.max(1, sharers.length);
    this.#noteFree(present);
    // One has left, whose bots may have been free already for this beat: its room was as before.
    if (this.#sharers < former && this.#freeSince.size > 0) this.#options.hurry();
    this.#answerAsked();
    this.#balance(sharers, present);
    // Rows that this beat added can be taken by the next one.
    if ((this.#wish?.add.length ?? 0) > 0) this.#options.hurry();
  }

  /** Others have taken its work over: nothing is its own any more. */
  replaced(): void {
    const lost = [...this.#held.keys()];
    this.#held.clear();
    this.#ending.clear();
    this.#ended.clear();
    this.#declined.clear();
    this.#brought.clear();
    this.#known.clear();
    this.#digest = '';
    for (const name of lost) this.#lose(name);
  }

  get #bots(): string[] {
    return [...this.#held.keys()].filter((name) => botOfLease(name) !== null);
  }

  /** How many bots are its share. */
  get #share(): number {
    const bots = [...this.#wanted].filter((name) => botOfLease(name) !== null).length;
    return Math.ceil(bots / this.#sharers);
  }

  #read(rows: readonly LeaseRow[], freed: Readonly<Record<string, number>>): void {
    this.#known = new Map(rows.map((row) => [row.name, row]));
    for (const [name, token] of this.#held) {
      if (name in freed) continue;
      const row = this.#known.get(name);
      if (row?.replica === this.#options.id() && row.token === token) continue;
      this.#held.delete(name);
      this.#ending.delete(name);
      this.#ended.delete(name);
      this.#lose(name);
    }
    // Taken by a beat whose answer was lost.
    for (const { name, replica, token } of rows) {
      if (replica !== this.#options.id() || this.#held.has(name) || name in freed) continue;
      if (this.#wanted.has(name)) this.#hold(name, token);
      else this.#ended.set(name, token);
    }
  }

  #know(name: string, change: Partial<LeaseRow>): void {
    const known = this.#known.get(name) ?? { name, replica: null, token: 0, wanted_by: null };
    this.#known.set(name, Object.assign({ ...known }, change));
  }

  #hold(name: string, token: number): void {
    this.#held.set(name, token);
    this.#brought.delete(name);
    this.#freeSince.delete(name);
    // What is not wanted any more since the beat was sent goes back.
    if (!this.#wanted.has(name) || (this.#isLeaving && botOfLease(name) !== null)) this.#end(name);
    else for (const listener of this.#gained) listener(name);
  }

  /** Ends the work of a lease, which the next beat frees. */
  #end(name: string): void {
    const token = this.#held.get(name);
    if (token === undefined || this.#ending.has(name)) return;
    this.#ending.add(name);
    void this.#endWork(name).then(() => {
      if (!this.#ending.delete(name)) return;
      this.#held.delete(name);
      // Wanted again meanwhile, it is taken again as by any replica.
      this.#ended.set(name, token);
      this.#options.hurry();
    });
  }

  async #endWork(name: string): Promise<void> {
    // One after the other: work has to end before its connection does.
    for (const listener of this.#release) await listener(name).catch(() => {});
  }

  #lose(name: string): void {
    for (const listener of this.#lost) listener(name);
  }

  #noteFree(present: number): void {
    for (const name of this.#wanted) {
      const isFree = !this.#held.has(name) && (this.#known.get(name)?.replica ?? null) === null;
      if (!isFree) this.#freeSince.delete(name);
      else if (!this.#freeSince.has(name)) this.#freeSince.set(name, present);
    }
  }

  #answerAsked(): void {
    for (const name of this.#held.keys()) {
      const asks = this.#known.get(name)?.wanted_by ?? null;
      if (asks === null || asks === this.#options.id() || this.#ending.has(name)) continue;
      const isUnused = this.#asked.length > 0 && this.#asked.every((listener) => listener(name));
      if (isUnused) this.#end(name);
      else this.#declined.add(name);
    }
  }

  /** Gives up one bot beyond its share, once the same replicas have been there for a while. */
  #balance(sharers: readonly string[], present: number): void {
    const members = sharers.toSorted().join(' ');
    if (members !== this.#members) this.#membersSince = present;
    this.#members = members;
    if (present - this.#membersSince < this.#options.timing.settled) return;
    const bots = this.#bots.filter((name) => !this.#ending.has(name));
    const last = bots.at(-1);
    if (bots.length > this.#share && last !== undefined) this.#end(last);
  }
}
