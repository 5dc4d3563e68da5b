import type { Account } from '../../core/accounts/account.ts';
import type { AccountStore, Attempts } from '../../core/accounts/account-store.ts';
import { now } from '../../lib/clock.ts';
import type { Database } from '../database.ts';

/** Name of the fact that is written with the first account and can be written once. */
const initialized = 'initialized';

export class KyselyAccountStore implements AccountStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async first(): Promise<Account | null> {
    const row = await this.#database
      .selectFrom('accounts')
      .selectAll()
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    return row ?? null;
  }

  async byUser(user: string): Promise<Account | null> {
    const row = await this.#database.selectFrom('accounts').selectAll().where('user', '=', user).executeTakeFirst();
    return row ?? null;
  }

  createFirst(account: Account): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('metadata')
        .values({ key: initialized, value: account.created_at })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows !== 1n) return false;
      await transaction.insertInto('accounts').values(account).execute();
      return true;
    });
  }

  create(account: Account): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      // In the order of `createFirst`: whichever of two that race comes second waits for the other.
      await transaction
        .insertInto('metadata')
        .values({ key: initialized, value: account.created_at })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute();
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('accounts')
        .values(account)
        .onConflict((conflict) => conflict.column('user').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    });
  }

  changePassword(uuid: string, version: number, passwordHash: string, recoveryHash: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('accounts')
        .set({ password_hash: passwordHash, recovery_hash: recoveryHash, version: version + 1, updated_at: now() })
        .where('uuid', '=', uuid)
        .where('version', '=', version)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return false;
      await transaction.deleteFrom('sessions').where('account_uuid', '=', uuid).execute();
      return true;
    });
  }

  updateAttempts(key: string, change: (attempts: Attempts | null) => Attempts): Promise<Attempts> {
    return this.#database.transaction().execute(async (transaction) => {
      // The update changes nothing; it locks the row and gives it back, or the one just made, in a single step.
      const row = await transaction
        .insertInto('attempts')
        .values({ key, failures: 0, blocked_until: null, updated_at: new Date(0).toISOString() })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
        .returningAll()
        .executeTakeFirstOrThrow();
      const next = change(row.failures === 0 ? null : row);
      await transaction
        .updateTable('attempts')
        .set({ failures: next.failures, blocked_until: next.blocked_until, updated_at: next.updated_at })
        .where('key', '=', key)
        .execute();
      return next;
    });
  }

  async clearAttempts(keys: string[], untouchedSince: string): Promise<void> {
    await this.#database
      .deleteFrom('attempts')
      .where(({ eb, or }) => or([eb('key', 'in', keys), eb('updated_at', '<', untouchedSince)]))
      .execute();
  }
}
