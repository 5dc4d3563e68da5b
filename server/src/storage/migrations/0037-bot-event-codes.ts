import type { Migration } from './migration.ts';

/** What an entry of an event log is about, and why; null for messages, and for entries from before. */
export const botEventCodes: Migration = {
  name: '0037-bot-event-codes',
  statements: (schema) => [
    schema.alterTable('bot_events').addColumn('code', 'text'),
    schema.alterTable('bot_events').addColumn('reason', 'text'),
  ],
};
