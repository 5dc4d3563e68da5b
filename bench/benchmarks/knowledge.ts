import { setTimeout as delay } from 'node:timers/promises';
import { type ClusteredEmbeddings, startClusteredEmbeddings } from '../fakes/embedding-model.ts';
import { startLineMessenger } from '../fakes/line-messenger.ts';
import type { Messenger } from '../fakes/messenger.ts';
import type { Benchmark, Figures } from '../lib/benchmark.ts';
import { effortFigures, runLoad, waitFigures } from '../lib/conversation-load.ts';
import { type Engine, engines, type Installation, withInstallation, withRunning } from '../lib/installation.ts';
import { KnowledgeProgram } from '../lib/knowledge-program.ts';
import { madeUpDocument, madeUpWords } from '../lib/made-up-text.ts';
import { peakMegabytes, residentMegabytes } from '../lib/process-usage.ts';
import { seeded } from '../lib/seeded-random.ts';
import type { ServerProcess } from '../lib/server-process.ts';
import { percentile, round } from '../lib/statistics.ts';

type Argument = 'chunks' | 'dimensions' | 'topics' | 'queries' | 'rate' | 'seconds';
type Numbers = Record<Argument, number>;

const chunksOfDocument = 100;
/** Prefix of all questions. */
const questionWords = 'What about';
/** Timeout for indexing, seconds. */
const patience = 2400;
/** Seconds without progress after which failures are checked. */
const standstill = 30;
/** Numbers of chunks at which the indexing rate is reported. */
const steps = [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000];

/** URL of a PostgreSQL with the extension `vector`, which the packaged one does not have. */
const postgresVariable = 'BENCH_POSTGRES_URL';

export const knowledge: Benchmark<Argument, 'engine'> = {
  summary: 'Indexes and searches a large knowledge base with vectors, while users write messages.',
  defaults: { chunks: 100_000, dimensions: 768, topics: 1000, queries: 300, rate: 500, seconds: 60 },
  choices: { engine: engines },
  run: async (numbers, { engine }) => {
    const postgresUrl = process.env[postgresVariable];
    if (engine === 'postgres' && postgresUrl === undefined)
      throw new Error(`${postgresVariable} has to name a PostgreSQL with the extension vector`);
    const messenger = await startLineMessenger({ honoursTokens: true });
    const embeddings = await startClusteredEmbeddings(numbers.dimensions);
    try {
      const options = {
        engine: engine as Engine,
        messengers: [messenger],
        ...(postgresUrl === undefined ? {} : { postgresUrl }),
      };
      return await withInstallation(options, async (installation) => {
        const setting = { installation, messenger, embeddings, numbers };
        const { base, ...filled } = await withRunning(installation, (service) => fill(service, setting));
        // A restarted service with all chunks: memory and caches of indexing do not affect searches.
        return { ...(await withRunning(installation, (service) => question(service, base, setting))), ...filled };
      });
    } finally {
      await embeddings.close();
      await messenger.close();
    }
  },
};

interface Setting {
  installation: Installation;
  messenger: Messenger;
  embeddings: ClusteredEmbeddings;
  numbers: Numbers;
}

async function fill(service: ServerProcess, setting: Setting) {
  const { installation, embeddings, numbers } = setting;
  const program = new KnowledgeProgram(service.address, installation.key);
  const base = await makeBase(program, embeddings);
  // Warm-up, not counted.
  await load(service, setting, 'warmup', 10);
  const alone = await load(service, setting, 'alone');
  const uploading = upload(program, base, numbers);
  const curve = watchIngest(program, base, numbers.chunks);
  await delay(5000);
  const whileIndexing = await load(service, setting, 'indexing');
  await uploading;
  const { seconds, rates } = await curve;
  await program.ready(base, patience);
  const { chunk_count } = await program.counts(base);
  const peak = peakMegabytes(service.pid);
  return {
    base,
    ingest_chunks_per_second: round(chunk_count / seconds, 1),
    ingest_chunks_per_second_up_to: rates,
    ...waitFigures('message_ingest_alone', alone.ingest),
    ...waitFigures('message_ingest_while_indexing', whileIndexing.ingest),
    while_indexing: effortFigures(whileIndexing),
    indexing_outlasted_messages: seconds > numbers.seconds + 5,
    messages_answered_while_indexing: whileIndexing.answered === whileIndexing.asked,
    ...(peak === null ? {} : { memory_peak_of_filling_mb: round(peak, 1) }),
    stored_chunks: chunk_count,
    ...numbers,
  };
}

async function question(service: ServerProcess, base: string, setting: Setting): Promise<Figures> {
  const { installation, numbers } = setting;
  const program = new KnowledgeProgram(service.address, installation.key);
  const before = residentMegabytes(service.pid);
  const [first = 0] = await ask(program, base, numbers, 1);
  await ask(program, base, numbers, 50);
  const times = await ask(program, base, numbers, numbers.queries);
  const found = await recall(program, base, setting);
  const memory = residentMegabytes(service.pid);
  const peak = peakMegabytes(service.pid);
  await load(service, setting, 'warmup-2', 10);
  const asking = new AbortController();
  const asked = askOn(program, base, numbers, asking.signal);
  const whileAsking = await load(service, setting, 'asking');
  asking.abort();
  const timesInLoad = await asked;
  return {
    hybrid_p50_ms: round(percentile(times, 0.5), 1),
    hybrid_p95_ms: round(percentile(times, 0.95), 1),
    hybrid_first_ms: round(first, 1),
    recall_at_10: found,
    memory_mb: round(memory, 1),
    ...(peak === null ? {} : { memory_peak_of_asking_mb: round(peak, 1) }),
    memory_before_mb: round(before, 1),
    ...waitFigures('message_ingest_while_asking', whileAsking.ingest),
    questions_while_messages_came: timesInLoad.length,
    hybrid_in_load_p50_ms: round(percentile(timesInLoad, 0.5), 1),
    hybrid_in_load_p95_ms: round(percentile(timesInLoad, 0.95), 1),
    messages_answered_while_asking: whileAsking.answered === whileAsking.asked,
  };
}

