import type { ConversationContext } from '@parley/sdk';
import type { Transaction } from 'kysely';
import type { Database, Tables } from '../database.ts';
import { PreparedQuery } from '../prepared-query.ts';

/** Context of messages whose conversation history the caller stores. */
export class MessageContexts {
  readonly #insert: PreparedQuery<unknown, Tables['message_contexts']>;
  readonly #of: PreparedQuery<Pick<Tables['message_contexts'], 'context'>, { message_uuid: string }>;

  constructor(database: Database) {
    this.#insert = new PreparedQuery(database, (value) =>
      database
        .insertInto('message_contexts')
        .values({ message_uuid: value('message_uuid'), context: value('context') }),
    );
    this.#of = new PreparedQuery(database, (value) =>
      database.selectFrom('message_contexts').select('context').where('message_uuid', '=', value('message_uuid')),
    );
  }

  async add(transaction: Transaction<Tables>, messageUuid: string, context: ConversationContext): Promise<void> {
    await this.#insert.run(transaction, { message_uuid: messageUuid, context: JSON.stringify(context) });
  }

  async of(database: Database, messageUuid: string): Promise<ConversationContext | null> {
    const row = await this.#of.first(database, { message_uuid: messageUuid });
    return row === undefined ? null : (JSON.parse(row.context) as ConversationContext);
  }
}
