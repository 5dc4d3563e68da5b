import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Benchmark } from '../lib/benchmark.ts';
import { developFigures } from '../plugins/develop-figures.ts';
import { idleFigures } from '../plugins/idle-figures.ts';
import { messageFigures } from '../plugins/message-figures.ts';
import { processFigures } from '../plugins/process-figures.ts';

type Argument = 'starts' | 'calls' | 'rate' | 'seconds' | 'warmup' | 'rounds' | 'repetitions' | 'changes';

export const plugins: Benchmark<Argument, 'profile', 'beside'> = {
  summary:
    'What plugins cost: their processes, messages through five listeners, a service with ten installed, and a change of one.',
  defaults: { starts: 20, calls: 5000, rate: 50, seconds: 20, warmup: 5, rounds: 5, repetitions: 7, changes: 15 },
  choices: { profile: ['no', 'yes'] },
  folders: ['beside'],
  run: async ({ starts, calls, repetitions, changes, ...load }, { beside, profile }) => {
    const profileFolder = profile === 'yes' ? await mkdtemp(join(tmpdir(), 'parley-profile-')) : undefined;
    const figures = {
      ...(await processFigures({ starts, calls })),
      ...(await messageFigures({ ...load, ...(profileFolder && { profileFolder }) })),
      ...(await idleFigures({ repetitions, beside })),
      ...(await developFigures({ changes })),
    };
    if (profileFolder !== undefined) console.log(`The profile is in ${profileFolder}`);
    return { ...figures, ...load, starts, repetitions, changes };
  },
};
