import type { MessageHandle } from '@parley/sdk';
import { type Expression, type Selectable, sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../database.ts';
import { PreparedQuery } from '../prepared-query.ts';
import { columnsOf } from '../table-columns.ts';

type HandleRow = Selectable<Tables['delivery_handles']>;
type Part = Pick<HandleRow, 'message_uuid' | 'piece'>;

/** A value in the columns of a select, whose type PostgreSQL cannot infer. */
function typedValue<Value>(value: Expression<Value>, type: 'integer' | 'text') {
  return sql<Value>`cast(${value} as ${sql.raw(type)})`.as(type);
}

/** The references by which platforms find streamed messages. */
export class DeliveryHandles {
  readonly #of: PreparedQuery<HandleRow, Pick<Part, 'message_uuid'>>;
  readonly #store: PreparedQuery<unknown, Part & { handle: string; owner: string; claim: number }>;
  readonly #remove: PreparedQuery<unknown, Part>;

  constructor(database: Database) {
    this.#of = new PreparedQuery(database, (value) =>
      database
        .selectFrom('delivery_handles')
        .select(columnsOf('delivery_handles'))
        .where('message_uuid', '=', value('message_uuid')),
    );
    this.#remove = new PreparedQuery(database, (value) =>
      database
        .deleteFrom('delivery_handles')
        .where('message_uuid', '=', value('message_uuid'))
        .where('piece', '=', value('piece')),
    );
    this.#store = new PreparedQuery(database, (value) =>
      database
        .insertInto('delivery_handles')
        .columns(['message_uuid', 'piece', 'handle'])
        .expression(
          database
            .selectFrom('messages as answer')
            .leftJoin('messages as question', 'question.uuid', 'answer.reply_to')
            .select(['answer.uuid', typedValue(value('piece'), 'integer'), typedValue(value('handle'), 'text')])
            .where('answer.uuid', '=', value('message_uuid'))
            .where(({ or, and, eb }) =>
              or([
                eb('answer.reply_to', 'is', null),
                and([eb('question.claimed_by', '=', value('owner')), eb('question.claim', '=', value('claim'))]),
              ]),
            ),
        )
        .onConflict((conflict) =>
          conflict.columns(['message_uuid', 'piece']).doUpdateSet(({ ref }) => ({ handle: ref('excluded.handle') })),
        ),
    );
  }

  /** The recorded platform handles of a message, by part. */
  async of(database: Database, messageUuid: string): Promise<Map<number, MessageHandle>> {
    const rows = await this.#of.all(database, { message_uuid: messageUuid });
    return new Map(rows.map(({ piece, handle }) => [piece, JSON.parse(handle) as MessageHandle]));
  }

  async remove(transaction: Transaction<Tables>, part: Part): Promise<void> {
    await this.#remove.run(transaction, part);
  }

  /**
   * By one statement, since a message that is shown and cannot be found again after a crash is shown twice.
   * @param claim of the message that it answers, by the owner; anything for an unsolicited one
   * @returns false when the claim is outdated; nothing is stored then
   */
  async store(
    database: Database,
    part: Part & { owner: string; claim: number },
    handle: MessageHandle,
  ): Promise<boolean> {
    const values = { ...part, handle: JSON.stringify(handle) };
    return (await this.#store.run(database, values)) > 0;
  }
}
