import { get } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ApiReader, createKey } from '../lib/api-reader.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { type FilledLedger, fillLedger, summedUp } from '../lib/filled-ledger.ts';
import { type Installation, withInstallation, withRunning } from '../lib/installation.ts';
import { peakMegabytes, residentMegabytes } from '../lib/process-usage.ts';
import type { ServerProcess } from '../lib/server-process.ts';
import { percentile, round } from '../lib/statistics.ts';

type Argument = 'messages' | 'conversations' | 'repetitions' | 'export-rows';
type Numbers = Record<Argument, number>;

export const monitoring: Benchmark<Argument> = {
  summary: 'Reads metrics, series, lists and exports of a large ledger, and compares the sums with the ledger.',
  defaults: { messages: 1_000_000, conversations: 10_000, repetitions: 20, 'export-rows': 200_000 },
  run: (numbers) =>
    withInstallation({ engine: 'sqlite', messengers: [] }, async (installation) => {
      const file = join(installation.place.dataDir, 'parley.db');
      const ledger = fillLedger(file, numbers.messages, numbers.conversations);
      console.log(`${ledger.messages} messages are in the ledger`);
      const key = await createKey(file);
      return await withRunning(installation, (service) =>
        measure(service, installation, { file, ledger, key, numbers }),
      );
    }),
};

interface Subject {
  file: string;
  ledger: FilledLedger;
  key: string;
  numbers: Numbers;
}

