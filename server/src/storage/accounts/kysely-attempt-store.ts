import type { AttemptStore, Attempts } from '../../core/accounts/attempt-store.ts';
import type { Database } from '../database.ts';
import { columnsOf } from '../table-columns.ts';

export class KyselyAttemptStore implements AttemptStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  read(keys: string[]): Promise<Attempts[]> {
    return this.#database
      .selectFrom('attempts')
      .select(['failures', 'blocked_until', 'updated_at'])
      .where('key', 'in', keys)
      .execute();
  }

  update(key: string, change: (attempts: Attempts | null) => Attempts): Promise<Attempts> {
    return this.#database.transaction().execute(async (transaction) => {
      // The update changes nothing; it locks and returns the row, existing or new, in one statement.
      const row = await transaction
        .insertInto('attempts')
        .values({ key, failures: 0, blocked_until: null, updated_at: new Date(0).toISOString() })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
        .returning(columnsOf('attempts'))
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

  async clear(keys: string[]): Promise<void> {
    await this.#database.deleteFrom('attempts').where('key', 'in', keys).execute();
  }

  async prune(untouchedSince: string, limit: number): Promise<number> {
    const old = this.#database
      .selectFrom('attempts')
      .select('key')
      .where('updated_at', '<', untouchedSince)
      .limit(limit);
    const { numDeletedRows } = await this.#database.deleteFrom('attempts').where('key', 'in', old).executeTakeFirst();
    return Number(numDeletedRows);
  }

  async hasSignedIn(user: string, network: string, since: string): Promise<boolean> {
    const row = await this.#database
      .selectFrom('account_networks')
      .innerJoin('accounts', 'accounts.uuid', 'account_networks.account_uuid')
      .select('accounts.uuid')
      .where('accounts.user', '=', user)
      .where('account_networks.network', '=', network)
      .where('account_networks.signed_in_at', '>', since)
      .executeTakeFirst();
    return row !== undefined;
  }

  async recordSignIn(accountUuid: string, network: string, timestamp: string): Promise<void> {
    await this.#database
      .insertInto('account_networks')
      .values({ account_uuid: accountUuid, network, signed_in_at: timestamp })
      .onConflict((conflict) => conflict.columns(['account_uuid', 'network']).doUpdateSet({ signed_in_at: timestamp }))
      .execute();
  }

  async pruneSignIns(before: string, limit: number): Promise<number> {
    const old = this.#database
      .selectFrom('account_networks')
      .select(['account_uuid', 'network'])
      .where('signed_in_at', '<', before)
      .limit(limit);
    const { numDeletedRows } = await this.#database
      .deleteFrom('account_networks')
      .where(({ eb, refTuple }) =>
        eb(refTuple('account_uuid', 'network'), 'in', old.$asTuple('account_uuid', 'network')),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
