import type { Account } from '../../core/accounts/account.ts';
import type { Session } from '../../core/accounts/session.ts';
import type { SessionStore } from '../../core/accounts/session-store.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import { PreparedQuery } from '../prepared-query.ts';
import { columnsOf } from '../table-columns.ts';

export class KyselySessionStore implements SessionStore {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #rowWithAccount: PreparedQuery<RowWithAccount, { uuid: string }>;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
    this.#rowWithAccount = new PreparedQuery(database, (value) =>
      database
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.uuid', 'sessions.account_uuid')
        .select(columnsOf('accounts'))
        .select([
          'sessions.uuid as session_uuid',
          'sessions.address',
          'sessions.user_agent',
          'sessions.created_at as begun_at',
          'sessions.last_used_at',
          'sessions.expires_at',
        ])
        .where('sessions.uuid', '=', value('uuid')),
    );
  }

  create(session: Session, version: number): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      // Serialized with password changes, so that no session outlives the password it was created with. SQLite has one
      // writer at a time anyway.
      const account = await transaction
        .selectFrom('accounts')
        .select('uuid')
        .where('uuid', '=', session.account_uuid)
        .where('version', '=', version)
        .$if(this.#engine === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst();
      if (account === undefined) return false;
      await transaction.deleteFrom('sessions').where('expires_at', '<=', session.created_at).execute();
      await transaction.insertInto('sessions').values(session).execute();
      return true;
    });
  }

  async withAccount(uuid: string): Promise<{ session: Session; account: Account } | null> {
    const row = await this.#rowWithAccount.first(this.#database, { uuid });
    if (row === undefined) return null;
    const { session_uuid, address, user_agent, begun_at, last_used_at, expires_at, ...account } = row;
    return {
      account,
      session: {
        uuid: session_uuid,
        account_uuid: account.uuid,
        address,
        user_agent,
        created_at: begun_at,
        last_used_at,
        expires_at,
      },
    };
  }

  list(accountUuid: string, expiringAfter: string, limit: number): Promise<Session[]> {
    return this.#database
      .selectFrom('sessions')
      .select(columnsOf('sessions'))
      .where('account_uuid', '=', accountUuid)
      .where('expires_at', '>', expiringAfter)
      .orderBy('last_used_at', 'desc')
      .orderBy('uuid', 'desc')
      .limit(limit)
      .execute();
  }

  async extend(uuid: string, expiresAt: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('sessions')
      .set({ expires_at: expiresAt })
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async touch(uuid: string, usedAt: string, before: string): Promise<void> {
    await this.#database
      .updateTable('sessions')
      .set({ last_used_at: usedAt })
      .where('uuid', '=', uuid)
      .where('last_used_at', '<=', before)
      .execute();
  }

  async end(accountUuid: string, uuid: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('sessions')
      .where('account_uuid', '=', accountUuid)
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async endOthers(accountUuid: string, currentUuid: string): Promise<void> {
    await this.#database
      .deleteFrom('sessions')
      .where('account_uuid', '=', accountUuid)
      .where('uuid', '!=', currentUuid)
      .execute();
  }
}

type RowWithAccount = Account &
  Omit<Session, 'uuid' | 'account_uuid' | 'created_at'> & { session_uuid: string; begun_at: string };
