import type { Migration } from './migration.ts';

/** The pause that a webhook requested holds for all replicas. */
export const webhookPauses: Migration = {
  name: '0044-webhook-pauses',
  kind: 'expand',
  statements: (schema) => [
    // Milliseconds since 1970.
    schema.alterTable('webhooks').addColumn('paused_until', 'bigint'),
  ],
};
