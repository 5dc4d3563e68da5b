import { key, required } from './columns.ts';
import type { Migration } from './migration.ts';

/** The packages of plugins in the file store, where every replica finds them. */
export const pluginPackages: Migration = {
  name: '0050-plugin-packages',
  kind: 'expand',
  statements: (schema) => [
    schema
      .createTable('plugin_packages')
      .addColumn('blob_uuid', 'text', key)
      // Of the package that was installed. Null once none is needed, until the blob is deleted.
      .addColumn('digest', 'text', (column) => column.unique())
      // Of the blob: a package that was packed again has others than the one that was installed.
      .addColumn('size', 'integer', required)
      .addColumn('sha256', 'text', required)
      .addColumn('stored_at', 'text', required),
  ],
};
