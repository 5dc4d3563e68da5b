import { key, required } from './columns.ts';
import type { Migration } from './migration.ts';

/** Which process works on the database, and on which message. */
export const owners: Migration = {
  name: '0011-owners',
  statements: (schema) => [
    // The owner that claimed the message; null when none works on it.
    schema.alterTable('messages').addColumn('claimed_by', 'text'),
    // One row: the process that took the lock of the database last.
    schema
      .createTable('service_owner')
      .addColumn('id', 'integer', key)
      .addColumn('owner', 'text', required)
      .addColumn('term', 'integer', required)
      .addColumn('is_released', 'integer', required),
  ],
};
