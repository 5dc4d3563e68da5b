import type { Selectable } from 'kysely';
import type { Pipeline, PipelineListing, StoredPipeline } from '../../core/pipelines/pipeline.ts';
import type { PipelineStore } from '../../core/pipelines/pipeline-store.ts';
import type { Database, Tables } from '../database.ts';
import { prepareQuery } from '../prepared-query.ts';

type PipelineRow = Selectable<Tables['pipelines']>;

export class KyselyPipelineStore implements PipelineStore {
  readonly #database: Database;
  readonly #row: (uuid: string) => Promise<PipelineRow | undefined>;

  constructor(database: Database) {
    this.#database = database;
    this.#row = prepareQuery(database, database.selectFrom('pipelines').selectAll().where('uuid', '=', ''));
  }

  async list(listing: PipelineListing): Promise<Pipeline[]> {
    const direction = listing.descending ? 'desc' : 'asc';
    const rows = await this.#database
      .selectFrom('pipelines')
      .selectAll()
      .orderBy(listing.sortBy, direction)
      .orderBy('uuid', direction)
      .execute();
    return rows.map(toPipeline);
  }

  async byUuid(uuid: string): Promise<Pipeline | null> {
    const row = await this.#row(uuid);
    return row === undefined ? null : toPipeline(row);
  }

  async storedByUuid(uuid: string): Promise<StoredPipeline | null> {
    const row = await this.#row(uuid);
    return row === undefined ? null : toStored(row);
  }

  async default(): Promise<StoredPipeline | null> {
    const row = await this.#database.selectFrom('pipelines').selectAll().where('is_default', '=', 1).executeTakeFirst();
    return row === undefined ? null : toStored(row);
  }

  async create(pipeline: StoredPipeline): Promise<void> {
    await this.#database
      .insertInto('pipelines')
      .values({
        ...pipeline,
        is_default: pipeline.is_default ? 1 : 0,
        stages: JSON.stringify(pipeline.stages),
        config: JSON.stringify(pipeline.config),
        extensions_preferences: JSON.stringify(pipeline.extensions_preferences),
      })
      .execute();
  }

  async updateConfig(uuid: string, config: Pipeline['config'], updatedAt: string): Promise<void> {
    await this.#database
      .updateTable('pipelines')
      .set({ config: JSON.stringify(config), updated_at: updatedAt })
      .where('uuid', '=', uuid)
      .execute();
  }
}

function toPipeline(row: PipelineRow): Pipeline {
  const { sealed_secrets: _, ...shown } = row;
  return {
    ...shown,
    is_default: row.is_default === 1,
    stages: JSON.parse(row.stages) as string[],
    config: JSON.parse(row.config) as Pipeline['config'],
    extensions_preferences: JSON.parse(row.extensions_preferences) as Pipeline['extensions_preferences'],
  };
}

function toStored(row: PipelineRow): StoredPipeline {
  return { ...toPipeline(row), sealed_secrets: row.sealed_secrets };
}
