import type { Migration } from './migration.ts';

/** What replicas have to agree on. */
export const replicaSettings: Migration = {
  name: '0052-replica-settings',
  kind: 'expand',
  statements: (schema) => [
    // Name of the last migration that its program knows. Null for programs before this one.
    schema.alterTable('replicas').addColumn('schema', 'text'),
    // JSON: keyed digests of its settings, by name.
    schema.alterTable('replicas').addColumn('settings', 'text'),
  ],
};
