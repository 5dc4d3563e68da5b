import type { ConversationContext } from '@parley/sdk';
import type { Transaction } from 'kysely';
import type { Database, Tables } from '../database.ts';
import { Statement } from '../statement.ts';

/** Context of messages whose conversation history the caller stores. */
export class MessageContexts {
  readonly #insert: Statement<unknown, Tables['message_contexts']>;
  readonly #of: Statement<Pick<Tables['message_contexts'], 'context'>, { message_uuid: string }>;

  constructor(database: Database) {
    this.#insert = new Statement(database, ({ message_uuid, context }) =>
      database.insertInto('message_contexts').values({ message_uuid, context }),
    );
    this.#of = new Statement(database, ({ message_uuid }) =>
      database.selectFrom('message_contexts').select('context').where('message_uuid', '=', message_uuid),
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
