import { CompiledQuery, type SchemaModule, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import { identity, key, required } from './columns.ts';
import type { Migration } from './migration.ts';

/** Into how many spans of time the answers of one row are sorted by how long they took. */
const latencySpans = 12;

function calls(schema: SchemaModule) {
  return [
    // Newest first, and within a window of time.
    schema.createIndex('model_calls_by_age').on('model_calls').column('started_at'),
    schema.createIndex('tool_calls_by_age').on('tool_calls').column('started_at'),
    // What goes wrong is little of all there is.
    schema
      .createIndex('model_calls_failed')
      .on('model_calls')
      .column('started_at')
      .where(sql.ref('reason'), 'is not', sql`null`),
    schema
      .createIndex('tool_calls_failed')
      .on('tool_calls')
      .column('started_at')
      .where(sql.ref('state'), 'in', sql`('failed', 'interrupted')`),
    schema
      .createIndex('deliveries_failed')
      .on('deliveries')
      .column('updated_at')
      .where(sql.ref('state'), 'in', sql`('failed', 'uncertain')`),
    schema.createIndex('conversations_by_activity').on('conversations').columns(['updated_at', 'uuid']),
    schema
      .createIndex('conversations_by_chat')
      .on('conversations')
      .columns(['bot_uuid', 'session_type', 'session_id', 'created_at']),
    schema
      .createTable('embedding_calls')
      .addColumn('uuid', 'text', key)
      .addColumn('model_uuid', 'text')
      .addColumn('model_name', 'text', required)
      .addColumn('started_at', 'text', required)
      .addColumn('milliseconds', 'integer', required)
      .addColumn('prompt_tokens', 'integer', required)
      .addColumn('total_tokens', 'integer', required)
      .addColumn('input_count', 'integer', required)
      .addColumn('reason', 'text')
      .addColumn('error', 'text')
      .addColumn('knowledge_base_uuid', 'text')
      .addColumn('query_text', 'text')
      .addColumn('session_id', 'text')
      .addColumn('message_uuid', 'text')
      .addColumn('call_type', 'text', required),
    schema.createIndex('embedding_calls_by_age').on('embedding_calls').columns(['started_at', 'uuid']),
    schema
      .createIndex('embedding_calls_by_base')
      .on('embedding_calls')
      .columns(['knowledge_base_uuid', 'started_at', 'uuid']),
  ];
}

function feedback(schema: SchemaModule) {
  return [
    schema
      .createTable('feedbacks')
      .addColumn('uuid', 'text', key)
      .addColumn('feedback_id', 'text', required)
      .addColumn('created_at', 'text', required)
      .addColumn('feedback_type', 'integer', required)
      .addColumn('feedback_content', 'text')
      .addColumn('inaccurate_reasons', 'text')
      .addColumn('bot_uuid', 'text', required)
      .addColumn('pipeline_uuid', 'text', required)
      .addColumn('session_id', 'text')
      .addColumn('message_uuid', 'text')
      .addColumn('platform_message_id', 'text')
      .addColumn('stream_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('platform', 'text')
      .addUniqueConstraint('feedbacks_once', ['bot_uuid', 'feedback_id']),
    schema.createIndex('feedbacks_by_age').on('feedbacks').columns(['created_at', 'uuid']),
  ];
}

/** Sums over an hour or a day, so that figures need not be counted in the ledger. */
function rollups(schema: SchemaModule, engine: Engine) {
  const measures = [
    ...['received', 'sent', 'succeeded', 'failed', 'failed_received', 'llm_calls', 'llm_failures', 'input_tokens'],
    ...['output_tokens', 'cost_nano', 'llm_milliseconds', 'tool_calls', 'tool_failures', 'delivery_failures'],
    ...['embedding_calls', 'embedding_failures', 'embedding_tokens'],
    ...Array.from({ length: latencySpans }, (_, index) => `latency_${index}`),
  ];
  let table = schema
    .createTable('monitoring_rollups')
    .addColumn('span', 'text', required)
    .addColumn('start', 'text', required)
    .addColumn('bot_uuid', 'text', required)
    .addColumn('pipeline_uuid', 'text', required)
    .addColumn('model_name', 'text', required);
  for (const name of measures) table = table.addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0));
  return [
    table.addPrimaryKeyConstraint('monitoring_rollups_key', [
      'span',
      'start',
      'bot_uuid',
      'pipeline_uuid',
      'model_name',
    ]),
    // Hours in which something changed after they may have been summed up. PostgreSQL may hold an hour several times.
    schema
      .createTable('monitoring_marks')
      .addColumn('id', engine === 'sqlite' ? 'integer' : 'bigint', identity(engine))
      .addColumn('hour', 'text', required),
    schema.createIndex('monitoring_marks_by_hour').on('monitoring_marks').column('hour'),
  ];
}

