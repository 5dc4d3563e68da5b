/** How replicas watch one another, milliseconds. */
export interface BeatTiming {
  /** Between two beats. */
  beat: number;
  /** How long a beat may take, and a connection for it, before it has failed. */
  answer: number;
  /** After it has failed, until the next. */
  retry: number;
  /** How long after it sent the last beat that succeeded a replica asks load balancers to choose another one. */
  late: number;
  /** How long a replica may work after it sent the last beat that succeeded. */
  fence: number;
  /** How long a beat has to stay the same until its replica is dead. Longer than `fence`, also with the error of the clock. */
  dead: number;
  /** A lease of a bot that has been free for so long is taken beyond the share: the others do not take it. */
  free: number;
  /** How long the same replicas have to be there until bots are moved from one to another. */
  settled: number;
}

export const beatTiming: Readonly<BeatTiming> = {
  beat: 1000,
  answer: 2000,
  retry: 250,
  late: 3000,
  fence: 6000,
  dead: 9000,
  free: 5000,
  settled: 30_000,
};

/** The beat of a replica: a number that it raises as long as it lives. */
export interface Beat {
  id: string;
  beat: number;
}

/**
 * Judges which other replicas are dead, by how long this one saw their beats unchanged. Only its own elapsed time counts, and
 * only while its own beats succeeded one after the other: while the database was away, no replica could beat.
 *
 * A replica that is judged dead has not worked for `dead - fence`: the beat that was seen first had been sent before it was
 * seen, and each later one that succeeded would have changed the number.
 */
export class DeathWatch {
  readonly #timing: Pick<BeatTiming, 'beat' | 'answer' | 'dead'>;
  /** Since when a beat has been the same, by replica. */
  readonly #seen = new Map<string, { beat: number; since: number }>();
  #lastSent: number | null = null;

  constructor(timing: Pick<BeatTiming, 'beat' | 'answer' | 'dead'>) {
    this.#timing = timing;
  }

  /**
   * An own beat has succeeded.
   * @param others the living replicas beside this one, as the answer names them
   * @param sent when the beat was sent, elapsed milliseconds
   * @param answered when its answer was read
   * @returns those that are dead
   */
  succeeded(others: readonly Beat[], { sent, answered }: { sent: number; answered: number }): Beat[] {
    const { beat: pause, answer, dead } = this.#timing;
    // It did not try meanwhile: it may have been stopped while the database was away.
    if (this.#lastSent !== null && sent - this.#lastSent > pause + 2 * answer) this.failed();
    this.#lastSent = sent;
    const before = new Map(this.#seen);
    this.#seen.clear();
    return others.filter(({ id, beat }) => {
      const known = before.get(id);
      const since = known?.beat === beat ? known.since : answered;
      this.#seen.set(id, { beat, since });
      return sent - since >= dead;
    });
  }

  /** How long beats have been the same, elapsed milliseconds by replica. */
  ages(present: number): Map<string, number> {
    return new Map([...this.#seen].map(([id, { since }]) => [id, Math.max(0, present - since)]));
  }

  /** An own beat has failed: what was seen before does not count any more. */
  failed(): void {
    this.#seen.clear();
    this.#lastSent = null;
  }
}

/**
 * The own beat of a replica: which number comes next, and whether it is recent enough to work. What was not answered may
 * have been stored, so the stored number may be any between the last that succeeded and the last that was sent.
 */
export class OwnBeat {
  readonly #fence: number;
  #stored: number;
  #last: number;
  /** When the last one was sent that succeeded. */
  #sent: number;

  /** @param sent when the row with the number 1 was sent that was stored, elapsed milliseconds */
  constructor(timing: Pick<BeatTiming, 'fence'>, sent: number) {
    this.#fence = timing.fence;
    this.#stored = 1;
    this.#last = 1;
    this.#sent = sent;
  }

  /** The numbers of the next one: it replaces one from `least` to `most` by `next`. */
  raise(): { least: number; most: number; next: number } {
    const most = this.#last;
    this.#last += 1;
    return { least: this.#stored, most, next: this.#last };
  }

  succeeded(next: number, sent: number): void {
    this.#stored = next;
    this.#sent = sent;
  }

  /** How long it may work still, milliseconds; 0 or less when it may not. */
  left(present: number): number {
    return this.#sent + this.#fence - present;
  }
}
