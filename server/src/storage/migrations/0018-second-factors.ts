import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** What accounts prove beside their password: a secret that makes codes, and codes for when it is lost. */
export const secondFactors: Migration = {
  name: '0018-second-factors',
  statements: (schema) => [
    schema
      .createTable('second_factors')
      .addColumn('account_uuid', 'text', (column) =>
        column.primaryKey().references('accounts.uuid').onDelete('cascade'),
      )
      .addColumn('sealed_secret', 'text', required)
      .addColumn('last_step', 'integer', required)
      .addColumn('enabled_at', 'text'),
    schema
      .createTable('recovery_codes')
      .addColumn('account_uuid', 'text', (column) => column.notNull().references('accounts.uuid').onDelete('cascade'))
      .addColumn('code_hash', 'text', required)
      .addPrimaryKeyConstraint('recovery_codes_key', ['account_uuid', 'code_hash']),
  ],
};
