import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** Who an account is at an identity provider. */
export const identities: Migration = {
  name: '0019-identities',
  statements: (schema) => [
    schema
      .createTable('identities')
      .addColumn('issuer', 'text', required)
      .addColumn('subject', 'text', required)
      .addColumn('account_uuid', 'text', (column) => column.notNull().references('accounts.uuid').onDelete('cascade'))
      .addColumn('created_at', 'text', required)
      .addPrimaryKeyConstraint('identities_key', ['issuer', 'subject'])
      .addUniqueConstraint('identities_of_accounts', ['account_uuid', 'issuer']),
  ],
};
