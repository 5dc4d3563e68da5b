import { type SchemaModule, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import { identity, key, required } from './columns.ts';
import type { Migration } from './migration.ts';

function credentials(schema: SchemaModule, engine: Engine) {
  return [
    schema.createTable('metadata').addColumn('key', 'text', key).addColumn('value', 'text', required),
    schema
      .createTable('accounts')
      .addColumn('uuid', 'text', key)
      .addColumn('user', 'text', (column) => column.notNull().unique())
      .addColumn('password_hash', 'text', required)
      .addColumn('recovery_hash', 'text', required)
      .addColumn('version', 'integer', required)
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
    schema.createTable('ended_tokens').addColumn('token_id', 'text', key).addColumn('expires_at', 'text', required),
    schema
      .createTable('attempts')
      .addColumn('key', 'text', key)
      .addColumn('failures', 'integer', required)
      .addColumn('blocked_until', 'text')
      .addColumn('updated_at', 'text', required),
    schema
      .createTable('api_keys')
      .addColumn('id', 'integer', identity(engine))
      .addColumn('name', 'text', required)
      .addColumn('key_hash', 'text', (column) => column.notNull().unique())
      .addColumn('key_mask', 'text', required)
      .addColumn('description', 'text', required)
      .addColumn('scopes', 'text', required)
      .addColumn('expires_at', 'text')
      .addColumn('last_used_at', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
  ];
}

function resources(schema: SchemaModule) {
  return [
    schema
      .createTable('providers')
      .addColumn('uuid', 'text', key)
      .addColumn('name', 'text', required)
      .addColumn('requester', 'text', required)
      .addColumn('base_url', 'text', required)
      .addColumn('api_keys', 'text', required)
      .addColumn('sealed_secrets', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
    schema
      .createTable('models')
      .addColumn('uuid', 'text', key)
      .addColumn('kind', 'text', required)
      .addColumn('name', 'text', required)
      .addColumn('provider_uuid', 'text', (column) => column.notNull().references('providers.uuid'))
      .addColumn('abilities', 'text', required)
      .addColumn('extra_args', 'text', required)
      .addColumn('prefered_ranking', 'integer', required)
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
    schema.createIndex('models_by_provider').on('models').columns(['provider_uuid', 'kind']),
    schema
      .createTable('pipelines')
      .addColumn('uuid', 'text', key)
      .addColumn('name', 'text', required)
      .addColumn('description', 'text', required)
      .addColumn('emoji', 'text')
      .addColumn('for_version', 'text', required)
      .addColumn('is_default', 'integer', required)
      .addColumn('stages', 'text', required)
      .addColumn('config', 'text', required)
      .addColumn('extensions_preferences', 'text', required)
      .addColumn('sealed_secrets', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
    // At most one pipeline is the default.
    schema
      .createIndex('pipelines_default')
      .unique()
      .on('pipelines')
      .column('is_default')
      .where(sql.ref('is_default'), '=', sql.lit(1)),
    schema
      .createTable('bots')
      .addColumn('uuid', 'text', key)
      .addColumn('name', 'text', required)
      .addColumn('description', 'text', required)
      .addColumn('adapter', 'text', required)
      .addColumn('adapter_config', 'text', required)
      .addColumn('sealed_secrets', 'text')
      .addColumn('enable', 'integer', required)
      .addColumn('use_pipeline_uuid', 'text', (column) => column.references('pipelines.uuid'))
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
    schema
      .createTable('files')
      .addColumn('uuid', 'text', key)
      .addColumn('name', 'text', required)
      .addColumn('size', 'integer', required)
      .addColumn('sha256', 'text', required)
      .addColumn('media_type', 'text', required)
      .addColumn('created_at', 'text', required),
  ];
}

function ledger(schema: SchemaModule, engine: Engine) {
  return [
    schema
      .createTable('conversations')
      .addColumn('uuid', 'text', key)
      .addColumn('bot_uuid', 'text', required)
      .addColumn('pipeline_uuid', 'text', required)
      .addColumn('session_type', 'text', required)
      .addColumn('session_id', 'text', required)
      .addColumn('thread_id', 'text', required)
      .addColumn('is_current', 'integer', required)
      .addColumn('last_sequence', 'integer', required)
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
    // One conversation per key goes on; the ones before it were reset.
    schema
      .createIndex('conversations_current')
      .unique()
      .on('conversations')
      .columns(['bot_uuid', 'session_type', 'session_id', 'thread_id', 'pipeline_uuid'])
      .where(sql.ref('is_current'), '=', sql.lit(1)),
    schema
      .createTable('messages')
      .addColumn('position', engine === 'sqlite' ? 'integer' : 'bigint', identity(engine))
      .addColumn('uuid', 'text', (column) => column.notNull().unique())
      .addColumn('bot_uuid', 'text', required)
      .addColumn('conversation_uuid', 'text', (column) => column.notNull().references('conversations.uuid'))
      .addColumn('direction', 'text', required)
      .addColumn('platform_message_id', 'text')
      .addColumn('reply_to', 'text', (column) => column.unique())
      .addColumn('sequence', 'integer', required)
      .addColumn('sender_id', 'text', required)
      .addColumn('sender_name', 'text', required)
      .addColumn('message_chain', 'text', required)
      .addColumn('text', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('reason', 'text')
      .addColumn('sent_at', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('finished_at', 'text')
      // What makes a second delivery of the same message by the platform a repeat.
      .addUniqueConstraint('messages_once', ['bot_uuid', 'platform_message_id'])
      .addUniqueConstraint('messages_in_order', ['conversation_uuid', 'sequence']),
    // The queue: few rows, whatever the size of the ledger.
    schema
      .createIndex('messages_waiting')
      .on('messages')
      .columns(['state', 'position'])
      .where(sql.ref('state'), 'in', sql`('received', 'processing')`),
    schema
      .createTable('deliveries')
      .addColumn('message_uuid', 'text', (column) =>
        column.primaryKey().references('messages.uuid').onDelete('cascade'),
      )
      .addColumn('state', 'text', required)
      .addColumn('reason', 'text')
      .addColumn('error', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
    schema
      .createIndex('deliveries_open')
      .on('deliveries')
      .column('state')
      .where(sql.ref('state'), 'in', sql`('pending', 'sending')`),
  ];
}

/** Everything that the first version stores. */
export const foundation: Migration = {
  name: '0001-foundation',
  statements: (schema, engine) => [...credentials(schema, engine), ...resources(schema), ...ledger(schema, engine)],
};
