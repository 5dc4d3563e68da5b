import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** Titles of conversations in the chat, and the messages in them that another one replaced. */
export const chatConversations: Migration = {
  name: '0032-chat-conversations',
  statements: (schema) => [
    schema.alterTable('conversations').addColumn('title', 'text'),
    schema
      .createTable('replaced_messages')
      .addColumn('conversation_uuid', 'text', (column) =>
        column.notNull().references('conversations.uuid').onDelete('cascade'),
      )
      .addColumn('first_sequence', 'integer', required)
      .addColumn('last_sequence', 'integer', required)
      .addColumn('replacement', 'text', required)
      .addColumn('created_at', 'text', required)
      .addPrimaryKeyConstraint('replaced_messages_key', ['conversation_uuid', 'first_sequence']),
  ],
};
