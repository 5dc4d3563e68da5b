import { CompiledQuery, type SchemaModule } from 'kysely';
import type { Engine } from '../engine.ts';
import { type Column, identity, key, required } from './columns.ts';
import type { Migration } from './migration.ts';

const ofBot: Column = (column) => column.notNull().references('bots.uuid').onDelete('cascade');

function accounts(schema: SchemaModule) {
  return [
    // A token is good while its session lasts; those of before name none.
    schema.dropTable('ended_tokens'),
    schema
      .createTable('sessions')
      .addColumn('uuid', 'text', key)
      .addColumn('account_uuid', 'text', (column) => column.notNull().references('accounts.uuid').onDelete('cascade'))
      .addColumn('address', 'text', required)
      .addColumn('user_agent', 'text', required)
      .addColumn('created_at', 'text', required)
      .addColumn('last_used_at', 'text', required)
      .addColumn('expires_at', 'text', required),
    schema.createIndex('sessions_by_account').on('sessions').columns(['account_uuid', 'last_used_at']),
  ];
}

function resources(schema: SchemaModule, engine: Engine) {
  return [
    schema
      .createTable('pipeline_models')
      .addColumn('pipeline_uuid', 'text', (column) => column.notNull().references('pipelines.uuid').onDelete('cascade'))
      .addColumn('model_uuid', 'text', (column) => column.notNull().references('models.uuid'))
      .addPrimaryKeyConstraint('pipeline_models_key', ['pipeline_uuid', 'model_uuid']),
    schema.createIndex('pipeline_models_by_model').on('pipeline_models').column('model_uuid'),
    modelsOfPipelines(engine),
    schema.createIndex('bots_by_pipeline').on('bots').column('use_pipeline_uuid'),
    schema
      .createTable('bot_events')
      .addColumn('bot_uuid', 'text', ofBot)
      .addColumn('seq_id', 'bigint', required)
      .addColumn('created_at', 'text', required)
      .addColumn('level', 'text', required)
      .addColumn('text', 'text', required)
      .addColumn('images', 'text', required)
      .addColumn('message_session_id', 'text', required)
      .addPrimaryKeyConstraint('bot_events_key', ['bot_uuid', 'seq_id']),
    schema
      .createTable('webhooks')
      .addColumn('id', 'integer', identity(engine))
      .addColumn('name', 'text', required)
      .addColumn('url', 'text', required)
      .addColumn('description', 'text', required)
      .addColumn('enabled', 'integer', required)
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
    schema.alterTable('files').addColumn('purpose', 'text', (column) => column.notNull().defaultTo('document')),
    // Names the file where its uuid would be too easy to guess.
    schema.alterTable('files').addColumn('access_key', 'text'),
    schema.createIndex('files_by_access_key').unique().on('files').column('access_key'),
  ];
}

/** What pipelines that exist refer to. Models that are gone are left out. */
function modelsOfPipelines(engine: Engine): { compile(): CompiledQuery } {
  const statement =
    engine === 'sqlite'
      ? `insert into pipeline_models (pipeline_uuid, model_uuid)
        select distinct pipelines.uuid, models.uuid from pipelines, json_tree(pipelines.config, '$.ai.local-agent.model') as named
        join models on models.uuid = named.atom`
      : `insert into pipeline_models (pipeline_uuid, model_uuid)
        select distinct pipelines.uuid, models.uuid from pipelines,
        jsonb_path_query(pipelines.config::jsonb, '$.ai."local-agent".model.**') as named
        join models on to_jsonb(models.uuid) = named`;
  return { compile: () => CompiledQuery.raw(statement) };
}

function operations(schema: SchemaModule, engine: Engine) {
  return [
    schema
      .createTable('tasks')
      .addColumn('id', 'integer', identity(engine))
      .addColumn('task_type', 'text', required)
      .addColumn('kind', 'text', required)
      .addColumn('name', 'text', required)
      .addColumn('label', 'text', required)
      .addColumn('scopes', 'text', required)
      .addColumn('context', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('exception', 'text')
      .addColumn('result', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required)
      .addColumn('finished_at', 'text'),
    schema.createIndex('tasks_by_state').on('tasks').columns(['state', 'finished_at']),
    schema
      .createTable('audit_entries')
      .addColumn('id', 'integer', identity(engine))
      .addColumn('created_at', 'text', required)
      .addColumn('actor_kind', 'text', required)
      .addColumn('actor_id', 'text', required)
      .addColumn('actor_name', 'text', required)
      .addColumn('credential', 'text', required)
      .addColumn('address', 'text', required)
      .addColumn('request_id', 'text', required)
      .addColumn('action', 'text', required)
      .addColumn('record_kind', 'text', required)
      .addColumn('record_id', 'text', required)
      .addColumn('changed', 'text', required)
      .addColumn('before', 'text')
      .addColumn('after', 'text'),
    schema.createIndex('audit_entries_by_record').on('audit_entries').columns(['record_kind', 'record_id', 'id']),
    schema.createIndex('audit_entries_by_age').on('audit_entries').column('created_at'),
    schema
      .createTable('idempotency_keys')
      .addColumn('principal', 'text', required)
      .addColumn('route', 'text', required)
      .addColumn('key', 'text', required)
      .addColumn('request_hash', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('status', 'integer')
      .addColumn('answer', 'text')
      .addColumn('created_at', 'text', required)
      .addPrimaryKeyConstraint('idempotency_keys_key', ['principal', 'route', 'key']),
    schema.createIndex('idempotency_keys_by_age').on('idempotency_keys').column('created_at'),
  ];
}

/** Everything around the records: sessions, what uses what, event logs, tasks, webhooks, audit log, idempotency keys. */
export const resourcesMigration: Migration = {
  name: '0002-resources',
  statements: (schema, engine) => [...accounts(schema), ...resources(schema, engine), ...operations(schema, engine)],
};
