import type { Migration } from './migration.ts';

/** Numbers the claims of each message, so that a write for an earlier one is known. */
export const claimNumbers: Migration = {
  name: '0042-claims',
  kind: 'expand',
  statements: (schema) => [
    schema.alterTable('messages').addColumn('claim', 'integer', (column) => column.notNull().defaultTo(0)),
  ],
};
