import { key, required } from './columns.ts';
import type { Migration } from './migration.ts';

/** What was found in knowledge bases for an answer, and what the answer cites. */
export const retrievals: Migration = {
  name: '0009-retrievals',
  statements: (schema) => [
    schema
      .createTable('message_retrievals')
      .addColumn('uuid', 'text', key)
      // The message that was answered.
      .addColumn('message_uuid', 'text', (column) => column.notNull().references('messages.uuid').onDelete('cascade'))
      .addColumn('started_at', 'text', required)
      // A retrieval as JSON; passages without their texts where those are long.
      .addColumn('retrieval', 'text', required),
    schema
      .createIndex('message_retrievals_by_message')
      .on('message_retrievals')
      .columns(['message_uuid', 'started_at']),
    schema
      .createTable('message_citations')
      .addColumn('message_uuid', 'text', (column) =>
        column.primaryKey().references('messages.uuid').onDelete('cascade'),
      )
      .addColumn('report', 'text', required)
      // To be counted without reading reports.
      .addColumn('cited', 'integer', required)
      .addColumn('dropped', 'integer', required),
  ],
};
