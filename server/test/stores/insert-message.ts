import { newUuid } from '../../src/lib/uuid.ts';
import type { Database } from '../../src/storage/database.ts';

const timestamp = '2026-01-01T00:00:00.000Z';

/**
 * Inserts an inbound message with a new conversation.
 * @param claimed_by the replica that has claimed it, for the first time; null for none
 * @returns its uuid
 */
export async function insertMessage(database: Database, claimed_by: string | null = null): Promise<string> {
  const uuid = newUuid();
  const conversationUuid = newUuid();
  const bot_uuid = newUuid();
  await database
    .insertInto('conversations')
    .values({
      uuid: conversationUuid,
      bot_uuid,
      pipeline_uuid: newUuid(),
      session_type: 'person',
      session_id: 'ada',
      thread_id: '',
      is_current: 1,
      last_sequence: 1,
      runner_state: null,
      created_at: timestamp,
      updated_at: timestamp,
    })
    .execute();
  await database
    .insertInto('messages')
    .values({
      uuid,
      bot_uuid,
      conversation_uuid: conversationUuid,
      direction: 'inbound',
      platform_message_id: uuid,
      reply_to: null,
      sequence: 1,
      sender_id: 'ada',
      sender_name: 'Ada',
      message_chain: '[{"type":"Plain","text":"Hello"}]',
      text: 'Hello',
      state: 'processing',
      reason: null,
      sent_at: null,
      facts: null,
      merged_into: null,
      created_at: timestamp,
      finished_at: null,
      claimed_by,
      claim: claimed_by === null ? 0 : 1,
    })
    .execute();
  return uuid;
}
