import { key, required } from './columns.ts';
import type { Migration } from './migration.ts';

/** Plugins: the versions whose files are on disk, and what an operator chose for each. */
export const pluginsMigration: Migration = {
  name: '0039-plugins',
  statements: (schema) => [
    schema
      .createTable('plugins')
      .addColumn('id', 'text', key)
      .addColumn('installed', 'text')
      .addColumn('waiting', 'text')
      .addColumn('previous', 'text')
      .addColumn('signer', 'text')
      .addColumn('enabled', 'integer', required)
      .addColumn('position', 'integer', required)
      .addColumn('settings', 'text', required)
      .addColumn('sealed_secrets', 'text')
      .addColumn('admin_addresses', 'text')
      .addColumn('grants', 'text', required)
      .addColumn('on_failure', 'text', required)
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
  ],
};
