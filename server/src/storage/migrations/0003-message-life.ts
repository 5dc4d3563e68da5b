import { CompiledQuery, type SchemaModule, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import { key, required } from './columns.ts';
import type { Migration } from './migration.ts';

const unfinished = sql`('received', 'processing')`;

function ledger(schema: SchemaModule) {
  return [
    schema.alterTable('messages').addColumn('facts', 'text'),
    schema.alterTable('messages').addColumn('merged_into', 'text'),
    schema.alterTable('messages').addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0)),
    // What runners of other services call the conversation.
    schema.alterTable('conversations').addColumn('runner_state', 'text'),
    // The model that somebody chose for it, asked before the others of its pipeline.
    schema.alterTable('conversations').addColumn('model_uuid', 'text'),
    // The history is read newest first, whichever of these it is searched by.
    schema.createIndex('messages_by_age').on('messages').column('created_at'),
    schema.createIndex('messages_by_bot').on('messages').columns(['bot_uuid', 'created_at']),
    schema.createIndex('messages_by_conversation').on('messages').columns(['conversation_uuid', 'created_at']),
    schema.createIndex('messages_by_sender').on('messages').columns(['sender_id', 'created_at']),
    // What goes well is most of all there is, and found without an index, so keeping these costs it nothing.
    schema
      .createIndex('messages_by_state')
      .on('messages')
      .columns(['state', 'created_at'])
      .where(sql.ref('state'), 'in', sql`('stopped', 'failed', 'writing')`),
    schema
      .createIndex('messages_by_reason')
      .on('messages')
      .columns(['reason', 'created_at'])
      .where(sql.ref('reason'), '!=', sql.lit('answered')),
    schema.createIndex('conversations_by_session').on('conversations').column('session_id'),
    schema
      .createIndex('conversations_by_kind')
      .on('conversations')
      .columns(['session_type', 'pipeline_uuid', 'bot_uuid', 'uuid']),
    schema
      .createTable('message_traces')
      .addColumn('message_uuid', 'text', (column) =>
        column.primaryKey().references('messages.uuid').onDelete('cascade'),
      )
      .addColumn('trace', 'text', required),
    // What a conversation has to do, in order: few rows, whatever the size of the ledger.
    schema.dropIndex('messages_waiting'),
    schema
      .createIndex('messages_waiting')
      .on('messages')
      .columns(['conversation_uuid', 'sequence'])
      .where(sql.ref('state'), 'in', unfinished),
    // What a model is shown of a conversation, without the many messages of a group that were not for the bot.
    schema
      .createIndex('messages_said')
      .on('messages')
      .columns(['conversation_uuid', 'sequence'])
      .where(sql.ref('state'), 'in', sql`('answered', 'finished')`),
    schema
      .createIndex('messages_merged')
      .on('messages')
      .column('merged_into')
      .where(sql.ref('merged_into'), 'is not', sql`null`),
    schema
      .createIndex('conversations_ended')
      .on('conversations')
      .column('updated_at')
      .where(sql.ref('is_current'), '=', sql.lit(0)),
  ];
}

/** Conversations with work, one row each, however much of it there is. With PostgreSQL, they are jobs of pg-boss. */
function queue(schema: SchemaModule, engine: Engine) {
  if (engine === 'postgres') return [];
  return [
    schema
      .createTable('queue')
      .addColumn('conversation_uuid', 'text', (column) =>
        column.primaryKey().references('conversations.uuid').onDelete('cascade'),
      )
      .addColumn('bot_uuid', 'text', required)
      .addColumn('is_running', 'integer', required)
      .addColumn('due_at', 'bigint', required),
    schema.createIndex('queue_due').on('queue').column('due_at').where(sql.ref('is_running'), '=', sql.lit(0)),
    schema
      .createIndex('queue_due_by_bot')
      .on('queue')
      .columns(['bot_uuid', 'due_at'])
      .where(sql.ref('is_running'), '=', sql.lit(0)),
  ];
}

const copyDeliveries = `
  insert into deliveries (message_uuid, piece, state, idempotency_token, reason, error, created_at, updated_at)
  select message_uuid, 0, state, message_uuid, reason, error, created_at, updated_at from single_deliveries`;

