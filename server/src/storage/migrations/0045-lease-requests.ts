import type { Migration } from './migration.ts';

/** A replica asks the holder of a lease for it. */
export const leaseRequests: Migration = {
  name: '0045-lease-requests',
  kind: 'expand',
  statements: (schema) => [schema.alterTable('leases').addColumn('wanted_by', 'text')],
};
