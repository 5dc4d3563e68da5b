import type { UsedStateStore } from '../../core/accounts/identity-service.ts';
import type { Database } from '../database.ts';

/** Sign-ins with an identity provider that were answered. */
export class UsedStates implements UsedStateStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(digest: string, expires_at: string): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#database
      .insertInto('used_states')
      .values({ digest, expires_at })
      .onConflict((conflict) => conflict.column('digest').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  async removeExpired(at: string, limit: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('used_states')
      .where('digest', 'in', ({ selectFrom }) =>
        selectFrom('used_states').select('digest').where('expires_at', '<=', at).orderBy('expires_at').limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
