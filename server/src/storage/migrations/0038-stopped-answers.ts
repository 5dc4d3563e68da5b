import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** An answer that its user stopped belongs to what was said, with its question. */
export const stoppedAnswers: Migration = {
  name: '0038-stopped-answers',
  statements: (schema) => [
    schema.dropIndex('messages_said'),
    schema
      .createIndex('messages_said')
      .on('messages')
      .columns(['conversation_uuid', 'sequence'])
      .where(sql<boolean>`(state in ('answered', 'uncertain', 'finished') or reason = 'answer_stopped')`),
  ],
};
