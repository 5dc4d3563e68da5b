import type { Account, AccountRecord } from '../../core/accounts/account.ts';
import type { AccountStore, CredentialState, KeyHeir } from '../../core/accounts/account-store.ts';
import type { Role } from '../../core/accounts/role.ts';
import { now } from '../../lib/clock.ts';
import type { Database } from '../database.ts';
import { columnsOf } from '../table-columns.ts';

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
      .select(columnsOf('accounts'))
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    return row ?? null;
  }

  async byUser(user: string): Promise<Account | null> {
    const row = await this.#database
      .selectFrom('accounts')
      .select(columnsOf('accounts'))
      .where('user', '=', user)
      .executeTakeFirst();
    return row ?? null;
  }

  async records(): Promise<AccountRecord[]> {
    const rows = await this.#database
      .selectFrom('accounts')
      .select(({ selectFrom }) => [
        'uuid',
        'user',
        'role',
        'created_at',
        selectFrom('account_networks')
          .select(({ fn }) => fn.max('signed_in_at').as('timestamp'))
          .whereRef('account_uuid', '=', 'accounts.uuid')
          .as('last_signed_in_at'),
        selectFrom('api_keys')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('account_uuid', '=', 'accounts.uuid')
          .as('api_key_count'),
      ])
      .orderBy('user')
      .execute();
    return rows.map((row) => ({ ...row, api_key_count: row.api_key_count ?? 0 }));
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
      return await insertAccount(transaction, account);
    });
  }

  changePassword(before: CredentialState, passwordHash: string, recoveryHash: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await updateUnchanged(transaction, before)
        .set({ password_hash: passwordHash, version: before.version + 1 })
        .$if(recoveryHash !== before.recovery_hash, (update) => update.set(recoveryKey(recoveryHash)))
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return false;
      await transaction.deleteFrom('sessions').where('account_uuid', '=', before.uuid).execute();
      return true;
    });
  }

  async changeRecoveryKey(before: CredentialState, recoveryHash: string): Promise<boolean> {
    const { numUpdatedRows } = await updateUnchanged(this.#database, before)
      .set(recoveryKey(recoveryHash))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  remove(uuid: string, heir: KeyHeir | null): Promise<'removed' | 'unknown' | 'last' | 'no-heir'> {
    return this.#database.transaction().execute(async (transaction) => {
      const roles = await lockRoles(transaction);
      if (!roles.has(uuid)) return 'unknown';
      if (isLastAdmin(uuid, roles)) return 'last';
      if (heir !== null) {
        const { account_uuid } = heir;
        if (account_uuid === uuid || (account_uuid !== null && !roles.has(account_uuid))) return 'no-heir';
        await transaction.updateTable('api_keys').set({ account_uuid }).where('account_uuid', '=', uuid).execute();
      }
      // Foreign keys delete dependent rows.
      await transaction.deleteFrom('accounts').where('uuid', '=', uuid).execute();
      return 'removed';
    });
  }

  setRole(uuid: string, role: Role): Promise<'set' | 'unknown' | 'last'> {
    return this.#database.transaction().execute(async (transaction) => {
      const roles = await lockRoles(transaction);
      if (!roles.has(uuid)) return 'unknown';
      if (role !== 'admin' && isLastAdmin(uuid, roles)) return 'last';
      await transaction.updateTable('accounts').set({ role, updated_at: now() }).where('uuid', '=', uuid).execute();
      return 'set';
    });
  }
}

const recoveryKey = (recoveryHash: string) => ({ recovery_hash: recoveryHash, recovery_key_created_at: now() });

/** An update of an account whose password and recovery key did not change meanwhile. */
function updateUnchanged(database: Database, { uuid, version, recovery_hash }: CredentialState) {
  return database
    .updateTable('accounts')
    .set({ updated_at: now() })
    .where('uuid', '=', uuid)
    .where('version', '=', version)
    .where('recovery_hash', '=', recovery_hash);
}

/** @returns false when another account has the name */
export async function insertAccount(transaction: Database, account: Account): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.column('user').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The roles of all accounts, by uuid, locked until the transaction ends. */
export async function lockRoles(transaction: Database): Promise<Map<string, Role>> {
  // Changes nothing; whichever of two that race comes second waits for the other.
  await transaction.updateTable('metadata').set({ key: initialized }).where('key', '=', initialized).execute();
  const accounts = await transaction.selectFrom('accounts').select(['uuid', 'role']).execute();
  return new Map(accounts.map(({ uuid, role }) => [uuid, role]));
}

function isLastAdmin(uuid: string, roles: ReadonlyMap<string, Role>): boolean {
  const admins = [...roles].filter(([, role]) => role === 'admin');
  return admins.length === 1 && admins[0]?.[0] === uuid;
}
