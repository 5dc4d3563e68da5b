import type { ModelKind } from '@parley/sdk';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { ModelFilter, StoredModel } from '../../core/models/model.ts';
import type { ChooseProvider, ModelStore, ModelUser, RecordInUse } from '../../core/models/model-store.ts';
import type { Provider, StoredProvider } from '../../core/models/provider.ts';
import type { ListedRecords, NamedRecord, RecordListing } from '../../core/records/record-listing.ts';
import { listColumn, toList } from '../admin-addresses.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { type ListColumns, listedRows, namedRows } from '../records/listed-rows.ts';
import { columnsOf } from '../table-columns.ts';

type Change = Transaction<Tables>;

const columns: ListColumns = {
  id: 'models.uuid',
  name: 'models.name',
  searched: ['models.name', 'providers.name'],
  sorted: {
    name: { column: 'models.name', isText: true },
    provider: { column: 'providers.name', isText: true },
    prefered_ranking: { column: 'models.prefered_ranking' },
    created_at: { column: 'models.created_at' },
    updated_at: { column: 'models.updated_at' },
  },
};

export class KyselyModelStore implements ModelStore {
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
  }

  async providers(): Promise<Provider[]> {
    return (await this.#withCounts().orderBy('created_at').orderBy('uuid').execute()).map(toProvider);
  }

  async provider(uuid: string): Promise<Provider | null> {
    const row = await this.#withCounts().where('uuid', '=', uuid).executeTakeFirst();
    return row === undefined ? null : toProvider(row);
  }

  storedProvider(uuid: string): Promise<StoredProvider | null> {
    return storedProvider(this.#database, uuid);
  }

  storedProviders(): Promise<StoredProvider[]> {
    return storedProviders(this.#database);
  }

  async createProvider(provider: StoredProvider): Promise<void> {
    await this.#database.insertInto('providers').values(providerColumns(provider)).execute();
  }

  updateProvider(
    uuid: string,
    change: (stored: StoredProvider, kinds: ModelKind[]) => StoredProvider,
  ): Promise<boolean> {
    return this.#change(async (transaction) => {
      const stored = await storedProvider(transaction, uuid);
      if (stored === null) return false;
      const kinds = await transaction
        .selectFrom('models')
        .select('kind')
        .distinct()
        .where('provider_uuid', '=', uuid)
        .orderBy('kind')
        .execute();
      const changed = change(
        stored,
        kinds.map(({ kind }) => kind as ModelKind),
      );
      await transaction.updateTable('providers').set(providerColumns(changed)).where('uuid', '=', uuid).execute();
      return true;
    });
  }

  deleteProvider(uuid: string): Promise<(RecordInUse & { kind: ModelKind })[] | null> {
    return this.#change(async (transaction) => {
      if ((await storedProvider(transaction, uuid)) === null) return null;
      const models = await transaction
        .selectFrom('models')
        .select(['uuid', 'name', 'kind'])
        .where('provider_uuid', '=', uuid)
        .orderBy('kind')
        .orderBy('created_at')
        .orderBy('uuid')
        .execute();
      if (models.length === 0) await transaction.deleteFrom('providers').where('uuid', '=', uuid).execute();
      return models as (RecordInUse & { kind: ModelKind })[];
    });
  }

  async models(kind: ModelKind, providerUuid?: string): Promise<StoredModel[]> {
    const ofKind = this.#database.selectFrom('models').select(columnsOf('models')).where('kind', '=', kind);
    const rows = await (providerUuid === undefined ? ofKind : ofKind.where('provider_uuid', '=', providerUuid))
      .orderBy('prefered_ranking')
      .orderBy('created_at')
      .orderBy('uuid')
      .execute();
    return rows.map(toModel);
  }

  async modelPage(kind: ModelKind, listing: RecordListing & ModelFilter): Promise<ListedRecords<StoredModel>> {
    const query = matching(this.#database, kind, listing).select(columnsOf('models'));
    const { rows, total } = await listedRows(this.#engine, query, columns, listing);
    return { records: rows.map(toModel), total };
  }

  modelNames(kind: ModelKind, listing: RecordListing & ModelFilter): Promise<NamedRecord[]> {
    return namedRows(this.#engine, matching(this.#database, kind, listing), columns, listing);
  }

  model(kind: ModelKind, uuid: string): Promise<StoredModel | null> {
    return modelOf(this.#database, kind, uuid);
  }

  createModel(kind: ModelKind, model: Omit<StoredModel, 'provider_uuid'>, choose: ChooseProvider): Promise<void> {
    return this.#change(async (transaction) => {
      const provider_uuid = await chosenProvider(transaction, choose);
      await transaction
        .insertInto('models')
        .values({ ...modelColumns({ ...model, provider_uuid }), kind })
        .execute();
    });
  }

  updateModel(
    kind: ModelKind,
    uuid: string,
    change: (stored: StoredModel) => StoredModel,
    choose: ChooseProvider | null,
  ): Promise<boolean> {
    return this.#change(async (transaction) => {
      const stored = await modelOf(transaction, kind, uuid);
      if (stored === null) return false;
      const provider_uuid = choose === null ? stored.provider_uuid : await chosenProvider(transaction, choose);
      const changed = { ...change(stored), provider_uuid };
      await transaction.updateTable('models').set(modelColumns(changed)).where('uuid', '=', uuid).execute();
      return true;
    });
  }

  deleteModel(kind: ModelKind, uuid: string): Promise<ModelUser[] | null> {
    return this.#change(async (transaction) => {
      const model = await transaction
        .selectFrom('models')
        .select('uuid')
        .where('uuid', '=', uuid)
        .where('kind', '=', kind)
        // A pipeline that adds the model waits until it is gone, or is seen here.
        .$if(this.#engine === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst();
      if (model === undefined) return null;
      const users = [...(await pipelinesWith(transaction, uuid)), ...(await basesWith(transaction, uuid))];
      if (users.length === 0) await transaction.deleteFrom('models').where('uuid', '=', uuid).execute();
      return users;
    });
  }

  /** Runs a transaction exclusively. On SQLite, every transaction is. */
  #change<Result>(work: (transaction: Change) => Promise<Result>): Promise<Result> {
    return this.#database.transaction().execute(async (transaction) => {
      if (this.#engine === 'postgres')
        await sql`select pg_advisory_xact_lock(${advisoryLocks.models})`.execute(transaction);
      return work(transaction);
    });
  }

  #withCounts() {
    return this.#database
      .selectFrom('providers')
      .select(columnsOf('providers'))
      .select(({ selectFrom }) => {
        const count = (kind: ModelKind) =>
          selectFrom('models')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('models.provider_uuid', '=', 'providers.uuid')
            .where('kind', '=', kind);
        return [
          count('llm').as('llm_count'),
          count('text-embedding').as('embedding_count'),
          count('rerank').as('rerank_count'),
        ];
      });
  }
}

