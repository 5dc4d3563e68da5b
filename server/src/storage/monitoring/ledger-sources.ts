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

/** Where something that is counted is in the ledger. The table is called `entry` in all expressions. */
export interface LedgerSource {
  table: string;
  /** Column of its timestamp; indexed. */
  timestamp: string;
  /** Further condition of the index, verbatim. */
  only?: Expression;
  /** Leads to the conversation, called `conversations`. */
  join?: Expression;
  bot: Expression;
  pipeline: Expression;
  model: Expression;
  measures: Partial<Record<Measure, Expression>>;
}

const none = sql`''`;
const ofMessage = {
  // The kind of join prevents an engine from starting with anything but the entries.
  join: sql`cross join messages cross join conversations`,
  only: sql`messages.uuid = entry.message_uuid and conversations.uuid = messages.conversation_uuid`,
  bot: sql`messages.bot_uuid`,
  pipeline: sql`conversations.pipeline_uuid`,
};

const countIf = (condition: Expression) => sql`sum(case when ${condition} then 1 else 0 end)`;
const count = sql`count(*)`;

/** Milliseconds between a message and its end. */
function latency(engine: Engine): Expression {
  return engine === 'sqlite'
    ? sql`cast(round((unixepoch(entry.finished_at, 'subsec') - unixepoch(entry.created_at, 'subsec')) * 1000) as integer)`
    : sql`round(extract(epoch from entry.finished_at::timestamptz - entry.created_at::timestamptz) * 1000)`;
}

function latencies(engine: Engine): Partial<Record<Measure, Expression>> {
  const answered = sql`entry.state = 'answered' and entry.finished_at is not null`;
  const took = latency(engine);
  return Object.fromEntries(
    latencyMeasures.map((measure, index) => {
      const above = index === 0 ? sql`` : sql` and ${took} > ${sql.lit(latencyEnds[index - 1])}`;
      const below = index === latencyEnds.length ? sql`` : sql` and ${took} <= ${sql.lit(latencyEnds[index])}`;
      return [measure, countIf(sql`${answered}${above}${below}`)];
    }),
  );
}

/** Everything that is summed up, as it is found in the ledger. */
export function ledgerSources(engine: Engine): Record<MeasureSource, LedgerSource> {
  return {
    messages: {
      table: 'messages',
      timestamp: 'created_at',
      join: sql`cross join conversations`,
      only: sql`conversations.uuid = entry.conversation_uuid`,
      bot: sql`entry.bot_uuid`,
      pipeline: sql`conversations.pipeline_uuid`,
      model: none,
      measures: {
        received: countIf(sql`entry.direction = 'inbound'`),
        sent: countIf(sql`entry.direction = 'outbound'`),
        succeeded: countIf(sql`entry.state in ('answered', 'stopped', 'finished')`),
        failed: countIf(sql`entry.state in ('failed', 'uncertain')`),
        failed_received: countIf(sql`entry.state in ('failed', 'uncertain') and entry.direction = 'inbound'`),
        ...latencies(engine),
      },
    },
    llm_calls: {
      table: 'model_calls',
      timestamp: 'started_at',
      ...ofMessage,
      model: sql`entry.model_name`,
      measures: {
        llm_calls: count,
        llm_failures: countIf(sql`entry.reason is not null`),
        input_tokens: sql`sum(entry.input_tokens)`,
        output_tokens: sql`sum(entry.output_tokens)`,
        cost_nano: sql`sum(cast(round(coalesce(entry.cost, 0) * ${sql.lit(nanoPerUnit)}) as bigint))`,
        llm_milliseconds: sql`sum(entry.milliseconds)`,
      },
    },
    tool_calls: {
      table: 'tool_calls',
      timestamp: 'started_at',
      ...ofMessage,
      model: none,
      measures: { tool_calls: count, tool_failures: countIf(sql`entry.state in ('failed', 'interrupted')`) },
    },
    deliveries: {
      table: 'deliveries',
      timestamp: 'updated_at',
      ...ofMessage,
      only: sql`entry.state in ('failed', 'uncertain') and ${ofMessage.only}`,
      model: none,
      measures: { delivery_failures: count },
    },
    embedding_calls: {
      table: 'embedding_calls',
      timestamp: 'started_at',
      bot: none,
      pipeline: none,
      model: sql`entry.model_name`,
      measures: {
        embedding_calls: count,
        embedding_failures: countIf(sql`entry.reason is not null`),
        embedding_tokens: sql`sum(entry.total_tokens)`,
      },
    },
  };
}
