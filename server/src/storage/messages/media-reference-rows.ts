import type { MessageChain } from '@parley/sdk';
import type { Transaction } from 'kysely';
import type { MediaReferenceStore, SealedMediaReference } from '../../core/messages/media-fetch.ts';
import type { Database, Tables } from '../database.ts';

/** References to the content of messages, until it is fetched. */
export class MediaReferenceRows implements MediaReferenceStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(
    transaction: Transaction<Tables>,
    message_uuid: string,
    references: readonly SealedMediaReference[],
  ): Promise<void> {
    await transaction
      .insertInto('media_references')
      .values(references.map((reference) => ({ message_uuid, ...reference })))
      .execute();
  }

  of(messageUuid: string): Promise<SealedMediaReference[]> {
    return this.#database
      .selectFrom('media_references')
      .select(['id', 'name', 'sealed_value'])
      .where('message_uuid', '=', messageUuid)
      .execute();
  }

  settle(messageUuid: string, chain: MessageChain): Promise<void> {
    return this.#database.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('messages')
        .set({ message_chain: JSON.stringify(chain) })
        .where('uuid', '=', messageUuid)
        .execute();
      await transaction.deleteFrom('media_references').where('message_uuid', '=', messageUuid).execute();
    });
  }
}
