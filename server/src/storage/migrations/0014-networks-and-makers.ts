import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** From where each account signed in lately, and which account made an API key. */
export const networksAndMakers: Migration = {
  name: '0014-networks-and-makers',
  statements: (schema) => [
    schema
      .createTable('account_networks')
      .addColumn('account_uuid', 'text', (column) => column.notNull().references('accounts.uuid').onDelete('cascade'))
      .addColumn('network', 'text', required)
      .addColumn('signed_in_at', 'text', required)
      .addPrimaryKeyConstraint('account_networks_key', ['account_uuid', 'network']),
    schema
      .alterTable('api_keys')
      .addColumn('account_uuid', 'text', (column) => column.references('accounts.uuid').onDelete('cascade')),
    schema.createIndex('api_keys_by_account').on('api_keys').column('account_uuid'),
  ],
};
