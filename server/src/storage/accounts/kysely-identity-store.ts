import type { Account } from '../../core/accounts/account.ts';
import type { CreatedWithIdentity, Identity, IdentityStore } from '../../core/accounts/identity-store.ts';
import type { Database } from '../database.ts';
import { columnsOf } from '../table-columns.ts';
import { insertAccount, lockRoles } from './kysely-account-store.ts';

export class KyselyIdentityStore implements IdentityStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async accountOf({ issuer, subject }: Identity): Promise<Account | null> {
    const row = await this.#database
      .selectFrom('identities')
      .innerJoin('accounts', 'accounts.uuid', 'identities.account_uuid')
      .select(columnsOf('accounts'))
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row ?? null;
  }

  async linkedAt(accountUuid: string, issuer: string): Promise<string | null> {
    const row = await this.#database
      .selectFrom('identities')
      .select('created_at')
      .where('account_uuid', '=', accountUuid)
      .where('issuer', '=', issuer)
      .executeTakeFirst();
    return row?.created_at ?? null;
  }

  link(accountUuid: string, identity: Identity, at: string): Promise<boolean> {
    return addIdentity(this.#database, accountUuid, identity, at);
  }

  async createAccount(account: Account, identity: Identity): Promise<CreatedWithIdentity> {
    return await this.#database
      .transaction()
      .execute(async (transaction) => {
        if ((await lockRoles(transaction)).size === 0) return 'no-admin' as const;
        if (!(await insertAccount(transaction, account))) return 'name-taken' as const;
        if (!(await addIdentity(transaction, account.uuid, identity, account.created_at))) throw new IdentityTaken();
        return 'created' as const;
      })
      .catch((error: unknown) => {
        if (error instanceof IdentityTaken) return 'identity-taken' as const;
        throw error;
      });
  }

  async unlink(accountUuid: string, issuer: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('identities')
      .where('account_uuid', '=', accountUuid)
      .where('issuer', '=', issuer)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }
}

/** Rolls back the transaction that created the account. */
class IdentityTaken extends Error {}

async function addIdentity(database: Database, uuid: string, identity: Identity, at: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('identities')
    .values({ ...identity, account_uuid: uuid, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
