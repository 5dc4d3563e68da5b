import type { UsedRequest, UsedRequestStore } from '../../core/bots/replay-guard.ts';
import type { Database } from '../database.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { isAbandoned } from '../replicas/replica-rows.ts';

/** Signed requests of platforms that were seen. */
export class UsedRequests implements UsedRequestStore {
  readonly #database: Database;
  readonly #replica: Claimant;

  constructor(database: Database, replica: Claimant) {
    this.#database = database;
    this.#replica = replica;
  }

  async add({ bot_uuid, digest, expires_at }: UsedRequest): Promise<boolean> {
    const replica = this.#replica.id;
    const { numInsertedOrUpdatedRows } = await this.#database
      .insertInto('used_requests')
      .values({ bot_uuid, digest, expires_at, replica })
      .onConflict((conflict) =>
        conflict
          .columns(['bot_uuid', 'digest'])
          .doUpdateSet({ replica })
          .where('used_requests.replica', 'is not', null)
          .where(isAbandoned('used_requests.replica')),
      )
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  async remove({ bot_uuid, digest }: Pick<UsedRequest, 'bot_uuid' | 'digest'>): Promise<void> {
    await this.#database
      .deleteFrom('used_requests')
      .where('bot_uuid', '=', bot_uuid)
      .where('digest', '=', digest)
      .where('replica', '=', this.#replica.id)
      .execute();
  }

  async settle(): Promise<void> {
    await this.#database
      .updateTable('used_requests')
      .set({ replica: null })
      .where('replica', '=', this.#replica.id)
      .execute();
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
