import type { Migration } from './migration.ts';

/**
 * Which addresses of a record an admin saved, as a JSON list. Null, as in all records of before: every one, since whoever
 * wrote them counts as an admin.
 */
export const adminAddresses: Migration = {
  name: '0015-admin-addresses',
  statements: (schema) =>
    ['providers', 'pipelines', 'bots', 'knowledge_collections'].map((table) =>
      schema.alterTable(table).addColumn('admin_addresses', 'text'),
    ),
};
