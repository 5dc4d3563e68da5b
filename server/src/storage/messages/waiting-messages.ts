import { type MessageChain, textOfChain } from '@parley/sdk';
import { sql } from 'kysely';
import type { WaitingMessage, WaitingMessageStore } from '../../core/messages/platform-notices.ts';
import { storableText } from '../../lib/storable-text.ts';
import type { LedgerTables } from './ledger-tables.ts';

/** Messages that wait, and of whose answer nothing exists yet. */
const isUntouched = sql<boolean>`state = 'received' and not exists (
  select 1 from messages as answer where answer.reply_to = messages.uuid
)`;

/** Changes of messages that nothing was done about yet. */
export class WaitingMessages implements WaitingMessageStore {
  readonly #tables: LedgerTables;

  constructor(tables: LedgerTables) {
    this.#tables = tables;
  }

  recall(botUuid: string, platformMessageId: string): Promise<WaitingMessage | null> {
    const { rows, conversations, lifecycle } = this.#tables;
    return this.#tables.transaction(async (transaction) => {
      await this.#tables.lockQueue(transaction);
      const known = await rows.delivered(transaction, botUuid, platformMessageId);
      if (known === undefined) return null;
      const { uuid, conversation_uuid, sequence } = known;
      await conversations.lock(transaction, conversation_uuid);
      const isRecalled = await lifecycle.recall(transaction, { uuid, conversation_uuid, sequence }, isUntouched);
      return isRecalled ? { uuid, conversation_uuid } : null;
    });
  }

  async edit(botUuid: string, platformMessageId: string, chain: MessageChain): Promise<boolean> {
    const { numUpdatedRows } = await this.#tables.database
      .updateTable('messages')
      .set({ message_chain: JSON.stringify(chain), text: storableText(textOfChain(chain)) })
      .where('bot_uuid', '=', botUuid)
      .where('platform_message_id', '=', platformMessageId)
      .where(isUntouched)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
}
