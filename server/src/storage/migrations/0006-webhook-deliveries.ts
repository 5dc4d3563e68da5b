import { type SchemaModule, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import { identity, required } from './columns.ts';
import type { Migration } from './migration.ts';

function webhooks(schema: SchemaModule) {
  return [
    // Webhooks of before have none; the service gives them one when it starts.
    schema.alterTable('webhooks').addColumn('sealed_secret', 'text'),
    schema.alterTable('webhooks').addColumn('secret_mask', 'text', (column) => column.notNull().defaultTo('')),
    // Why it was switched off when nobody did so.
    schema.alterTable('webhooks').addColumn('disabled_reason', 'text'),
    // Looked at with every message that comes.
    schema.createIndex('webhooks_enabled').on('webhooks').columns(['enabled', 'id']),
    // Until when a message waits for what webhooks say of it; null where none was told.
    schema.alterTable('messages').addColumn('webhook_wait_until', 'text'),
  ];
}

function deliveries(schema: SchemaModule, engine: Engine) {
  const number = engine === 'sqlite' ? 'integer' : 'bigint';
  const isDue = sql`due_at is not null`;
  return [
    schema
      .createTable('webhook_deliveries')
      // In the order in which the messages of a conversation were stored.
      .addColumn('position', number, identity(engine))
      .addColumn('webhook_id', 'integer', (column) => column.notNull().references('webhooks.id').onDelete('cascade'))
      .addColumn('message_uuid', 'text', (column) => column.notNull().references('messages.uuid').onDelete('cascade'))
      .addColumn('conversation_uuid', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('attempts', 'integer', required)
      // When it is sent; null when it ended, and while an earlier one of its conversation is to be sent first.
      .addColumn('due_at', 'bigint')
      .addColumn('expires_at', 'bigint', required)
      .addColumn('skips', 'integer', required)
      .addColumn('error', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('finished_at', 'text'),
    schema
      .createIndex('webhook_deliveries_by_message')
      .unique()
      .on('webhook_deliveries')
      .columns(['message_uuid', 'webhook_id']),
    schema
      .createIndex('webhook_deliveries_first')
      .on('webhook_deliveries')
      .columns(['webhook_id', 'due_at'])
      .where(sql<boolean>`${isDue} and attempts = 0`),
    schema
      .createIndex('webhook_deliveries_again')
      .on('webhook_deliveries')
      .columns(['webhook_id', 'due_at'])
      .where(sql<boolean>`${isDue} and attempts > 0`),
    schema
      .createIndex('webhook_deliveries_open')
      .on('webhook_deliveries')
      .columns(['webhook_id', 'conversation_uuid', 'position'])
      .where(sql<boolean>`state = 'pending'`),
    schema
      .createIndex('webhook_deliveries_by_state')
      .on('webhook_deliveries')
      .columns(['webhook_id', 'state', 'position']),
    schema.createIndex('webhook_deliveries_listed').on('webhook_deliveries').columns(['webhook_id', 'position']),
    schema.createIndex('webhook_deliveries_by_age').on('webhook_deliveries').column('created_at'),
    schema
      .createTable('webhook_attempts')
      .addColumn('delivery', number, (column) =>
        column.notNull().references('webhook_deliveries.position').onDelete('cascade'),
      )
      .addColumn('number', 'integer', required)
      .addColumn('started_at', 'text', required)
      .addColumn('milliseconds', 'integer', required)
      .addColumn('status', 'integer')
      .addColumn('error', 'text')
      .addColumn('answer', 'text')
      .addPrimaryKeyConstraint('webhook_attempts_key', ['delivery', 'number']),
  ];
}

/** What is sent to webhooks, in which order, and how that went. */
export const webhookDeliveries: Migration = {
  name: '0006-webhook-deliveries',
  statements: (schema, engine) => [...webhooks(schema), ...deliveries(schema, engine)],
};
