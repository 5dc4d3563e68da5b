import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** Signed requests of platforms that were seen, so that none is accepted twice. */
export const usedRequests: Migration = {
  name: '0025-used-requests',
  statements: (schema) => [
    schema
      .createTable('used_requests')
      .addColumn('bot_uuid', 'text', (column) => column.notNull().references('bots.uuid').onDelete('cascade'))
      .addColumn('digest', 'text', required)
      .addColumn('expires_at', 'text', required)
      .addPrimaryKeyConstraint('used_requests_key', ['bot_uuid', 'digest']),
    schema.createIndex('used_requests_by_expiry').on('used_requests').columns(['expires_at']),
  ],
};
