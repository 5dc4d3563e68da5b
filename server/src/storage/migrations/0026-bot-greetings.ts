import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** Events of platforms upon which a bot has sent its welcome text; as digests. */
export const botGreetings: Migration = {
  name: '0026-bot-greetings',
  statements: (schema) => [
    schema
      .createTable('bot_greetings')
      .addColumn('bot_uuid', 'text', (column) => column.notNull().references('bots.uuid').onDelete('cascade'))
      .addColumn('event', 'text', required)
      .addColumn('created_at', 'text', required)
      .addPrimaryKeyConstraint('bot_greetings_key', ['bot_uuid', 'event']),
  ],
};
