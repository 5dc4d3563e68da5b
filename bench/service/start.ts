import { loadConfig } from '../../server/src/config/index.ts';
import { createService } from '../../server/src/service.ts';
import { linePlatforms } from '../fakes/line-platform.ts';
import { answerMeasurements } from './measurements.ts';
import { countStorage } from './storage-counts.ts';

// The service as `npm start` runs it, with the platforms of the benchmarks beside its own.

const counts = countStorage();
const setsFile = process.env.BENCHMARK_SETS_FILE;
const questions = setsFile === undefined ? {} : (await import('./stored-sets.ts')).recordSets(setsFile);
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
answerMeasurements(() => ({ ...counts }), questions);

console.log(`Parley is ready at ${await service.start()}`);
globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
