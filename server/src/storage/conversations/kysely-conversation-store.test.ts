import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey } from '../../../test/stores/ledger-records.ts';
import type { ConversationKey } from '../../core/conversations/conversation.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyConversationStore } from './kysely-conversation-store.ts';

const timestamp = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;

describeOnEachEngine('the store of conversations', (storage) => {
  const store = () => new KyselyConversationStore(storage().database, storage().engine, storage().replica);

  /** @param at second of the last message */
  async function conversation(over: Partial<ConversationKey> = {}, at = 0, is_current = 1): Promise<string> {
    const uuid = newUuid();
    const timestamps = { created_at: timestamp(0), updated_at: timestamp(at) };
    const row = { ...conversationKey(over), uuid, is_current, last_sequence: 0, runner_state: null, ...timestamps };
    await storage().database.insertInto('conversations').values(row).execute();
    return uuid;
  }

  it('finds the pipeline of the last conversation of a user', async () => {
    const { pipeline_uuid: _, ...chat } = conversationKey();
    expect(await store().latestPipeline(chat)).toBeNull();
    const [older, newer, elsewhere, ended] = [newUuid(), newUuid(), newUuid(), newUuid()];
    await conversation({ pipeline_uuid: newer }, 5);
    await conversation({ pipeline_uuid: older }, 4);
    await conversation({ pipeline_uuid: ended }, 6, 0);
    for (const over of [
      { session_id: 'bob' },
      { session_type: 'group' },
      { thread_id: 't' },
      { bot_uuid: newUuid() },
    ]) {
      await conversation({ pipeline_uuid: elsewhere, ...(over as Partial<ConversationKey>) }, 7);
    }
    expect(await store().latestPipeline(chat)).toBe(newer);
    expect(await store().latestPipeline({ ...chat, thread_id: 't' })).toBe(elsewhere);
  });

  it('ends one conversation, once', async () => {
    const [first, other] = [await conversation(), await conversation({ session_id: 'bob' })];
    expect([await store().end(first), await store().end(first), await store().end(newUuid())]).toEqual([
      true,
      false,
      false,
    ]);
    const rows = await storage().database.selectFrom('conversations').select(['uuid', 'is_current']).execute();
    expect(new Map(rows.map(({ uuid, is_current }) => [uuid, is_current]))).toEqual(
      new Map([
        [first, 0],
        [other, 1],
      ]),
    );
    // There may be another one under the same key, which is not ended with the first.
    const next = await conversation();
    expect([await store().end(first), await store().end(next)]).toEqual([false, true]);
  });
});
