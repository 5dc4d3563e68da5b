import type { Benchmark } from '../lib/benchmark.ts';
import { processFigures } from '../plugins/process-figures.ts';

export const plugins: Benchmark<'starts' | 'calls'> = {
  summary: 'Processes of plugins are started and called; how long that takes, and the memory that an idle one holds.',
  defaults: { starts: 20, calls: 5000 },
  run: processFigures,
};
