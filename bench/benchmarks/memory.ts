import type { Benchmark } from '../lib/benchmark.ts';
import { load } from '../lib/load.ts';
import { peakMegabytes, settledMegabytes } from '../lib/process-usage.ts';
import { createProgram } from '../lib/program.ts';
import { withFolder, withService } from '../lib/service-process.ts';
import { round } from '../lib/statistics.ts';

export const memory: Benchmark<'requests' | 'connections'> = {
  summary: 'Resident memory of the service: idle after its first and second start, and after reading pipelines.',
  defaults: { requests: 100_000, connections: 50 },
  run: ({ requests, connections }) =>
    withFolder(async (folder) => {
      const [firstIdle, program] = await withService(folder, async (service) => [
        await settledMegabytes(service.pid),
        await createProgram(service.address),
      ]);
      return await withService(folder, async (service) => {
        const idle = await settledMegabytes(service.pid);
        const url = `${service.address}${program.pipelinePath}`;
        const expectBody = await (await fetch(url, { headers: program.headers })).text();
        await load({ url, headers: program.headers, amount: requests, connections, expectBody });
        const afterwards = await settledMegabytes(service.pid);
        const peak = peakMegabytes(service.pid);
        return {
          idle_mb: round(idle, 1),
          idle_first_start_mb: round(firstIdle, 1),
          after_requests_mb: round(afterwards, 1),
          peak_mb: peak === null ? null : round(peak, 1),
          requests,
          connections,
        };
      });
    }),
};
