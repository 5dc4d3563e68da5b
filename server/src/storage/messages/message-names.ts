import type { MessageFacts, MessageNames } from '@parley/sdk';
import type { NameStore } from '../../core/messages/name-lookup.ts';
import type { Database } from '../database.ts';

/** Names of messages that were looked up after these were stored. */
export class MessageNameRows implements NameStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  setNames(messageUuid: string, { sender_name, group_name }: MessageNames): Promise<void> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('messages')
        .select(['sender_name', 'facts'])
        .where('uuid', '=', messageUuid)
        .executeTakeFirst();
      if (row === undefined) return;
      const facts = row.facts === null ? {} : (JSON.parse(row.facts) as MessageFacts);
      await transaction
        .updateTable('messages')
        .set({
          sender_name: sender_name ?? row.sender_name,
          facts: group_name === undefined ? row.facts : JSON.stringify({ ...facts, group_name }),
        })
        .where('uuid', '=', messageUuid)
        .execute();
    });
  }
}