/** A change of a row that may come long after the moment that the row counts for. */
interface Late {
  table: string;
  /** Column of the moment. */
  timestamp: string;
  event: 'insert' | 'delete' | `update of ${string}`;
  /** What else has to be true. */
  when?: string;
}

/**
 * Messages, deliveries and calls of tools are stored at their moment, and a delivery changes at the moment that it counts
 * for. A trigger costs as much as the statement that it belongs to, so there are none but for what can be late.
 */
const late: readonly Late[] = [
  // Until they are finished, it is all the same what they wait for.
  { table: 'messages', timestamp: 'created_at', event: 'update of finished_at', when: 'old.state <> new.state' },
  { table: 'messages', timestamp: 'created_at', event: 'delete' },
  { table: 'model_calls', timestamp: 'started_at', event: 'insert' },
  { table: 'model_calls', timestamp: 'started_at', event: 'delete' },
  { table: 'tool_calls', timestamp: 'started_at', event: 'update of state', when: 'old.state <> new.state' },
  { table: 'tool_calls', timestamp: 'started_at', event: 'delete' },
  { table: 'deliveries', timestamp: 'updated_at', event: 'delete', when: "old.state in ('failed', 'uncertain')" },
  { table: 'embedding_calls', timestamp: 'started_at', event: 'insert' },
  { table: 'embedding_calls', timestamp: 'started_at', event: 'delete' },
];

/**
 * A row that changes long after its moment marks its hour, in the same transaction. Rows of the present mark nothing,
 * which is nearly all of them: the hours of the present are not summed up yet.
 */
export function marking(engine: Engine): { compile(): CompiledQuery }[] {
  const statements = engine === 'sqlite' ? late.map(sqliteTrigger) : [postgresFunction, ...late.map(postgresTrigger)];
  return statements.map((statement) => ({ compile: () => CompiledQuery.raw(statement) }));
}

function triggerOf({ table, timestamp, event, when }: Late) {
  const kind = event.split(' ')[0];
  return {
    name: `${table}_mark_${kind}`,
    column: `${kind === 'delete' ? 'old' : 'new'}.${timestamp}`,
    condition: when === undefined ? '' : ` and ${when}`,
  };
}

function sqliteTrigger(change: Late): string {
  const { name, column, condition } = triggerOf(change);
  return `create trigger ${name} after ${change.event} on ${change.table}
    when ${column} < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-5 minutes')${condition}
    begin
      delete from monitoring_marks where hour = substr(${column}, 1, 13) || ':00:00.000Z';
      insert into monitoring_marks (hour) values (substr(${column}, 1, 13) || ':00:00.000Z');
    end`;
}

// Appends only, so that nobody waits for anybody.
const postgresFunction = `create function mark_monitoring_hour() returns trigger language plpgsql as $$
  declare moment text;
  begin
    if tg_op = 'DELETE' then moment := to_jsonb(old) ->> tg_argv[0];
    else moment := to_jsonb(new) ->> tg_argv[0]; end if;
    insert into monitoring_marks (hour) values (substr(moment, 1, 13) || ':00:00.000Z');
    return null;
  end $$`;

function postgresTrigger(change: Late): string {
  const { name, column, condition } = triggerOf(change);
  return `create trigger ${name} after ${change.event} on ${change.table} for each row
    when (${column} < to_char(timezone('utc', now()) - interval '5 minutes', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')${condition})
    execute function mark_monitoring_hour('${change.timestamp}')`;
}

/** What monitoring keeps beside the ledger: calls of embedding models, feedback, and sums. */
export const monitoringMigration: Migration = {
  name: '0005-monitoring',
  statements: (schema, engine) => [
    ...calls(schema),
    ...feedback(schema),
    ...rollups(schema, engine),
    ...marking(engine),
  ],
};
