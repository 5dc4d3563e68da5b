import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** What answers to a message need on its platform, sealed. */
export const replyContexts: Migration = {
  name: '0021-reply-contexts',
  statements: (schema) => [
    schema
      .createTable('reply_contexts')
      .addColumn('message_uuid', 'text', (column) =>
        column.primaryKey().references('messages.uuid').onDelete('cascade'),
      )
      .addColumn('sealed_value', 'text', required)
      .addColumn('expires_at', 'text')
      .addColumn('uses_left', 'integer'),
  ],
};
