import type { Benchmark } from '../lib/benchmark.ts';
import { load } from '../lib/load.ts';
import { processorSeconds } from '../lib/process-usage.ts';
import { createProgram, type Program } from '../lib/program.ts';
import { type ServerProcess, startServer } from '../lib/server-process.ts';
import { withFolder, withService } from '../lib/service-process.ts';
import { median, round } from '../lib/statistics.ts';

interface Round {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** Of the server; null if the system does not report it. */
  processorMicrosecondsPerRequest: number | null;
}

type Argument = 'rounds' | 'seconds' | 'connections';

export const pipelineRead: Benchmark<Argument> = {
  summary: 'Reads a pipeline with an API key, alternating with a bare server that returns the same bytes.',
  defaults: { rounds: 5, seconds: 5, connections: 50 },
  run: (numbers) =>
    withFolder((folder) =>
      withService(folder, async (service) => {
        const program = await createProgram(service.address);
        const answer = await readOnce(service.address, program);
        const bare = await startServer(['bench/lib/bare-server.ts'], { BARE_ANSWER: JSON.stringify(answer) });
        try {
          return await compare(service, bare, program, answer.body, numbers);
        } finally {
          await bare.stop();
        }
      }),
    ),
};

async function compare(
  service: ServerProcess,
  bare: ServerProcess,
  { pipelinePath, headers }: Program,
  expectBody: string,
  { rounds, seconds, connections }: Record<Argument, number>,
) {
  const measure = async (server: ServerProcess): Promise<Round> => {
    const before = processorSeconds(server.pid);
    const url = `${server.address}${pipelinePath}`;
    const result = await load({ url, headers, duration: seconds, connections, expectBody });
    const after = processorSeconds(server.pid);
    return {
      requestsPerSecond: result['2xx'] / result.duration,
      p50: result.latency.p50,
      p99: result.latency.p99,
      processorMicrosecondsPerRequest:
        before === null || after === null ? null : ((after - before) / result['2xx']) * 1e6,
    };
  };
  // The first round of each is a warm-up and not counted.
  await measure(service);
  await measure(bare);
  const parleyRounds: Round[] = [];
  const bareRounds: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    const parleyRound = await measure(service);
    const bareRound = await measure(bare);
    parleyRounds.push(parleyRound);
    bareRounds.push(bareRound);
    console.log(
      `round ${round}: Parley ${parleyRound.requestsPerSecond.toFixed(0)}/s, bare ${bareRound.requestsPerSecond.toFixed(0)}/s`,
    );
  }
  const ratios = parleyRounds.map(
    (one, index) => one.requestsPerSecond / (bareRounds[index] as Round).requestsPerSecond,
  );
  return {
    parley_requests_per_second: round(median(parleyRounds.map((one) => one.requestsPerSecond))),
    bare_requests_per_second: round(median(bareRounds.map((one) => one.requestsPerSecond))),
    ratio: round(median(ratios), 3),
    ratio_lowest: round(Math.min(...ratios), 3),
    ratio_highest: round(Math.max(...ratios), 3),
    parley_p50_ms: median(parleyRounds.map((one) => one.p50)),
    parley_p99_ms: median(parleyRounds.map((one) => one.p99)),
    bare_p50_ms: median(bareRounds.map((one) => one.p50)),
    bare_p99_ms: median(bareRounds.map((one) => one.p99)),
    parley_processor_us_per_request: processorMedian(parleyRounds),
    bare_processor_us_per_request: processorMedian(bareRounds),
    body_bytes: Buffer.byteLength(expectBody),
    rounds,
    seconds,
    connections,
  };
}

function processorMedian(rounds: Round[]): number | null {
  const known = rounds.map((one) => one.processorMicrosecondsPerRequest).filter((one) => one !== null);
  return known.length === 0 ? null : round(median(known), 1);
}

/** Headers that Node adds. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive']);

async function readOnce(address: string, { pipelinePath, headers }: Program) {
  const response = await fetch(`${address}${pipelinePath}`, { headers });
  if (response.status !== 200) throw new Error(`The pipeline was answered ${response.status}`);
  return {
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ownHeaders.has(name))),
    body: await response.text(),
  };
}
