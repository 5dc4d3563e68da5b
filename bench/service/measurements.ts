import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** Work of a storage since the start of its process. */
export interface StorageCounts {
  statements: number;
  /** To a database server. */
  roundTrips: number;
  transactions: number;
  commits: number;
}

/** What a program tells about itself over its channel, from one `reset` to the next `read`. */
export interface Measurements {
  event_loop_delay_p99_ms: number;
  event_loop_delay_most_ms: number;
  event_loop_busy: number;
  /** Missing where the program does not count it. */
  storage?: StorageCounts;
}

/** Milliseconds between two looks at the clock; they are part of every delay that is measured. */
const resolution = 10;
const delayOf = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution);

/**
 * Answers `reset`, which begins a measurement, `read` and `resources`, which is what keeps the process alive.
 * @param others what else can be asked, with its answer
 */
export function answerMeasurements(
  countsOf: () => StorageCounts,
  others: Readonly<Record<string, () => unknown>> = {},
): void {
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  let utilization = performance.eventLoopUtilization();
  let before = countsOf();
  const answers: Record<string, () => unknown> = {
    reset: () => {
      delays.reset();
      utilization = performance.eventLoopUtilization();
      before = countsOf();
      return {};
    },
    read: (): Measurements => ({
      event_loop_delay_p99_ms: delayOf(delays.percentile(99)),
      event_loop_delay_most_ms: delayOf(delays.max),
      event_loop_busy: performance.eventLoopUtilization(utilization).utilization,
      storage: difference(countsOf(), before),
    }),
    // Until now, without a new measurement.
    counts: () => difference(countsOf(), before),
    resources: () => {
      globalThis.gc?.();
      return process.getActiveResourcesInfo();
    },
    ...others,
  };
  process.on('message', (question) => process.send?.(answers[String(question)]?.()));
}

function difference(now: StorageCounts, before: StorageCounts): StorageCounts {
  return {
    statements: now.statements - before.statements,
    roundTrips: now.roundTrips - before.roundTrips,
    transactions: now.transactions - before.transactions,
    commits: now.commits - before.commits,
  };
}
