import type { Selectable } from 'kysely';
import type { Pipeline, PipelineListing, StoredPipeline } from '../../core/pipelines/pipeline.ts';
import type { PipelineStore } from '../../core/pipelines/pipeline-store.ts';
import type { Database, Tables } from '../database.ts';
import { ParsedTexts } from '../parsed-texts.ts';
import { prepareQuery } from '../prepared-query.ts';

type PipelineRow = Selectable<Tables['pipelines']>;

/** Each message and each read needs a configuration, which hardly ever changes. */
const configs = new ParsedTexts<Pipeline['config']>();

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

// Field by field: a copy of a row of `node:sqlite` costs more than reading it.
function toPipeline(row: PipelineRow): Pipeline {
  return {
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    emoji: row.emoji,
    for_version: row.for_version,
    is_default: row.is_default === 1,
    stages: JSON.parse(row.stages) as string[],
    config: configs.parse(row.config),
    extensions_preferences: JSON.parse(row.extensions_preferences) as Pipeline['extensions_preferences'],
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function toStored(row: PipelineRow): StoredPipeline {
  return { ...toPipeline(row), sealed_secrets: row.sealed_secrets };
}
