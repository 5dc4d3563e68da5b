import { type RawBuilder, sql } from 'kysely';
import {
  latencyEnds,
  latencyMeasures,
  type Measure,
  type MeasureSource,
  nanoPerUnit,
} from '../../core/monitoring/measures.ts';
import type { Engine } from '../engine.ts';

type Expression = RawBuilder<unknown>;

/** Where something that is counted is in the ledger. The table is called `entry` in expressions of its rows. */
export interface LedgerSource {
  table: string;
  /** Column of its timestamp; indexed. */
  timestamp: string;
  /** Condition of its rows, verbatim as in an index. */
  only?: Expression;
  bot: SourceKey;
  pipeline: SourceKey;
  model: SourceKey;
  measures: Partial<Record<Measure, SourceMeasure>>;
  /** Measures of few of the rows, and the condition of these, verbatim as in an index. */
  rare?: { measures: readonly Measure[]; only: Expression };
}

/** What rows are grouped and filtered by. */
export interface SourceKey {
  value: Expression;
  /** Tables that the value is found in, in the order in which they are joined. */
  path: readonly JoinedTable[];
}

export interface JoinedTable {
  table: 'messages' | 'conversations';
  on: Expression;
}

export interface SourceMeasure {
  /** What the sum is made of, by name: computed once for each row, however often it is used. */
  columns: Readonly<Record<string, Expression>>;
  sum: Expression;
}

const none: SourceKey = { value: sql`''`, path: [] };
const messageOf: JoinedTable = { table: 'messages', on: sql`messages.uuid = entry.message_uuid` };
const conversationOf = (message: Expression): JoinedTable => ({
  table: 'conversations',
  on: sql`conversations.uuid = ${message}.conversation_uuid`,
});
const pipeline = sql`conversations.pipeline_uuid`;
const modelName: SourceKey = { value: sql`entry.model_name`, path: [] };
const ofMessage = {
  bot: { value: sql`messages.bot_uuid`, path: [messageOf] },
  pipeline: { value: pipeline, path: [messageOf, conversationOf(sql`messages`)] },
};

const isFailed = sql`entry.state in ('failed', 'uncertain')`;
const count: SourceMeasure = { columns: {}, sum: sql`count(*)` };

function countIf(columns: SourceMeasure['columns'], condition: Expression): SourceMeasure {
  return { columns, sum: sql`sum(case when ${condition} then 1 else 0 end)` };
}

function sumOf(name: string, value: Expression = sql.ref(`entry.${name}`)): SourceMeasure {
  return { columns: { [name]: value }, sum: sql`sum(${sql.ref(name)})` };
}

/** Milliseconds between a message and its answer. */
function latency(engine: Engine): Expression {
  const took =
    engine === 'sqlite'
      ? sql`cast(round((unixepoch(entry.finished_at, 'subsec') - unixepoch(entry.created_at, 'subsec')) * 1000) as integer)`
      : sql`round(extract(epoch from entry.finished_at::timestamptz - entry.created_at::timestamptz) * 1000)`;
  return sql`case when entry.state = 'answered' and entry.finished_at is not null then ${took} end`;
}

function latencies(engine: Engine): Partial<Record<Measure, SourceMeasure>> {
  const columns = { took: latency(engine) };
  return Object.fromEntries(
    latencyMeasures.map((measure, index) => {
      const above = index === 0 ? sql`took is not null` : sql`took > ${sql.lit(latencyEnds[index - 1])}`;
      const below = index === latencyEnds.length ? sql`` : sql` and took <= ${sql.lit(latencyEnds[index])}`;
      return [measure, countIf(columns, sql`${above}${below}`)];
    }),
  );
}

/** Everything that is summed up, as it is found in the ledger. */
export function ledgerSources(engine: Engine): Record<MeasureSource, LedgerSource> {
  const direction = { direction: sql`entry.direction` };
  const state = { state: sql`entry.state` };
  return {
    messages: {
      table: 'messages',
      timestamp: 'created_at',
      bot: { value: sql`entry.bot_uuid`, path: [] },
      pipeline: { value: pipeline, path: [conversationOf(sql`entry`)] },
      model: none,
      measures: {
        received: countIf(direction, sql`direction = 'inbound'`),
        sent: countIf(direction, sql`direction = 'outbound'`),
        succeeded: countIf(state, sql`state in ('answered', 'stopped', 'finished')`),
        failed: countIf(state, sql`state in ('failed', 'uncertain')`),
        failed_received: countIf(
          { ...direction, ...state },
          sql`state in ('failed', 'uncertain') and direction = 'inbound'`,
        ),
        ...latencies(engine),
      },
      rare: {
        measures: ['failed', 'failed_received'],
        only: sql`${isFailed} and entry.state in ('stopped', 'failed', 'uncertain', 'writing')`,
      },
    },
    llm_calls: {
      table: 'model_calls',
      timestamp: 'started_at',
      ...ofMessage,
      model: modelName,
      measures: {
        llm_calls: count,
        llm_failures: countIf({ reason: sql`entry.reason` }, sql`reason is not null`),
        input_tokens: sumOf('input_tokens'),
        output_tokens: sumOf('output_tokens'),
        cost_nano: sumOf('cost_nano', sql`cast(round(coalesce(entry.cost, 0) * ${sql.lit(nanoPerUnit)}) as bigint)`),
        llm_milliseconds: sumOf('milliseconds'),
      },
      rare: { measures: ['llm_failures'], only: sql`entry.reason is not null` },
    },
    tool_calls: {
      table: 'tool_calls',
      timestamp: 'started_at',
      ...ofMessage,
      model: none,
      measures: { tool_calls: count, tool_failures: countIf(state, sql`state in ('failed', 'interrupted')`) },
      rare: { measures: ['tool_failures'], only: sql`entry.state in ('failed', 'interrupted')` },
    },
    deliveries: {
      table: 'deliveries',
      timestamp: 'updated_at',
      ...ofMessage,
      only: isFailed,
      model: none,
      measures: { delivery_failures: count },
    },
    embedding_calls: {
      table: 'embedding_calls',
      timestamp: 'started_at',
      bot: none,
      pipeline: none,
      model: modelName,
      measures: {
        embedding_calls: count,
        embedding_failures: countIf({ reason: sql`entry.reason` }, sql`reason is not null`),
        embedding_tokens: sumOf('total_tokens'),
      },
    },
  };
}
