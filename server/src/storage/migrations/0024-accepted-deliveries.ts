import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Since when a platform may have a message, and which delivery a report of the platform is about. */
export const acceptedDeliveries: Migration = {
  name: '0024-accepted-deliveries',
  statements: (schema) => [
    schema.alterTable('deliveries').addColumn('unconfirmed_since', 'text'),
    schema
      .createIndex('deliveries_by_platform_message')
      .on('deliveries')
      .column('platform_message_id')
      .where(sql.ref('platform_message_id'), 'is not', null),
  ],
};
