import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** How far each document ever got, so that only runs that got no further count as attempts. */
export const documentProgress: Migration = {
  name: '0013-document-progress',
  statements: (schema) => [
    schema
      .alterTable('knowledge_documents')
      .addColumn('furthest', 'integer', (column) => required(column).defaultTo(0)),
    schema
      .alterTable('knowledge_collection_documents')
      .addColumn('furthest', 'integer', (column) => required(column).defaultTo(0)),
    schema
      .alterTable('knowledge_collection_documents')
      .addColumn('reached', 'integer', (column) => required(column).defaultTo(0)),
  ],
};
