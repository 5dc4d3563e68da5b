import { sql } from 'kysely';
import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** What calls of plugins have caused for a message, and what plugins store. */
export const pluginEffects: Migration = {
  name: '0040-plugin-effects',
  statements: (schema) => [
    schema
      .createTable('plugin_effects')
      .addColumn('message_uuid', 'text', (column) => column.notNull().references('messages.uuid').onDelete('cascade'))
      .addColumn('plugin_id', 'text', required)
      .addColumn('point', 'text', required)
      .addColumn('kind', 'text', required)
      .addColumn('ordinal', 'integer', required)
      // Of a reply: its message.
      .addColumn('reply_uuid', 'text', (column) => column.references('messages.uuid').onDelete('cascade'))
      .addColumn('content', 'text', required)
      .addColumn('created_at', 'text', required)
      .addPrimaryKeyConstraint('plugin_effects_key', ['message_uuid', 'plugin_id', 'point', 'kind', 'ordinal']),
    schema.createIndex('plugin_effects_by_plugin').on('plugin_effects').column('plugin_id'),
    schema
      .createIndex('plugin_effects_by_reply')
      .on('plugin_effects')
      .column('reply_uuid')
      .where(sql.ref('reply_uuid'), 'is not', null),
    schema
      .createTable('plugin_values')
      .addColumn('plugin_id', 'text', required)
      .addColumn('key', 'text', required)
      .addColumn('value', 'text', required)
      .addColumn('bytes', 'integer', required)
      .addPrimaryKeyConstraint('plugin_values_key', ['plugin_id', 'key']),
    // Null for calls of pipelines.
    schema.alterTable('model_calls').addColumn('plugin_id', 'text'),
    // Those that are for no message.
    schema
      .createTable('plugin_model_calls')
      .addColumn('uuid', 'text', (column) => column.primaryKey())
      .addColumn('plugin_id', 'text', required)
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
    schema.createIndex('plugin_model_calls_by_plugin').on('plugin_model_calls').columns(['plugin_id', 'started_at']),
    schema.createIndex('plugin_model_calls_by_age').on('plugin_model_calls').column('started_at'),
    // Counted in the transactions that write values.
    schema
      .createTable('plugin_value_sizes')
      .addColumn('plugin_id', 'text', (column) => column.primaryKey())
      .addColumn('bytes', 'integer', required),
  ],
};
