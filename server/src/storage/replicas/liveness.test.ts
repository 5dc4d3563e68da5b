import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Beat, DeathWatch, OwnBeat, beatTiming as timing } from './liveness.ts';

/** The table of replicas. */
interface Row {
  beat: number;
  hasEnded: boolean;
}

interface Outage {
  from: number;
  until: number;
}

/** How one replica lives in a simulation, seconds. */
interface Life {
  /** What its clock of elapsed time shows at the beginning. */
  offset: number;
  /** While it is stopped, or its event loop is blocked. */
  stopped: readonly Outage[];
  /** While its own way to the database is cut. */
  cut: readonly Outage[];
  /** From sending a beat until the server stores it, and from there to the answer, milliseconds. */
  latencies: number[];
  /** Its end without a word; after the simulation when it does not end. */
  killed: number;
}

const within = (outages: readonly Outage[], present: number) =>
  outages.find(({ from, until }) => from * 1000 <= present && present < until * 1000);

/**
 * Replicas that beat against one table, with all that the classes under test know: numbers, and their own elapsed time.
 * @returns who was judged dead when, and who worked when at that time
 */
function simulate(lives: readonly Life[], away: readonly Outage[], seconds: number) {
  const rows = new Map<string, Row>();
  const judged: { dead: string; by: string; at: number; isWorking: boolean }[] = [];
  const events: { at: number; run: (present: number) => void }[] = [];
  const plan = (at: number, run: (present: number) => void) => void events.push({ at, run });
  const replicas = lives.map((life, index) => {
    const id = `replica ${index}`;
    const shown = (present: number) => present + life.offset * 1000;
    const own = new OwnBeat(timing, shown(0));
    const watch = new DeathWatch(timing);
    rows.set(id, { beat: 1, hasEnded: false });
    let turn = index;
    const latency = () => life.latencies[turn++ % life.latencies.length] ?? 1;
    let isReplaced = false;
    /** One that is stopped may go on at any time. */
    const isWorking = (present: number) => !isReplaced && present < life.killed * 1000 && own.left(shown(present)) > 0;
    /** A process that is stopped goes on afterwards. */
    const running = (present: number) => (within(life.stopped, present)?.until ?? present / 1000) * 1000;
    const next = (present: number, isFailure: boolean) =>
      plan(running(present + (isFailure ? timing.retry : timing.beat)), send);
    const send = (present: number) => {
      if (isReplaced || present >= life.killed * 1000) return;
      const { least, most, next: number } = own.raise();
      const sent = shown(present);
      const arrives = present + latency();
      const fail = (at: number) =>
        plan(running(at), (later) => {
          watch.failed();
          next(later, true);
        });
      if (within(away, arrives) || within(life.cut, arrives)) return fail(present + timing.answer);
      plan(arrives, (stored) => {
        const row = rows.get(id) as Row;
        const isStored = !row.hasEnded && row.beat >= least && row.beat <= most;
        if (isStored) row.beat = number;
        const others: Beat[] = [...rows]
          .filter(([other, { hasEnded }]) => other !== id && !hasEnded)
          .map(([other, { beat }]) => ({ id: other, beat }));
        const answers = stored + latency();
        const isLost = answers - present > timing.answer || within(life.cut, answers);
        if (isLost) return fail(present + timing.answer);
        plan(running(answers), (answered) => {
          if (!isStored) {
            isReplaced = true;
            return;
          }
          own.succeeded(number, sent);
          for (const dead of watch.succeeded(others, { sent, answered: shown(answered) })) takeOver(dead, answered);
          next(answered, false);
        });
      });
    };
    const takeOver = (dead: Beat, present: number) => {
      const row = rows.get(dead.id) as Row;
      if (row.hasEnded || row.beat !== dead.beat) return;
      row.hasEnded = true;
      const other = replicas.find((one) => one.id === dead.id);
      judged.push({ dead: dead.id, by: id, at: present, isWorking: other?.isWorking(present) ?? false });
    };
    plan(running(index * 100), send);
    return { id, isWorking };
  });
  for (;;) {
    events.sort((left, right) => left.at - right.at);
    const event = events.shift();
    if (event === undefined || event.at > seconds * 1000) return judged;
    event.run(event.at);
  }
}

