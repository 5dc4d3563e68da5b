import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** Content of messages that is fetched after they were stored. */
export const mediaReferences: Migration = {
  name: '0023-media-references',
  statements: (schema) => [
    schema
      .createTable('media_references')
      .addColumn('message_uuid', 'text', (column) => column.notNull().references('messages.uuid').onDelete('cascade'))
      .addColumn('id', 'text', required)
      .addColumn('name', 'text', required)
      .addColumn('sealed_value', 'text', required)
      .addPrimaryKeyConstraint('media_references_key', ['message_uuid', 'id']),
  ],
};
