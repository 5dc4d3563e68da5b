import { type SchemaModule, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import { identity, key, required } from './columns.ts';
import type { Migration } from './migration.ts';

function tables(schema: SchemaModule, engine: Engine) {
  const number = engine === 'sqlite' ? 'integer' : 'bigint';
  return [
    schema
      .createTable('alert_targets')
      .addColumn('uuid', 'text', key)
      .addColumn('name', 'text', required)
      .addColumn('kind', 'text', required)
      .addColumn('language', 'text', required)
      .addColumn('config', 'text', required)
      .addColumn('secret', 'text', required)
      .addColumn('sealed_secrets', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
    schema
      .createTable('alert_rules')
      .addColumn('uuid', 'text', key)
      .addColumn('name', 'text', required)
      .addColumn('kind', 'text', required)
      .addColumn('enabled', 'integer', required)
      .addColumn('parameters', 'text', required)
      .addColumn('minimum_minutes', 'integer', required)
      .addColumn('muted_until', 'text')
      .addColumn('targets', 'text', required)
      .addColumn('held_ms', 'bigint', required)
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
    // Without references: alerts outlive their rule, and their notices tell of targets that were deleted.
    schema
      .createTable('alerts')
      .addColumn('id', number, identity(engine))
      .addColumn('rule_uuid', 'text', required)
      .addColumn('rule_name', 'text', required)
      .addColumn('kind', 'text', required)
      .addColumn('facts', 'text', required)
      .addColumn('started_at', 'text', required)
      .addColumn('ended_at', 'text')
      .addColumn('end_reason', 'text'),
    // A rule has one open alert at most, whoever evaluates it.
    schema.createIndex('alerts_open').unique().on('alerts').column('rule_uuid').where(sql.ref('ended_at'), 'is', null),
    schema.createIndex('alerts_by_end').on('alerts').column('ended_at'),
    schema
      .createTable('alert_notices')
      .addColumn('uuid', 'text', key)
      .addColumn('alert_id', number, (column) => column.notNull().references('alerts.id').onDelete('cascade'))
      .addColumn('event', 'text', required)
      .addColumn('target_uuid', 'text', required)
      .addColumn('target_name', 'text', required)
      .addColumn('target_kind', 'text', required)
      .addColumn('facts', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('attempts', 'integer', required)
      .addColumn('due_at', 'bigint')
      .addColumn('expires_at', 'bigint', required)
      .addColumn('error', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('finished_at', 'text'),
    schema.createIndex('alert_notices_once').unique().on('alert_notices').columns(['alert_id', 'target_uuid', 'event']),
    schema
      .createIndex('alert_notices_due')
      .on('alert_notices')
      .column('due_at')
      .where(sql.ref('due_at'), 'is not', null),
  ];
}

/** Rules, alerts, and the notices that are sent of them. */
export const alertsMigration: Migration = {
  name: '0033-alerts',
  statements: tables,
};