/** An answer may be sent as several messages; the delivery of each is a row. */
function deliveries(schema: SchemaModule) {
  return [
    schema.dropIndex('deliveries_open'),
    schema.alterTable('deliveries').renameTo('single_deliveries'),
    schema
      .createTable('deliveries')
      .addColumn('message_uuid', 'text', (column) => column.notNull().references('messages.uuid').onDelete('cascade'))
      .addColumn('piece', 'integer', required)
      .addColumn('message_chain', 'text')
      .addColumn('state', 'text', required)
      .addColumn('idempotency_token', 'text', required)
      .addColumn('platform_message_id', 'text')
      .addColumn('reason', 'text')
      .addColumn('error', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required)
      .addPrimaryKeyConstraint('deliveries_by_piece', ['message_uuid', 'piece']),
    { compile: () => CompiledQuery.raw(copyDeliveries) },
    schema.dropTable('single_deliveries'),
    schema
      .createIndex('deliveries_open')
      .on('deliveries')
      .column('state')
      .where(sql.ref('state'), 'in', sql`('pending', 'sending')`),
  ];
}

function calls(schema: SchemaModule) {
  return [
    schema
      .createTable('model_calls')
      .addColumn('uuid', 'text', key)
      .addColumn('message_uuid', 'text', (column) => column.notNull().references('messages.uuid').onDelete('cascade'))
      // Null where a service elsewhere chose the model.
      .addColumn('model_uuid', 'text')
      .addColumn('model_name', 'text', required)
      .addColumn('started_at', 'text', required)
      .addColumn('milliseconds', 'integer', required)
      .addColumn('first_piece_milliseconds', 'integer')
      .addColumn('input_tokens', 'integer', required)
      .addColumn('output_tokens', 'integer', required)
      .addColumn('cost', 'double precision')
      .addColumn('reason', 'text')
      .addColumn('error', 'text'),
    schema.createIndex('model_calls_by_message').on('model_calls').column('message_uuid'),
    schema
      .createTable('tool_calls')
      .addColumn('uuid', 'text', key)
      .addColumn('message_uuid', 'text', (column) => column.notNull().references('messages.uuid').onDelete('cascade'))
      .addColumn('tool_name', 'text', required)
      .addColumn('parameters', 'text', required)
      .addColumn('result', 'text')
      .addColumn('result_size', 'integer')
      .addColumn('state', 'text', required)
      .addColumn('reason', 'text')
      .addColumn('error', 'text')
      .addColumn('started_at', 'text', required)
      .addColumn('milliseconds', 'integer'),
    schema.createIndex('tool_calls_by_message').on('tool_calls').column('message_uuid'),
    // What a crash cut short, found without reading all calls.
    schema
      .createIndex('tool_calls_running')
      .on('tool_calls')
      .column('state')
      .where(sql.ref('state'), '=', sql.lit('running')),
    schema
      .createTable('model_prices')
      .addColumn('model_name', 'text', key)
      .addColumn('input_price', 'double precision', required)
      .addColumn('output_price', 'double precision', required)
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
  ];
}

function rules(schema: SchemaModule) {
  return [
    // Events counted in a fixed window, so that a restart does not forget them.
    schema
      .createTable('event_counts')
      .addColumn('key', 'text', key)
      .addColumn('window_start', 'bigint', required)
      .addColumn('count', 'integer', required)
      // The last ones that were counted, so that one that is met again is not counted again.
      .addColumn('events', 'text', required),
    schema.createIndex('event_counts_by_window').on('event_counts').column('window_start'),
    schema.alterTable('bots').addColumn('pipeline_routing_rules', 'text', (column) => column.notNull().defaultTo('[]')),
    // Which pipelines the rules of a bot name, so that none of them is deleted.
    schema
      .createTable('bot_pipelines')
      .addColumn('bot_uuid', 'text', (column) => column.notNull().references('bots.uuid').onDelete('cascade'))
      .addColumn('pipeline_uuid', 'text', (column) => column.notNull().references('pipelines.uuid'))
      .addPrimaryKeyConstraint('bot_pipelines_key', ['bot_uuid', 'pipeline_uuid']),
    schema.createIndex('bot_pipelines_by_pipeline').on('bot_pipelines').column('pipeline_uuid'),
  ];
}

/** What the life of a message leaves behind: its way through the pipeline, calls of models and tools, each delivery. */
export const messageLife: Migration = {
  name: '0003-message-life',
  statements: (schema, engine) => [
    ...ledger(schema),
    ...queue(schema, engine),
    ...deliveries(schema),
    ...calls(schema),
    ...rules(schema),
  ],
};