async function measure(service: ServerProcess, { place }: Installation, { file, ledger, key, numbers }: Subject) {
  const { repetitions, 'export-rows': exportRows } = numbers;
  await service.ask('reset');
  const begun = performance.now();
  await summedUp(place, ledger);
  const summingSeconds = (performance.now() - begun) / 1000;
  const whileSumming = await loopOf(service);
  console.log(`summed up in ${summingSeconds.toFixed(1)} s`);
  const reader = new ApiReader(service.address, key);
  try {
    const groups = requestsOf(ledger);
    for (const requests of Object.values(groups)) for (const path of Object.values(requests)) await reader.read(path);
    await service.ask('reset');
    const times = new Map<string, number[]>();
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      for (const [group, requests] of Object.entries(groups)) {
        for (const [name, path] of Object.entries(requests)) {
          const known = times.get(`${group} ${name}`) ?? [];
          times.set(`${group} ${name}`, known);
          known.push(await reader.time(path));
        }
      }
    }
    const whileReading = await loopOf(service);
    const worst = [...times]
      .map(([name, taken]) => ({ name, p50: percentile(taken, 0.5), p95: percentile(taken, 0.95) }))
      .sort((left, right) => right.p95 - left.p95);
    for (const { name, p50, p95 } of worst) console.log(`${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
    const worstOf = (group: string) => round(worst.find(({ name }) => name.startsWith(`${group} `))?.p95 ?? 0, 1);
    const before = residentMegabytes(service.pid);
    await service.ask('reset');
    const csv = await download(`${service.address}/api/v1/monitoring/export?type=messages&limit=${exportRows}`, key);
    const whileExporting = await loopOf(service);
    const json = await download(
      `${service.address}/api/v1/monitoring/export?type=llm-calls&format=json&limit=${exportRows}`,
      key,
    );
    return {
      overview_p95_ms: worstOf('overview'),
      series_p95_ms: worstOf('series'),
      costs_p95_ms: worstOf('costs'),
      list_p95_ms: worstOf('list'),
      slowest_list: worst.find(({ name }) => name.startsWith('list '))?.name ?? '',
      export_rows_per_second: round(csv.lines / csv.seconds),
      export_json_rows_per_second: round(json.lines / json.seconds),
      exported_rows: csv.lines - 1,
      before_export_mb: round(before, 1),
      peak_mb: round(peakMegabytes(service.pid) ?? residentMegabytes(service.pid), 1),
      sums_equal: await sumsEqual(reader, file),
      summed_up_in_s: round(summingSeconds, 1),
      summing_loop_delay_p99_ms: whileSumming[0],
      summing_loop_delay_most_ms: whileSumming[1],
      reading_loop_delay_p99_ms: whileReading[0],
      reading_loop_delay_most_ms: whileReading[1],
      exporting_loop_delay_p99_ms: whileExporting[0],
      exporting_loop_delay_most_ms: whileExporting[1],
      ledger_messages: ledger.messages,
      ...numbers,
    };
  } finally {
    reader.close();
  }
}

/** The measured requests, by kind. */
function requestsOf(ledger: FilledLedger): Record<string, Record<string, string>> {
  const path = (name: string, query: Record<string, string | number> = {}) => {
    const texts = Object.entries(query).map(([key, value]) => [key, String(value)]);
    return `/api/v1/monitoring/${name}?${new URLSearchParams(texts)}`;
  };
  const middle = new Date((Date.parse(ledger.from) + Date.parse(ledger.to)) / 2 + 1_234_567).toISOString();
  const window = { startTime: middle, endTime: ledger.to };
  const filters: Record<string, Record<string, string>> = {
    all: {},
    window,
    bot: { botId: ledger.bot },
    'rare bot': { botId: ledger.rareBot },
    'former pipeline': { pipelineId: ledger.formerPipeline },
    'bot, window': { ...window, botId: ledger.bot },
    'pipeline, window': { ...window, pipelineId: ledger.pipeline },
  };
  const perFilter = (name: string, query: Record<string, string | number> = {}) =>
    Object.fromEntries(Object.entries(filters).map(([filter, more]) => [filter, path(name, { ...query, ...more })]));
  const hours = { startTime: new Date(Date.parse(ledger.to) - 999 * 3_600_000).toISOString(), endTime: ledger.to };
  const days = { startTime: ledger.from, endTime: ledger.to, interval: 'day' };
  const metrics = [
    'messages',
    'failures',
    'llm_calls',
    'input_tokens',
    'output_tokens',
    'cost',
    'tool_calls',
    'latency',
  ];
  const series = metrics.flatMap((metric) => [
    [`${metric} by hour`, path('series', { metric, ...hours })],
    [`${metric} by day`, path('series', { metric, ...days })],
    [`${metric} by day, bot`, path('series', { metric, ...days, botId: ledger.bot })],
  ]);
  const kinds = ['messages', 'llm-calls', 'tool-calls', 'errors', 'sessions'];
  const lists = kinds.flatMap((kind) => [
    ...Object.entries(perFilter(kind)).map(([filter, request]) => [`${kind} ${filter}`, request]),
    ...Object.entries(perFilter(kind, { offset: 5000 })).map(([filter, request]) => [
      `${kind} deep ${filter}`,
      request,
    ]),
  ]);
  return {
    overview: perFilter('overview'),
    series: {
      ...Object.fromEntries(series),
      'cost by day, model': path('series', { metric: 'cost', ...days, model: 'model-1' }),
    },
    costs: { ...perFilter('costs'), bots: path('costs', { groupBy: 'bot' }) },
    list: {
      ...Object.fromEntries(lists),
      'messages very deep': path('messages', { offset: Math.floor(ledger.messages * 0.9) }),
      'messages of a session': path('messages', { sessionId: `person_${ledger.session}` }),
    },
    other: {
      data: path('data', window),
      details: path(`messages/${ledger.answered}/details`),
      analysis: path(`sessions/person_${ledger.session}/analysis`),
    },
  };
}

/** Event loop delay of a service, milliseconds: p99 and maximum. */
async function loopOf(service: ServerProcess): Promise<[p99: number, most: number]> {
  const read = (await service.ask('read')) as { event_loop_delay_p99_ms: number; event_loop_delay_most_ms: number };
  return [round(read.event_loop_delay_p99_ms, 1), round(read.event_loop_delay_most_ms, 1)];
}

/** Reads an export at full speed. */
function download(url: string, key: string): Promise<{ lines: number; seconds: number }> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const asked = get(url, { headers: { 'x-api-key': key } }, (response) => {
      let lines = 0;
      response.on('data', (chunk: Buffer) => {
        for (let index = chunk.indexOf(10); index >= 0; index = chunk.indexOf(10, index + 1)) lines += 1;
      });
      response.on('end', () => {
        if (response.statusCode !== 200) reject(new Error(`${url} was answered ${response.statusCode}`));
        else resolve({ lines, seconds: (performance.now() - begun) / 1000 });
      });
      response.on('error', reject);
    });
    asked.on('error', reject);
  });
}

/** Whether reported sums equal those of the ledger, exactly. */
async function sumsEqual(reader: ApiReader, file: string): Promise<boolean> {
  const database = new DatabaseSync(file, { readOnly: true });
  const ledger = (sql: string) => database.prepare(sql).get() as Record<string, number>;
  try {
    const { costs } = (await reader.read('/api/v1/monitoring/costs')) as { costs: Record<string, number>[] };
    const told = (name: string) => costs.reduce((sum, share) => sum + (share[name] ?? 0), 0);
    const counted = ledger(`select count(*) as calls, sum(input_tokens) as input, sum(output_tokens) as output,
      sum(cast(round(cost * 1000000000) as integer)) as cost from model_calls`);
    const messages = ledger(`select count(*) as total,
      sum(state = 'answered') as succeeded, sum(direction = 'inbound' and state = 'failed') as failed from messages`);
    const overview = (await reader.read('/api/v1/monitoring/overview')) as Record<string, number>;
    const rate = Math.round(
      ((messages.succeeded ?? 0) / ((messages.succeeded ?? 0) + (messages.failed ?? 0))) * 10_000,
    );
    return (
      told('llm_calls') === counted.calls &&
      told('input_tokens') === counted.input &&
      told('output_tokens') === counted.output &&
      Math.round(told('cost') * 1_000_000_000) === counted.cost &&
      overview.total_messages === messages.total &&
      overview.llm_calls === counted.calls &&
      overview.success_rate === rate / 100
    );
  } finally {
    database.close();
  }
}
