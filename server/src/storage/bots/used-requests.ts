import type { UsedRequest, UsedRequestStore } from '../../core/bots/replay-guard.ts';
import type { Database } from '../database.ts';

/** Signed requests of platforms that were seen. */
export class UsedRequests implements UsedRequestStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(request: UsedRequest): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#database
      .insertInto('used_requests')
      .values(request)
      .onConflict((conflict) => conflict.columns(['bot_uuid', 'digest']).doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  async removeExpired(at: string, limit: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('used_requests')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('bot_uuid', 'digest'),
          'in',
          selectFrom('used_requests')
            .select(['bot_uuid', 'digest'])
            .where('expires_at', '<=', at)
            .orderBy('expires_at')
            .limit(limit)
            .$asTuple('bot_uuid', 'digest'),
        ),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
