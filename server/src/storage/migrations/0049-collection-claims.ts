import type { Migration } from './migration.ts';

/** A collection is built by one replica at a time. */
export const collectionClaims: Migration = {
  name: '0049-collection-claims',
  kind: 'expand',
  statements: (schema) => [schema.alterTable('knowledge_collections').addColumn('claimed_by', 'text')],
};