/** Messages at the rate of the messages benchmark. */
function load(
  service: ServerProcess,
  { installation, messenger, numbers }: Setting,
  name: string,
  seconds = numbers.seconds,
) {
  return runLoad(service, messenger, installation.model, {
    name,
    rate: numbers.rate,
    seconds,
    conversations: 200,
    patience: 60 + seconds * 5,
  });
}

async function makeBase(program: KnowledgeProgram, embeddings: ClusteredEmbeddings): Promise<string> {
  const provider = await program.call('POST', '/api/v1/provider/providers', {
    name: 'Clustered',
    requester: 'openai-chat-completions',
    base_url: embeddings.baseUrl,
    api_keys: ['sk-0123456789abcdefghij'],
  });
  const model = await program.call('POST', '/api/v1/provider/models/embedding', {
    name: 'clustered',
    provider_uuid: provider.uuid,
  });
  return await program.create({ embedding_model_uuid: model.uuid });
}

async function upload(program: KnowledgeProgram, base: string, { chunks, topics }: Numbers): Promise<void> {
  const random = seeded(7);
  for (let document = 0; document < chunks / chunksOfDocument; document++) {
    await program.add(base, `document-${document}.md`, madeUpDocument(chunksOfDocument, topics, random));
  }
}

/** Polls the number of indexed chunks until it is complete. */
async function watchIngest(program: KnowledgeProgram, base: string, chunks: number) {
  const begun = performance.now();
  const points = [{ at: begun, count: 0 }];
  while ((points.at(-1)?.count ?? 0) < chunks) {
    if (performance.now() - begun > patience * 1000) throw new Error('The chunks were not stored in time');
    await delay(250);
    const { chunk_count } = await program.counts(base);
    const grown = points.findLast(({ count }) => count < chunk_count)?.at ?? begun;
    // Failures are checked only without progress: the list is long.
    if (performance.now() - grown > standstill * 1000) await program.ready(base, patience);
    points.push({ at: performance.now(), count: chunk_count });
  }
  const secondsUntil = (count: number) => ((points.find((point) => point.count >= count)?.at ?? begun) - begun) / 1000;
  const reached = steps.filter((step) => step <= chunks);
  const rates = reached.map((step, index) => {
    const from = reached[index - 1] ?? 0;
    const rate = (step - from) / (secondsUntil(step) - (from === 0 ? 0 : secondsUntil(from)));
    return [`${step}`, Number.isFinite(rate) ? round(rate) : null] as const;
  });
  return { seconds: secondsUntil(chunks), rates: Object.fromEntries(rates) };
}

/** Sequential queries. @returns the duration of each, milliseconds */
async function ask(program: KnowledgeProgram, base: string, { topics }: Numbers, count: number): Promise<number[]> {
  const random = seeded(count);
  const times: number[] = [];
  for (let index = 0; index < count; index++) times.push(await askOnce(program, base, topics, random));
  return times;
}

async function askOn(program: KnowledgeProgram, base: string, { topics }: Numbers, signal: AbortSignal) {
  const random = seeded(99);
  const times: number[] = [];
  while (!signal.aborted) {
    times.push(await askOnce(program, base, topics, random));
    await delay(50);
  }
  return times;
}

async function askOnce(program: KnowledgeProgram, base: string, topics: number, random: () => number) {
  const query = `${questionWords} topic${Math.floor(random() * topics)}: ${madeUpWords(8, random)}?`;
  const begun = performance.now();
  const found = await program.retrieve(base, query, { top_k: 10 });
  if (found.length !== 10) throw new Error(`Of ten passages ${found.length} were found`);
  return performance.now() - begun;
}

/** Recall of the ten nearest vectors. */
async function recall(program: KnowledgeProgram, base: string, { embeddings, numbers }: Setting): Promise<number> {
  const random = seeded(5);
  const shares: number[] = [];
  for (let index = 0; index < 100; index++) {
    const query = `${questionWords} topic${Math.floor(random() * numbers.topics)}, case ${index}?`;
    const found = await program.retrieve(base, query, { top_k: 10, search_type: 'vector' });
    // Queries have vectors as well, but are not stored.
    const closest = (await embeddings.closest(query, 200)).filter((text) => !text.startsWith(questionWords));
    const texts = found.map(({ content }) => content[0]?.text ?? '');
    // The embedded text may start with headings that the passage does not repeat.
    const hits = closest.slice(0, 10).filter((text) => texts.some((passage) => text.endsWith(passage)));
    shares.push(hits.length / 10);
  }
  return round(shares.reduce((sum, share) => sum + share, 0) / shares.length, 4);
}
