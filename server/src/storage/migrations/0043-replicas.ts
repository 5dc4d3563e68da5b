import { key, required } from './columns.ts';
import type { Migration } from './migration.ts';

/** Tables whose rows replicas work on in turn: claims of them are numbered. */
const claimed = [
  'webhook_deliveries',
  'idempotency_keys',
  'knowledge_documents',
  'knowledge_collection_documents',
] as const;
/** Tables with rows that one replica works on until they end. */
const claimedOnce = ['alert_notices', 'tasks', 'tool_calls', 'plugin_schedules', 'knowledge_evaluations'] as const;

/** Processes that share the database, what each works on, and what only one of them may do. */
export const replicas: Migration = {
  name: '0043-replicas',
  kind: 'expand',
  statements: (schema) => [
    schema
      .createTable('replicas')
      .addColumn('id', 'text', key)
      .addColumn('folder', 'text', required)
      .addColumn('version', 'text', required)
      .addColumn('address', 'text')
      .addColumn('state', 'text', required)
      .addColumn('beat', 'bigint', required)
      .addColumn('started_at', 'text', required)
      .addColumn('ended_at', 'text')
      .addColumn('ended_by', 'text'),
    schema
      .createTable('leases')
      .addColumn('name', 'text', key)
      .addColumn('replica', 'text')
      .addColumn('token', 'integer', required),
    ...[...claimed, ...claimedOnce].map((table) => schema.alterTable(table).addColumn('claimed_by', 'text')),
    ...claimed.map((table) =>
      schema.alterTable(table).addColumn('claim', 'integer', (column) => column.notNull().defaultTo(0)),
    ),
  ],
};
