import type { Selectable } from 'kysely';
import type { ModelStore, StoredLanguageModel } from '../../core/models/model-store.ts';
import type { Provider, StoredProvider } from '../../core/models/provider.ts';
import type { Database, Tables } from '../database.ts';

const languageModelKind = 'llm';
const embeddingKind = 'text-embedding';

export class KyselyModelStore implements ModelStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async providers(): Promise<Provider[]> {
    return (await this.#withCounts().orderBy('created_at').orderBy('uuid').execute()).map(toProvider);
  }

  async provider(uuid: string): Promise<Provider | null> {
    const row = await this.#withCounts().where('uuid', '=', uuid).executeTakeFirst();
    return row === undefined ? null : toProvider(row);
  }

  async storedProvider(uuid: string): Promise<StoredProvider | null> {
    const row = await this.#database.selectFrom('providers').selectAll().where('uuid', '=', uuid).executeTakeFirst();
    return row === undefined ? null : { ...row, api_keys: JSON.parse(row.api_keys) as string[] };
  }

  async storedProviders(): Promise<StoredProvider[]> {
    const rows = await this.#database.selectFrom('providers').selectAll().orderBy('created_at').execute();
    return rows.map((row) => ({ ...row, api_keys: JSON.parse(row.api_keys) as string[] }));
  }

  async createProvider(provider: StoredProvider): Promise<void> {
    await this.#database
      .insertInto('providers')
      .values({ ...provider, api_keys: JSON.stringify(provider.api_keys) })
      .execute();
  }

  async languageModels(providerUuid?: string): Promise<StoredLanguageModel[]> {
    const rows = await this.#database
      .selectFrom('models')
      .selectAll()
      .where('kind', '=', languageModelKind)
      .$if(providerUuid !== undefined, (query) => query.where('provider_uuid', '=', providerUuid as string))
      .orderBy('prefered_ranking')
      .orderBy('created_at')
      .orderBy('uuid')
      .execute();
    return rows.map(toLanguageModel);
  }

  async languageModel(uuid: string): Promise<StoredLanguageModel | null> {
    const row = await this.#database
      .selectFrom('models')
      .selectAll()
      .where('uuid', '=', uuid)
      .where('kind', '=', languageModelKind)
      .executeTakeFirst();
    return row === undefined ? null : toLanguageModel(row);
  }

  async createLanguageModel(model: StoredLanguageModel): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const provider = await transaction
        .selectFrom('providers')
        .select('uuid')
        .where('uuid', '=', model.provider_uuid)
        .executeTakeFirst();
      if (provider === undefined) return false;
      await transaction
        .insertInto('models')
        .values({
          ...model,
          kind: languageModelKind,
          abilities: JSON.stringify(model.abilities),
          extra_args: JSON.stringify(model.extra_args),
        })
        .execute();
      return true;
    });
  }

  #withCounts() {
    return this.#database
      .selectFrom('providers')
      .selectAll()
      .select(({ selectFrom }) => {
        const count = (kind: string) =>
          selectFrom('models')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('models.provider_uuid', '=', 'providers.uuid')
            .where('kind', '=', kind);
        return [count(languageModelKind).as('llm_count'), count(embeddingKind).as('embedding_count')];
      });
  }
}

type ProviderRow = Selectable<Tables['providers']> & { llm_count: number | null; embedding_count: number | null };

function toProvider(row: ProviderRow): Provider {
  const { sealed_secrets: _, api_keys, llm_count, embedding_count, created_at, updated_at, ...columns } = row;
  return {
    ...columns,
    api_keys: JSON.parse(api_keys) as string[],
    llm_count: llm_count ?? 0,
    embedding_count: embedding_count ?? 0,
    created_at,
    updated_at,
  };
}

function toLanguageModel(row: Selectable<Tables['models']>): StoredLanguageModel {
  const { kind: _, abilities, extra_args, ...columns } = row;
  return {
    ...columns,
    abilities: JSON.parse(abilities) as string[],
    extra_args: JSON.parse(extra_args) as Record<string, unknown>,
  };
}
