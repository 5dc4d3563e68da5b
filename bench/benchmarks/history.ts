import { join } from 'node:path';
import { startLineMessenger } from '../fakes/line-messenger.ts';
import type { Messenger } from '../fakes/messenger.ts';
import { ApiReader, createKey } from '../lib/api-reader.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { effortFigures, type LoadResult, runLoad, waitFigures } from '../lib/conversation-load.ts';
import { type FilledLedger, fillLedger } from '../lib/filled-ledger.ts';
import { type Installation, withInstallation, withRunning } from '../lib/installation.ts';
import { percentile, round } from '../lib/statistics.ts';

type Argument = 'messages' | 'conversations' | 'repetitions' | 'rate' | 'seconds' | 'warmup';
type Numbers = Record<Argument, number>;

export const history: Benchmark<Argument> = {
  summary: 'Reads pages, filters and traces of a large ledger, alone and under load.',
  defaults: { messages: 1_000_000, conversations: 10_000, repetitions: 20, rate: 50, seconds: 30, warmup: 10 },
  run: async (numbers) => {
    const messenger = await startLineMessenger({ honoursTokens: true });
    try {
      return await withInstallation({ engine: 'sqlite', messengers: [messenger] }, async (installation) => {
        const file = join(installation.place.dataDir, 'parley.db');
        const begun = performance.now();
        const ledger = fillLedger(file, numbers.messages, numbers.conversations);
        const seconds = (performance.now() - begun) / 1000;
        console.log(`${ledger.messages} messages were put into the ledger in ${seconds.toFixed(0)} s`);
        return await measure(installation, messenger, { ledger, key: await createKey(file), numbers });
      });
    } finally {
      await messenger.close();
    }
  },
};

interface Subject {
  ledger: FilledLedger;
  key: string;
  numbers: Numbers;
}

function measure(installation: Installation, messenger: Messenger, { ledger, key, numbers }: Subject) {
  const { conversations: _, messages: __, repetitions, rate, seconds, warmup } = numbers;
  return withRunning(installation, async (service) => {
    const load = (name: string, length: number): Promise<LoadResult> =>
      runLoad(service, messenger, installation.model, {
        name,
        rate,
        seconds: length,
        conversations: 200,
        patience: 60,
      });
    const reader = new ApiReader(service.address, key);
    try {
      const queries = await queriesOf(ledger, reader);
      for (const path of Object.values(queries)) await reader.read(path);
      await load('warmup', warmup);
      const quiet = await load('quiet', seconds);
      const reads = await readAll(reader, queries, repetitions);
      const stop = new AbortController();
      const reading = readUntil(reader, queries, stop.signal);
      const busy = await load('busy', seconds);
      stop.abort();
      const readsMeanwhile = await reading;
      const slowest = [...reads].sort(([, left], [, right]) => percentile(right, 0.95) - percentile(left, 0.95));
      for (const [name, times] of slowest) {
        console.log(
          `${name}: p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`,
        );
      }
      const [[slowestName, slowestTimes] = ['', [0]]] = slowest;
      return {
        ...readFigures('read', [...reads.values()].flat()),
        slowest_read: slowestName,
        slowest_read_p95_ms: round(percentile(slowestTimes, 0.95), 1),
        ...readFigures('page', reads.get('newest') ?? []),
        ...readFigures('deep_page', reads.get('deep') ?? []),
        ...readFigures('explain', reads.get('explain answered') ?? []),
        ...readFigures('read_during_ingest', [...readsMeanwhile.values()].flat()),
        reads_during_ingest: [...readsMeanwhile.values()].flat().length,
        ...waitFigures('ingest_alone', quiet.ingest),
        ...waitFigures('ingest_during_reads', busy.ingest),
        ...effortFigures(busy),
        asked: quiet.asked + busy.asked,
        answered: quiet.answered + busy.answered,
        ledger_messages: ledger.messages,
        queries: reads.size,
        ...numbers,
      };
    } finally {
      reader.close();
    }
  });
}

