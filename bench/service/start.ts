import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { loadConfig } from '../../server/src/config/index.ts';
import { createService } from '../../server/src/service.ts';
import { linePlatforms } from '../fakes/line-platform.ts';

// The service as `npm start` runs it, with the platforms of the benchmarks beside its own. Whoever started it asks over
// the channel how busy it is: `reset` begins a measurement, `read` answers it; `resources` answers what keeps it alive.

/** Milliseconds between two looks at the clock; they are part of every delay that is measured. */
const resolution = 10;
const delayOf = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution);

const service = await createService(loadConfig({ environment: process.env, workingDirectory: process.cwd() }), {
  platforms: linePlatforms,
});
const stop = () => {
  void service.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
};
process.once('SIGTERM', stop);
// A killed benchmark leaves no processes behind.
process.once('disconnect', () => process.exit(1));

const delays = monitorEventLoopDelay({ resolution });
delays.enable();
let utilization = performance.eventLoopUtilization();
process.on('message', (question) => {
  if (question === 'reset') {
    delays.reset();
    utilization = performance.eventLoopUtilization();
    process.send?.({});
  } else if (question === 'resources') {
    globalThis.gc?.();
    process.send?.(process.getActiveResourcesInfo());
  } else {
    process.send?.({
      event_loop_delay_p99_ms: delayOf(delays.percentile(99)),
      event_loop_delay_most_ms: delayOf(delays.max),
      event_loop_busy: performance.eventLoopUtilization(utilization).utilization,
    });
  }
});

console.log(`Parley is ready at ${await service.start()}`);
globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
