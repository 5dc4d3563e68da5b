import { key, required } from './columns.ts';
import type { Migration } from './migration.ts';

/** Servers of the Model Context Protocol. */
export const mcpServersMigration: Migration = {
  name: '0004-mcp-servers',
  statements: (schema) => [
    schema
      .createTable('mcp_servers')
      .addColumn('uuid', 'text', key)
      .addColumn('name', 'text', required)
      // The name without capital letters: no two servers share one.
      .addColumn('name_key', 'text', (column) => column.notNull().unique())
      .addColumn('enable', 'integer', required)
      .addColumn('mode', 'text', required)
      .addColumn('extra_args', 'text', required)
      .addColumn('sealed_secrets', 'text')
      // The tools it had when it was last heard of.
      .addColumn('known_tools', 'text', (column) => column.notNull().defaultTo('[]'))
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
  ],
};
