import { CompiledQuery } from 'kysely';
import { key, required } from './columns.ts';
import type { Migration } from './migration.ts';

/** What replicas show each other of the bots that each has connected, and which of them has to answer a message. */
export const botsOfReplicas: Migration = {
  name: '0046-bots-of-replicas',
  kind: 'expand',
  statements: (schema) => [
    schema
      .createTable('bot_states')
      .addColumn('bot_uuid', 'text', (column) => column.primaryKey().references('bots.uuid').onDelete('cascade'))
      .addColumn('replica', 'text', required)
      .addColumn('token', 'integer', required)
      .addColumn('state', 'text', required)
      .addColumn('reason', 'text')
      .addColumn('error', 'text')
      .addColumn('since', 'text', required)
      .addColumn('account_id', 'text')
      .addColumn('account_profile', 'text')
      // The platform and the account that the bot is connected with.
      .addColumn('account_key', 'text'),
    schema.createIndex('bot_states_account_key').on('bot_states').column('account_key'),
    schema.createTable('bot_state_version').addColumn('id', 'integer', key).addColumn('version', 'bigint', required),
    { compile: () => CompiledQuery.raw('insert into bot_state_version (id, version) values (1, 1)') },
    // The replica that received the message, where a caller or a socket waits for the answer.
    schema.alterTable('messages').addColumn('home', 'text'),
    // Of the message that is next.
    schema.alterTable('queue').addColumn('home', 'text'),
  ],
};
