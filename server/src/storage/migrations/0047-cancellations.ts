import { sql } from 'kysely';
import { key, required } from './columns.ts';
import type { Migration } from './migration.ts';

/** What is cancelled while another replica works on it. */
export const cancellations: Migration = {
  name: '0047-cancellations',
  kind: 'expand',
  statements: (schema) => [
    schema
      .createTable('answer_cancellations')
      .addColumn('conversation_uuid', 'text', (column) =>
        key(column).references('conversations.uuid').onDelete('cascade'),
      )
      // Messages of the conversation before this one are not answered.
      .addColumn('before_sequence', 'integer', required)
      .addColumn('reason', 'text', required)
      .addColumn('requested_at', 'text', required),
    schema.alterTable('tasks').addColumn('cancel_requested_at', 'text'),
    // Why a task cannot be cancelled, as any replica says it.
    schema.alterTable('tasks').addColumn('cancel_refusal', 'text'),
    schema
      .createIndex('tasks_cancelled')
      .on('tasks')
      .column('claimed_by')
      .where(sql<boolean>`cancel_requested_at is not null and state = 'PENDING'`),
  ],
};
