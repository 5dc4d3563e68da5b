import type { Migration } from './migration.ts';

/** Which replica took a request of a platform, as one that died may not have stored what it brought. */
export const requestsOfReplicas: Migration = {
  name: '0051-requests-of-replicas',
  kind: 'expand',
  statements: (schema) => [
    // Null once what its replica took is known to be stored, or for a request that an earlier version took.
    schema.alterTable('used_requests').addColumn('replica', 'text'),
  ],
};
