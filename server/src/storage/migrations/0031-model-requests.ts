import { key, required } from './columns.ts';
import type { Migration } from './migration.ts';

/** Requests to models as they were sent, for the traces of messages. */
export const modelRequests: Migration = {
  name: '0031-model-requests',
  statements: (schema) => [
    schema
      .createTable('model_requests')
      .addColumn('call_uuid', 'text', key)
      .addColumn('message_uuid', 'text', (column) => column.notNull().references('messages.uuid').onDelete('cascade'))
      .addColumn('expires_at', 'text', required)
      .addColumn('request', 'text', required),
    schema.createIndex('model_requests_by_message').on('model_requests').column('message_uuid'),
    schema.createIndex('model_requests_by_expiry').on('model_requests').column('expires_at'),
  ],
};
