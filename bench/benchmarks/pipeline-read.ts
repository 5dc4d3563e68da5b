import type { Benchmark } from '../lib/benchmark.ts';
import { processorSeconds } from '../lib/process-usage.ts';
import { caller, createProgram, type Program } from '../lib/program.ts';
import { readLoad } from '../lib/read-load.ts';
import { type ServerProcess, startServer } from '../lib/server-process.ts';
import { withFolder, withService } from '../lib/service-process.ts';
import { median, round } from '../lib/statistics.ts';

interface Round {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** Of the server; null if the system does not report it. */
  processorMicroseconds: number | null;
}

interface Answer {
  headers: Record<string, string>;
  body: string;
}

type Argument = 'rounds' | 'seconds' | 'connections';
type Kind = 'pipeline' | 'provider' | 'bots';

/** In the list of bots. */
const numberOfBots = 10;

export const pipelineRead: Benchmark<Argument> = {
  summary: 'Reads records with an API key, alternating with a bare server that returns the same bytes.',
  defaults: { rounds: 5, seconds: 5, connections: 32 },
  run: (numbers) =>
    withFolder((folder) =>
      withService(folder, async (service) => {
        const program = await createProgram(service.address);
        const paths = await createRecords(service.address, program);
        const answers: Record<string, Answer> = {};
        for (const path of Object.values(paths)) answers[path] = await readOnce(service.address + path, program);
        const bare = await startServer(['bench/lib/bare-server.ts'], { BARE_ANSWERS: JSON.stringify(answers) });
        try {
          const kinds: Record<Kind, Comparison> = {
            pipeline: new Comparison('pipeline', paths.pipeline, answers[paths.pipeline] as Answer),
            provider: new Comparison('provider', paths.provider, answers[paths.provider] as Answer),
            bots: new Comparison('bots', paths.bots, answers[paths.bots] as Answer),
          };
          // The first round of each is a warm-up and not counted.
          for (let round = 0; round <= numbers.rounds; round++) {
            for (const kind of Object.values(kinds)) await kind.compare(service, bare, program, numbers);
          }
          const { pipeline, provider, bots } = kinds;
          return {
            ratio: { pipeline: pipeline.ratio, provider: provider.ratio, bots: bots.ratio },
            pipeline: pipeline.figures,
            provider: provider.figures,
            bots: bots.figures,
            ...numbers,
          };
        } finally {
          await bare.stop();
        }
      }),
    ),
};

/** @returns the paths of what is read */
async function createRecords(address: string, { headers, pipelinePath }: Program): Promise<Record<Kind, string>> {
  const api = caller(address, headers);
  const providers = '/api/v1/provider/providers';
  const { uuid } = await api.call('POST', providers, {
    name: 'benchmark',
    requester: 'openai-chat-completions',
    base_url: 'https://api.example.com/v1',
    api_keys: ['sk-0123456789abcdefghijklmnop'],
  });
  const bots = '/api/v1/platform/bots';
  const listed = async (): Promise<number> => (await api.call('GET', bots)).bots.length;
  for (let count = await listed(); count < numberOfBots; count++) {
    const adapter_config = { token: `${count}23456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw` };
    await api.call('POST', bots, { name: `benchmark ${count}`, adapter: 'telegram', adapter_config });
  }
  if ((await listed()) !== numberOfBots) throw new Error('The list of bots has another length');
  return { pipeline: pipelinePath, provider: `${providers}/${uuid}`, bots };
}

/** The rounds of one kind of read. */
class Comparison {
  readonly #kind: Kind;
  readonly #path: string;
  readonly #body: string;
  readonly #parley: Round[] = [];
  readonly #bare: Round[] = [];
  #isWarm = false;

  constructor(kind: Kind, path: string, { body }: Answer) {
    this.#kind = kind;
    this.#path = path;
    this.#body = body;
  }

  async compare(
    service: ServerProcess,
    bare: ServerProcess,
    { headers }: Program,
    load: Record<Argument, number>,
  ): Promise<void> {
    const measure = async (server: ServerProcess): Promise<Round> => {
      const before = processorSeconds(server.pid);
      const { requests, seconds, p50, p99 } = await readLoad({
        url: server.address + this.#path,
        headers,
        seconds: load.seconds,
        connections: load.connections,
        body: this.#body,
      });
      const after = processorSeconds(server.pid);
      return {
        requestsPerSecond: requests / seconds,
        p50,
        p99,
        processorMicroseconds: before === null || after === null ? null : ((after - before) / requests) * 1e6,
      };
    };
    const [parley, bareRound] = [await measure(service), await measure(bare)];
    if (this.#isWarm) {
      this.#parley.push(parley);
      this.#bare.push(bareRound);
      const [ours, theirs] = [parley, bareRound].map((one) => one.requestsPerSecond.toFixed(0));
      console.log(`${this.#kind}, round ${this.#parley.length}: Parley ${ours}/s, bare ${theirs}/s`);
    }
    this.#isWarm = true;
  }

  /** How many times the processor time of the bare server a request takes; null if the system does not report it. */
  get ratio(): number | null {
    const ratios = this.#parley.flatMap(({ processorMicroseconds: ours }, index) => {
      const theirs = this.#bare[index]?.processorMicroseconds ?? null;
      return ours === null || theirs === null ? [] : [ours / theirs];
    });
    return ratios.length === 0 ? null : round(median(ratios), 2);
  }

  get figures() {
    const speeds = this.#parley.map(
      (one, index) => one.requestsPerSecond / (this.#bare[index] as Round).requestsPerSecond,
    );
    return {
      parley_requests_per_second: round(median(this.#parley.map((one) => one.requestsPerSecond))),
      bare_requests_per_second: round(median(this.#bare.map((one) => one.requestsPerSecond))),
      speed: round(median(speeds), 3),
      speed_lowest: round(Math.min(...speeds), 3),
      speed_highest: round(Math.max(...speeds), 3),
      parley_p50_ms: round(median(this.#parley.map((one) => one.p50)), 2),
      parley_p99_ms: round(median(this.#parley.map((one) => one.p99)), 2),
      bare_p50_ms: round(median(this.#bare.map((one) => one.p50)), 2),
      bare_p99_ms: round(median(this.#bare.map((one) => one.p99)), 2),
      parley_processor_us_per_request: processorMedian(this.#parley),
      bare_processor_us_per_request: processorMedian(this.#bare),
      body_bytes: Buffer.byteLength(this.#body),
    };
  }
}

function processorMedian(rounds: readonly Round[]): number | null {
  const known = rounds.map((one) => one.processorMicroseconds).filter((one) => one !== null);
  return known.length === 0 ? null : round(median(known), 1);
}

/** Headers that Node adds. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive']);

async function readOnce(url: string, { headers }: Program): Promise<Answer> {
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url} was answered ${response.status}`);
  return {
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ownHeaders.has(name))),
    body: await response.text(),
  };
}
