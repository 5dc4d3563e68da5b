import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** What came with messages of conversations that are kept by whoever asks. */
export const modelApi: Migration = {
  name: '0007-model-api',
  statements: (schema) => [
    schema
      .createTable('message_contexts')
      .addColumn('message_uuid', 'text', (column) =>
        column.primaryKey().references('messages.uuid').onDelete('cascade'),
      )
      .addColumn('context', 'text', required),
  ],
};