async function storedProvider(database: Database, uuid: string): Promise<StoredProvider | null> {
  const row = await database
    .selectFrom('providers')
    .select(columnsOf('providers'))
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row === undefined ? null : toStoredProvider(row);
}

async function storedProviders(database: Database): Promise<StoredProvider[]> {
  const rows = await database
    .selectFrom('providers')
    .select(columnsOf('providers'))
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();
  return rows.map(toStoredProvider);
}

async function modelOf(database: Database, kind: ModelKind, uuid: string): Promise<StoredModel | null> {
  const row = await database
    .selectFrom('models')
    .select(columnsOf('models'))
    .where('uuid', '=', uuid)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row === undefined ? null : toModel(row);
}

async function pipelinesWith(transaction: Change, model: string): Promise<ModelUser[]> {
  const pipelines = await transaction
    .selectFrom('pipeline_models')
    .innerJoin('pipelines', 'pipelines.uuid', 'pipeline_models.pipeline_uuid')
    .select(['pipelines.uuid', 'pipelines.name'])
    .where('model_uuid', '=', model)
    .orderBy('pipelines.created_at')
    .orderBy('pipelines.uuid')
    .execute();
  return pipelines.map((pipeline) => ({ ...pipeline, kind: 'pipeline' }));
}

/**
 * Only engines know which of their settings name models, so every occurrence of the uuid counts, in the active
 * collection and in the one being built.
 */
async function basesWith(transaction: Change, model: string): Promise<ModelUser[]> {
  const bases = await transaction
    .selectFrom('knowledge_bases')
    .select(['uuid', 'name'])
    .where(({ or, exists, selectFrom }) =>
      or([
        sql<boolean>`lower(retrieval_settings) like ${`%${model}%`}`,
        exists(
          selectFrom('knowledge_collections')
            .select('collection_id')
            .whereRef('knowledge_base_uuid', '=', 'knowledge_bases.uuid')
            .where('state', 'in', ['active', 'building', 'waiting'])
            .where(sql<boolean>`lower(creation_settings) like ${`%${model}%`}`),
        ),
      ]),
    )
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();
  return bases.map((base) => ({ ...base, kind: 'knowledge_base' }));
}

/** @returns the uuid of the provider, which is stored by then */
async function chosenProvider(transaction: Change, choose: ChooseProvider): Promise<string> {
  const { provider, isNew } = choose(await storedProviders(transaction));
  if (isNew) await transaction.insertInto('providers').values(providerColumns(provider)).execute();
  return provider.uuid;
}

function providerColumns(provider: StoredProvider) {
  return {
    ...provider,
    api_keys: JSON.stringify(provider.api_keys),
    admin_addresses: listColumn(provider.admin_addresses),
  };
}

function modelColumns(model: StoredModel) {
  return { ...model, abilities: JSON.stringify(model.abilities), extra_args: JSON.stringify(model.extra_args) };
}

function toStoredProvider(row: Selectable<Tables['providers']>): StoredProvider {
  return {
    ...row,
    api_keys: JSON.parse(row.api_keys) as string[],
    admin_addresses: toList(row.admin_addresses),
  };
}

interface Counts {
  llm_count: number | null;
  embedding_count: number | null;
  rerank_count: number | null;
}

function toProvider(row: Selectable<Tables['providers']> & Counts): Provider {
  return {
    uuid: row.uuid,
    name: row.name,
    requester: row.requester,
    base_url: row.base_url,
    api_keys: JSON.parse(row.api_keys) as string[],
    llm_count: row.llm_count ?? 0,
    embedding_count: row.embedding_count ?? 0,
    rerank_count: row.rerank_count ?? 0,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function toModel({ kind: _, ...columns }: Selectable<Tables['models']>): StoredModel {
  return {
    ...columns,
    abilities: JSON.parse(columns.abilities) as string[],
    extra_args: JSON.parse(columns.extra_args) as Record<string, unknown>,
  };
}

function matching(database: Database, kind: ModelKind, { provider_uuid: provider }: ModelFilter) {
  return database
    .selectFrom('models')
    .leftJoin('providers', 'providers.uuid', 'models.provider_uuid')
    .where('models.kind', '=', kind)
    .$if(provider !== undefined, (models) => models.where('models.provider_uuid', '=', (provider ?? '').toLowerCase()));
}