const outage = (longest: number) =>
  fc
    .record({ from: fc.integer({ min: 0, max: 60 }), length: fc.integer({ min: 1, max: longest }) })
    .map(({ from, length }) => ({ from, until: from + length }));
const latencies = (longest: number) => fc.array(fc.integer({ min: 1, max: longest }), { minLength: 1, maxLength: 7 });
/** Far apart, as if the computers had been started weeks after one another. */
const offset = fc.integer({ min: 0, max: 3_000_000 });

describe('replicas that watch one another', () => {
  it('never take one for dead that works, whatever is stopped, cut, slow or away', () => {
    const life = fc.record({
      offset,
      stopped: fc.array(outage(30), { maxLength: 3 }),
      cut: fc.array(outage(30), { maxLength: 3 }),
      latencies: fc.oneof(latencies(20), latencies(400), latencies(2500)),
      killed: fc.oneof(fc.constant(1000), fc.integer({ min: 5, max: 200 })),
    });
    let judged = 0;
    fc.assert(
      fc.property(
        fc.array(life, { minLength: 2, maxLength: 4 }),
        fc.array(outage(30), { maxLength: 3 }),
        (lives, away) => {
          const found = simulate(lives, away, 100);
          judged += found.length;
          expect(found.filter(({ isWorking }) => isWorking)).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
    expect(judged).toBeGreaterThan(300);
  });

  it('take none for dead while the database is away, however long and often', () => {
    const life = fc.record({
      offset,
      // The clock tells the time only: a stop of some seconds is none of the database.
      stopped: fc.array(outage(3), { maxLength: 2 }),
      cut: fc.constant([]),
      latencies: latencies(900),
      killed: fc.constant(1000),
    });
    fc.assert(
      fc.property(
        fc.array(life, { minLength: 2, maxLength: 4 }),
        fc.array(outage(40), { minLength: 1, maxLength: 4 }),
        (lives, away) => {
          expect(simulate(lives, away, 120)).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('take one for dead that was killed, within 12 s', () => {
    const life = (killed: fc.Arbitrary<number>) =>
      fc.record({
        offset,
        stopped: fc.constant([]),
        cut: fc.constant([]),
        // Between the end and the judgement lie two beats, `dead`, and at most six ways to the database or back.
        latencies: latencies(150),
        killed,
      });
    fc.assert(
      fc.property(life(fc.integer({ min: 1, max: 40 })), life(fc.constant(1000)), (killed, living) => {
        const found = simulate([killed, living], [], 60);
        expect(found).toMatchObject([{ dead: 'replica 0', by: 'replica 1', isWorking: false }]);
        expect((found[0]?.at ?? 0) / 1000).toBeLessThan(killed.killed + 12);
      }),
      { numRuns: 200 },
    );
  });

  it('take none for dead because they were stopped while the database was away', () => {
    const base = { offset: 0, stopped: [], cut: [], latencies: [5], killed: 1000 };
    const stopped = { ...base, stopped: [{ from: 10, until: 40 }] };
    expect(simulate([base, stopped], [{ from: 10, until: 39.9 }], 80)).toEqual([]);
  });

  it('take one for dead that is stopped or cut off for long', () => {
    const base = { offset: 0, stopped: [], cut: [], latencies: [5], killed: 1000 };
    for (const fault of ['stopped', 'cut'] as const) {
      const found = simulate(
        [
          { ...base, [fault]: [{ from: 10, until: 40 }] },
          { ...base, offset: 1_000_000 },
        ],
        [],
        60,
      );
      expect(found).toMatchObject([{ dead: 'replica 0' }]);
      expect(found[0]?.at).toBeLessThan(21_000);
    }
  });
});

describe('the beat of a replica', () => {
  it('follows the last number that was stored, or one that was sent since', () => {
    const own = new OwnBeat(timing, 0);
    expect(own.raise()).toEqual({ least: 1, most: 1, next: 2 });
    expect(own.raise()).toEqual({ least: 1, most: 2, next: 3 });
    own.succeeded(3, 1000);
    expect(own.raise()).toEqual({ least: 3, most: 3, next: 4 });
  });

  it('lets it work for 6 s after it was sent', () => {
    const own = new OwnBeat(timing, 1000);
    expect(own.left(6999)).toBe(1);
    expect(own.left(7000)).toBe(0);
    own.succeeded(2, 3000);
    expect(own.left(7000)).toBe(2000);
  });
});
