import type { MessageHandle } from '@parley/sdk';
import { type Expression, type Selectable, sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../database.ts';
import { PreparedQuery } from '../prepared-query.ts';
import { columnsOf } from '../table-columns.ts';

type HandleRow = Selectable<Tables['delivery_handles']>;
type Part = Pick<HandleRow, 'message_uuid' | 'piece'>;
/** The message that is claimed, by whom, and the number of the claim. */
type StoredClaim = { claimed: string; owner: string; claim: number };

/** A value in the columns of a select, whose type PostgreSQL cannot infer. */
function typedValue<Value>(value: Expression<Value>, type: 'integer' | 'text') {
  return sql<Value>`cast(${value} as ${sql.raw(type)})`.as(type);
}

/** The references by which platforms find streamed messages. */
export class DeliveryHandles {
  readonly #of: PreparedQuery<HandleRow, Pick<Part, 'message_uuid'>>;
  readonly #store: PreparedQuery<unknown, Part & StoredClaim & { handle: string }>;
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
            .selectFrom('messages')
            .select([
              typedValue(value('message_uuid'), 'text'),
              typedValue(value('piece'), 'integer'),
              typedValue(value('handle'), 'text'),
            ])
            .where('uuid', '=', value('claimed'))
            .where('claimed_by', '=', value('owner'))
            .where('claim', '=', value('claim')),
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
   * @returns false when the claim is outdated; nothing is stored then
   */
  async store(database: Database, part: Part, claim: StoredClaim, handle: MessageHandle): Promise<boolean> {
    const values = { ...part, ...claim, handle: JSON.stringify(handle) };
    return (await this.#store.run(database, values)) > 0;
  }
}
