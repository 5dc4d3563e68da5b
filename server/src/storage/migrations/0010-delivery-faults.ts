import { sql } from 'kysely';
import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** What delivery needs to survive faults: what was shown of a message, until when it is tried, and its doubtful end. */
export const deliveryFaults: Migration = {
  name: '0010-delivery-faults',
  statements: (schema) => [
    schema.alterTable('bots').addColumn('uncertain_sends', 'text', (column) => column.notNull().defaultTo('continue')),
    // Null where it does not end: what was stored before, and what is sent once.
    schema.alterTable('deliveries').addColumn('expires_at', 'text'),
    // Apart from the deliveries, since an answer is shown before it is complete. Most messages need none.
    schema
      .createTable('delivery_handles')
      .addColumn('message_uuid', 'text', (column) => column.notNull().references('messages.uuid').onDelete('cascade'))
      .addColumn('piece', 'integer', required)
      .addColumn('handle', 'text', required)
      .addPrimaryKeyConstraint('delivery_handles_key', ['message_uuid', 'piece']),
    // A message can end as `uncertain`, which is rare, like a failure, and belongs to what was said.
    schema.dropIndex('messages_by_state'),
    schema
      .createIndex('messages_by_state')
      .on('messages')
      .columns(['state', 'created_at'])
      .where(sql.ref('state'), 'in', sql`('stopped', 'failed', 'uncertain', 'writing')`),
    schema.dropIndex('messages_said'),
    schema
      .createIndex('messages_said')
      .on('messages')
      .columns(['conversation_uuid', 'sequence'])
      .where(sql.ref('state'), 'in', sql`('answered', 'uncertain', 'finished')`),
  ],
};
