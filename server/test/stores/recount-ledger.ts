import { dayOf, hourOf } from '../../src/core/monitoring/hours.ts';
import { latencyEnds, type Measure, nanoPerUnit } from '../../src/core/monitoring/measures.ts';
import type { SumKey, SumQuery, Sums } from '../../src/core/monitoring/monitoring-reader.ts';
import type { Database } from '../../src/storage/database.ts';

/** Something of the ledger that counts. */
interface Entry {
  timestamp: string;
  bot: string;
  pipeline: string;
  model: string;
  counts: Partial<Record<Measure, number>>;
}

/** Reads the whole ledger and adds it up, in the plainest way there is. */
export async function recountLedger(database: Database, { filter, measures, by }: SumQuery): Promise<Sums> {
  const sums: Sums = new Map();
  for (const entry of await entriesOf(database)) {
    const { timestamp, bot, pipeline, model } = entry;
    if (filter.from !== undefined && timestamp < filter.from) continue;
    if (filter.to !== undefined && timestamp > filter.to) continue;
    if (filter.bots?.includes(bot) === false || filter.pipelines?.includes(pipeline) === false) continue;
    if (filter.models?.includes(model) === false) continue;
    const keys: Record<SumKey, string> = {
      nothing: '',
      hour: hourOf(timestamp),
      day: dayOf(timestamp),
      bot,
      pipeline,
      model,
    };
    const sum = sums.get(keys[by]) ?? {};
    for (const measure of measures) sum[measure] = (sum[measure] ?? 0) + (entry.counts[measure] ?? 0);
    sums.set(keys[by], sum);
  }
  return sums;
}

/** Sums without zeros, for comparison. */
export function plainSums(sums: Sums): Record<string, Record<string, number>> {
  const rows = [...sums].map(
    ([key, sum]) => [key, Object.fromEntries(Object.entries(sum).filter(([, count]) => count !== 0))] as const,
  );
  return Object.fromEntries(
    rows.filter(([, sum]) => Object.keys(sum).length > 0).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

async function entriesOf(database: Database): Promise<Entry[]> {
  const all = (table: 'messages' | 'model_calls' | 'tool_calls' | 'deliveries' | 'conversations' | 'embedding_calls') =>
    // biome-ignore lint/suspicious/noExplicitAny: rows of any table
    database.selectFrom(table).selectAll().execute() as Promise<any[]>;
  const conversations = new Map((await all('conversations')).map((row) => [row.uuid, row]));
  const messages = await all('messages');
  const routes = new Map(
    messages.map((row) => [
      row.uuid,
      { bot: row.bot_uuid, pipeline: conversations.get(row.conversation_uuid).pipeline_uuid },
    ]),
  );
  const routeOf = (uuid: string) => routes.get(uuid) ?? { bot: '?', pipeline: '?' };
  return [
    ...messages.map((row) => ({
      timestamp: row.created_at,
      ...routeOf(row.uuid),
      model: '',
      counts: {
        [row.direction === 'inbound' ? 'received' : 'sent']: 1,
        succeeded: ['answered', 'stopped', 'finished'].includes(row.state) ? 1 : 0,
        failed: row.state === 'failed' ? 1 : 0,
        failed_received: row.state === 'failed' && row.direction === 'inbound' ? 1 : 0,
        ...(row.state === 'answered'
          ? { [latencyOf(Date.parse(row.finished_at) - Date.parse(row.created_at))]: 1 }
          : {}),
      },
    })),
    ...(await all('model_calls')).map((row) => ({
      timestamp: row.started_at,
      ...routeOf(row.message_uuid),
      model: row.model_name,
      counts: {
        llm_calls: 1,
        llm_failures: row.reason === null ? 0 : 1,
        input_tokens: row.input_tokens,
        output_tokens: row.output_tokens,
        cost_nano: Math.round((row.cost ?? 0) * nanoPerUnit),
        llm_milliseconds: row.milliseconds,
      },
    })),
    ...(await all('tool_calls')).map((row) => ({
      timestamp: row.started_at,
      ...routeOf(row.message_uuid),
      model: '',
      counts: { tool_calls: 1, tool_failures: ['failed', 'interrupted'].includes(row.state) ? 1 : 0 },
    })),
    ...(await all('deliveries'))
      .filter(({ state }) => state === 'failed' || state === 'uncertain')
      .map((row) => ({
        timestamp: row.updated_at,
        ...routeOf(row.message_uuid),
        model: '',
        counts: { delivery_failures: 1 },
      })),
    ...(await all('embedding_calls')).map((row) => ({
      timestamp: row.started_at,
      bot: '',
      pipeline: '',
      model: row.model_name,
      counts: {
        embedding_calls: 1,
        embedding_failures: row.reason === null ? 0 : 1,
        embedding_tokens: row.total_tokens,
      },
    })),
  ];
}

function latencyOf(milliseconds: number): string {
  const index = latencyEnds.findIndex((end) => milliseconds <= end);
  return `latency_${index < 0 ? latencyEnds.length : index}`;
}
