import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** What adapters remember over restarts, such as cursors; sealed. */
export const adapterValues: Migration = {
  name: '0022-adapter-values',
  statements: (schema) => [
    schema
      .createTable('adapter_values')
      .addColumn('bot_uuid', 'text', (column) => column.notNull().references('bots.uuid').onDelete('cascade'))
      .addColumn('adapter', 'text', required)
      .addColumn('name', 'text', required)
      .addColumn('sealed_value', 'text', required)
      .addPrimaryKeyConstraint('adapter_values_key', ['bot_uuid', 'adapter', 'name']),
  ],
};