/** The measured requests, by purpose. */
async function queriesOf(ledger: FilledLedger, reader: ApiReader): Promise<Record<string, string>> {
  const list = (filter: Record<string, string | number> = {}) =>
    `/api/v1/messages?${new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))}`;
  // A position far from the newest message.
  const early = { to: new Date((Date.parse(ledger.from) * 9 + Date.parse(ledger.to)) / 10).toISOString() };
  const { next_cursor: deep } = (await reader.read(list(early))) as { next_cursor: string };
  const hour = { from: ledger.to.replace(/T.*/, 'T00:00:00Z'), to: ledger.to.replace(/T.*/, 'T01:00:00Z') };
  const filters: Record<string, Record<string, string>> = {
    bot: { bot_uuid: ledger.bot },
    'rare bot': { bot_uuid: ledger.rareBot },
    'no bot': { bot_uuid: '00000000-0000-7000-8000-000000000000' },
    pipeline: { pipeline_uuid: ledger.pipeline },
    'former pipeline': { pipeline_uuid: ledger.formerPipeline },
    conversation: { conversation_uuid: ledger.conversation },
    persons: { session_type: 'person' },
    groups: { session_type: 'group' },
    session: { session_id: ledger.session },
    'restless session': { session_id: ledger.restlessSession },
    'no session': { session_id: 'unknown' },
    sender: { sender_id: ledger.sender },
    inbound: { direction: 'inbound' },
    answered: { state: 'answered' },
    stopped: { state: 'stopped' },
    failed: { state: 'failed' },
    waiting: { state: 'received' },
    writing: { state: 'writing' },
    'rate limited': { reason: 'rate_limited' },
    quota: { reason: 'quota' },
    'no such reason': { reason: 'nothing' },
    hour,
    'before all': { to: '2000-01-01T00:00:00Z' },
    'bot, failed': { bot_uuid: ledger.bot, state: 'failed' },
    'pipeline, quota': { pipeline_uuid: ledger.pipeline, reason: 'quota' },
    'former pipeline, rate limited': { pipeline_uuid: ledger.formerPipeline, reason: 'rate_limited' },
    'restless session, outbound': { session_id: ledger.restlessSession, direction: 'outbound' },
    'groups, sender of others': { session_type: 'group', sender_id: ledger.sender },
    'bot, hour, stopped': { ...hour, bot_uuid: ledger.bot, state: 'stopped' },
  };
  return {
    newest: list(),
    'newest 200': list({ limit: 200 }),
    deep: list({ cursor: deep }),
    ...Object.fromEntries(
      Object.entries(filters).flatMap(([name, filter]) => [
        [name, list(filter)],
        [`${name}, deep`, list({ ...filter, cursor: deep })],
      ]),
    ),
    message: `/api/v1/messages/${ledger.answered}`,
    'explain answered': `/api/v1/messages/${ledger.answered}/explain`,
    'explain stopped': `/api/v1/messages/${ledger.stopped}/explain`,
  };
}

type Times = Map<string, number[]>;

async function readAll(reader: ApiReader, queries: Record<string, string>, repetitions: number): Promise<Times> {
  const times: Times = new Map();
  for (let repetition = 0; repetition < repetitions; repetition += 1) await readOnce(reader, queries, times);
  return times;
}

async function readUntil(reader: ApiReader, queries: Record<string, string>, signal: AbortSignal): Promise<Times> {
  const times: Times = new Map();
  while (!signal.aborted) await readOnce(reader, queries, times);
  return times;
}

async function readOnce(reader: ApiReader, queries: Record<string, string>, times: Times): Promise<void> {
  for (const [name, path] of Object.entries(queries)) {
    const known = times.get(name) ?? [];
    times.set(name, known);
    known.push(await reader.time(path));
  }
}

function readFigures(name: string, times: readonly number[]): Record<string, number> {
  return {
    [`${name}_p50_ms`]: round(percentile(times, 0.5), 1),
    [`${name}_p95_ms`]: round(percentile(times, 0.95), 1),
  };
}
