import type { Selectable } from 'kysely';
import type { ApiKey, ApiKeyFilter, Scope, UpdateApiKey } from '../../core/accounts/api-key.ts';
import type { ApiKeyStore } from '../../core/accounts/api-key-store.ts';
import type { Role } from '../../core/accounts/role.ts';
import type { ListedRecords, NamedRecord, RecordListing } from '../../core/records/record-listing.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { PreparedQuery } from '../prepared-query.ts';
import { type ListColumns, listedRows, namedRows } from '../records/listed-rows.ts';
import { columnsOf } from '../table-columns.ts';

type ApiKeyRow = Selectable<Tables['api_keys']> & { account_name: string | null; account_role: Role | null };

const columns: ListColumns = {
  id: 'api_keys.id',
  name: 'api_keys.name',
  searched: ['api_keys.name', 'api_keys.description', 'accounts.user'],
  sorted: {
    name: { column: 'api_keys.name', isText: true },
    owner: { column: 'accounts.user', isText: true },
    last_used_at: { column: 'api_keys.last_used_at' },
    expires_at: { column: 'api_keys.expires_at' },
    created_at: { column: 'api_keys.created_at' },
  },
};

export class KyselyApiKeyStore implements ApiKeyStore {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #rowByHash: PreparedQuery<ApiKeyRow, { key_hash: string }>;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
    this.#rowByHash = new PreparedQuery(database, (value) =>
      rowsOf(database).where('key_hash', '=', value('key_hash')),
    );
  }

  async list(): Promise<ApiKey[]> {
    return (await rowsOf(this.#database).orderBy('id').execute()).map(toApiKey);
  }

  async page(listing: RecordListing & ApiKeyFilter, now: string): Promise<ListedRecords<ApiKey>> {
    const query = withShownFields(matching(this.#database, listing, now));
    const { rows, total } = await listedRows(this.#engine, query, columns, listing);
    return { records: rows.map(toApiKey), total };
  }

  names(listing: RecordListing & ApiKeyFilter, now: string): Promise<NamedRecord<number>[]> {
    return namedRows(this.#engine, matching(this.#database, listing, now), columns, listing);
  }

  async byId(id: number): Promise<ApiKey | null> {
    const row = await rowsOf(this.#database).where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toApiKey(row);
  }

  async byHash(hash: string): Promise<ApiKey | null> {
    const row = await this.#rowByHash.first(this.#database, { key_hash: hash });
    return row === undefined ? null : toApiKey(row);
  }

  async create(
    key: Omit<ApiKey, 'id' | 'account_name' | 'account_role' | 'last_used_at'>,
    hash: string,
  ): Promise<ApiKey> {
    const { key: masked, scopes, ...columns } = key;
    const { id } = await this.#database
      .insertInto('api_keys')
      .values({ ...columns, key_mask: masked, key_hash: hash, scopes: JSON.stringify(scopes), last_used_at: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    return toApiKey(await rowsOf(this.#database).where('id', '=', id).executeTakeFirstOrThrow());
  }

  update(id: number, change: (stored: ApiKey) => UpdateApiKey, updatedAt: string): Promise<ApiKey | null> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await rowsOf(transaction)
        .where('id', '=', id)
        .$if(this.#engine === 'postgres', (query) => query.forUpdate('api_keys'))
        .executeTakeFirst();
      if (row === undefined) return null;
      const changed = { ...change(toApiKey(row)), updated_at: updatedAt };
      await transaction.updateTable('api_keys').set(changed).where('id', '=', id).execute();
      return toApiKey(await rowsOf(transaction).where('id', '=', id).executeTakeFirstOrThrow());
    });
  }

  async delete(id: number): Promise<boolean> {
    const { numDeletedRows } = await this.#database.deleteFrom('api_keys').where('id', '=', id).executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async touch(id: number, usedAt: string): Promise<void> {
    await this.#database.updateTable('api_keys').set({ last_used_at: usedAt }).where('id', '=', id).execute();
  }
}

function withOwners(database: Database) {
  return database.selectFrom('api_keys').leftJoin('accounts', 'accounts.uuid', 'api_keys.account_uuid');
}

function withShownFields(query: ReturnType<typeof withOwners>) {
  return query.select(columnsOf('api_keys')).select(['accounts.user as account_name', 'accounts.role as account_role']);
}

function rowsOf(database: Database) {
  return withShownFields(withOwners(database));
}

function matching(database: Database, { state, scope }: ApiKeyFilter, now: string) {
  return withOwners(database)
    .$if(state === 'expired', (keys) => keys.where('api_keys.expires_at', '<=', now))
    .$if(state === 'valid', (keys) =>
      keys.where(({ eb, or }) => or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', now)])),
    )
    .$if(scope !== undefined, (keys) => keys.where('api_keys.scopes', 'like', `%"${scope}"%`));
}

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    key: row.key_mask,
    description: row.description,
    scopes: JSON.parse(row.scopes) as Scope[],
    account_uuid: row.account_uuid,
    account_name: row.account_name,
    account_role: row.account_role,
    expires_at: row.expires_at,
    last_used_at: row.last_used_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
