import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** When schedules of plugins ran, and whose texts were embedded. */
export const pluginSchedules: Migration = {
  name: '0041-plugin-schedules',
  statements: (schema) => [
    schema
      .createTable('plugin_schedules')
      .addColumn('plugin_id', 'text', required)
      .addColumn('name', 'text', required)
      .addColumn('cron', 'text', required)
      .addColumn('time_zone', 'text', required)
      .addColumn('handled_until', 'text', required)
      .addColumn('due_at', 'text')
      .addColumn('started_at', 'text')
      .addColumn('ended_at', 'text')
      .addColumn('reason', 'text')
      .addColumn('error', 'text')
      .addPrimaryKeyConstraint('plugin_schedules_key', ['plugin_id', 'name']),
    // Null for calls of knowledge bases.
    schema.alterTable('embedding_calls').addColumn('plugin_id', 'text'),
  ],
};
