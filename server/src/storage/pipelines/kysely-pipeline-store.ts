import { type Selectable, sql, type Transaction } from 'kysely';
import type { Pipeline, PipelineFilter, PipelineListing, StoredPipeline } from '../../core/pipelines/pipeline.ts';
import type {
  CreatePipelineOptions,
  DraftToSave,
  PipelineChanges,
  PipelineRefusal,
  PipelineStore,
} from '../../core/pipelines/pipeline-store.ts';
import type {
  PipelineVersion,
  StoredDraft,
  StoredVersion,
  VersionAuthor,
} from '../../core/pipelines/pipeline-version.ts';
import type { ListedRecords, NamedRecord, RecordListing } from '../../core/records/record-listing.ts';
import { toList } from '../admin-addresses.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { ParsedTexts } from '../parsed-texts.ts';
import { PreparedQuery } from '../prepared-query.ts';
import { type ListColumns, listedRows, namedRows } from '../records/listed-rows.ts';
import { columnsOf } from '../table-columns.ts';
import {
  authorColumn,
  contentColumns,
  contentOf,
  draftOf,
  isSameContent,
  recordVersion,
  toVersion,
  versionFields,
} from './pipeline-versions.ts';

type PipelineRow = Selectable<Tables['pipelines']>;

const languageModelKind = 'llm';

const columns: ListColumns = {
  id: 'pipelines.uuid',
  name: 'pipelines.name',
  searched: ['pipelines.name', 'pipelines.description'],
  sorted: {
    name: { column: 'pipelines.name', isText: true },
    created_at: { column: 'pipelines.created_at' },
    updated_at: { column: 'pipelines.updated_at' },
  },
};

/** Each message and each read needs a configuration, which hardly ever changes. */
const configs = new ParsedTexts<Pipeline['config']>();

export class KyselyPipelineStore implements PipelineStore {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #row: PreparedQuery<PipelineRow, { uuid: string }>;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
    this.#row = new PreparedQuery(database, (value) =>
      database.selectFrom('pipelines').select(columnsOf('pipelines')).where('uuid', '=', value('uuid')),
    );
  }

  async list(listing: PipelineListing): Promise<Pipeline[]> {
    const direction = listing.descending ? 'desc' : 'asc';
    const rows = await this.#database
      .selectFrom('pipelines')
      .select(columnsOf('pipelines'))
      .orderBy(listing.sortBy, direction)
      .orderBy('uuid', direction)
      .execute();
    return rows.map(toPipeline);
  }

  async page(listing: RecordListing & PipelineFilter): Promise<ListedRecords<Pipeline>> {
    const query = matching(this.#database, listing).select(columnsOf('pipelines'));
    const { rows, total } = await listedRows(this.#engine, query, columns, listing);
    return { records: rows.map(toPipeline), total };
  }

  names(listing: RecordListing & PipelineFilter): Promise<NamedRecord[]> {
    return namedRows(this.#engine, matching(this.#database, listing), columns, listing);
  }

  async byUuid(uuid: string): Promise<Pipeline | null> {
    const row = await this.#row.first(this.#database, { uuid });
    return row === undefined ? null : toPipeline(row);
  }

  async storedByUuid(uuid: string): Promise<StoredPipeline | null> {
    const row = await this.#row.first(this.#database, { uuid });
    return row === undefined ? null : toStored(row);
  }

  async default(): Promise<StoredPipeline | null> {
    const row = await this.#database
      .selectFrom('pipelines')
      .select(columnsOf('pipelines'))
      .where('is_default', '=', 1)
      .executeTakeFirst();
    return row === undefined ? null : toStored(row);
  }

  create(pipeline: StoredPipeline, options: CreatePipelineOptions): Promise<PipelineRefusal | null> {
    return this.#database.transaction().execute(async (transaction) => {
      if (options.maximum >= 0) {
        await this.#lockAll(transaction);
        const { count } = await transaction
          .selectFrom('pipelines')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow();
        if (count >= options.maximum) return { reason: 'limit_reached' };
      }
      const { known, unknown } = await this.#models(transaction, options.models);
      if (unknown.length > 0 && options.unknownModels === 'refuse') {
        return { reason: 'unknown_models', models: unknown };
      }
      await transaction
        .insertInto('pipelines')
        .values({
          ...pipeline,
          ...contentColumns(pipeline),
          is_default: pipeline.is_default ? 1 : 0,
          stages: JSON.stringify(pipeline.stages),
        })
        .execute();
      await insertModels(transaction, pipeline.uuid, known);
      await recordVersion(transaction, pipeline, { author: options.author, restoredFrom: null });
      return null;
    });
  }

  update(
    uuid: string,
    change: (stored: StoredPipeline, draft: StoredDraft | null) => PipelineChanges | null,
    author: VersionAuthor | null = null,
  ): Promise<PipelineRefusal | null> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await this.#lock(transaction, uuid);
      if (row === undefined) return { reason: 'not_found' };
      const stored = toStored(row);
      const changes = change(stored, await draftOf(transaction, uuid));
      if (changes === null) return null;
      const { configuration, restored_from = null, removes_draft = false, updated_at, ...fields } = changes;
      const { models: _, ...config } = configuration ?? { models: [] };
      const next = { ...stored, ...fields, ...config, updated_at };
      const isChanged = !isSameContent(stored, next);
      if (isChanged) next.version += 1;
      if (configuration !== undefined) {
        const { known, unknown } = await this.#models(transaction, configuration.models);
        if (unknown.length > 0) return { reason: 'unknown_models', models: unknown };
        await transaction.deleteFrom('pipeline_models').where('pipeline_uuid', '=', uuid).execute();
        await insertModels(transaction, uuid, known);
      }
      await transaction
        .updateTable('pipelines')
        .set({ ...contentColumns(next), version: next.version, updated_at })
        .where('uuid', '=', uuid)
        .execute();
      if (isChanged) await recordVersion(transaction, next, { author, restoredFrom: restored_from });
      if (removes_draft) await transaction.deleteFrom('pipeline_drafts').where('pipeline_uuid', '=', uuid).execute();
      return null;
    });
  }

  delete(uuid: string): Promise<PipelineRefusal | null> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await this.#lock(transaction, uuid);
      if (row === undefined) return { reason: 'not_found' };
      if (row.is_default === 1) return { reason: 'default_pipeline' };
      const bots = await transaction
        .selectFrom('bots')
        .select(['uuid', 'name'])
        .where(({ or, eb, selectFrom }) =>
          or([
            eb('use_pipeline_uuid', '=', uuid),
            eb('uuid', 'in', selectFrom('bot_pipelines').select('bot_uuid').where('pipeline_uuid', '=', uuid)),
          ]),
        )
        .orderBy('created_at')
        .orderBy('uuid')
        .execute();
      if (bots.length > 0) return { reason: 'in_use', bots };
      await transaction.deleteFrom('pipelines').where('uuid', '=', uuid).execute();
      return null;
    });
  }

  makeDefault(uuid: string, updatedAt: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      await this.#lockAll(transaction);
      const row = await this.#lock(transaction, uuid);
      if (row === undefined) return false;
      if (row.is_default === 1) return true;
      const set = transaction.updateTable('pipelines');
      await set.set({ is_default: 0, updated_at: updatedAt }).where('is_default', '=', 1).execute();
      await set.set({ is_default: 1, updated_at: updatedAt }).where('uuid', '=', uuid).execute();
      return true;
    });
  }

  async versions(uuid: string): Promise<PipelineVersion[]> {
    const rows = await this.#database
      .selectFrom('pipeline_versions')
      .select(versionFields)
      .where('pipeline_uuid', '=', uuid)
      .orderBy('version', 'desc')
      .execute();
    return rows.map(toVersion);
  }

  async version(uuid: string, version: number): Promise<StoredVersion | null> {
    const row = await this.#database
      .selectFrom('pipeline_versions')
      .select(columnsOf('pipeline_versions'))
      .where('pipeline_uuid', '=', uuid)
      .where('version', '=', version)
      .executeTakeFirst();
    return row === undefined ? null : { ...toVersion(row), content: contentOf(row) };
  }

  draft(uuid: string): Promise<StoredDraft | null> {
    return draftOf(this.#database, uuid);
  }

  saveDraft(
    uuid: string,
    draft: (stored: StoredPipeline, draft: StoredDraft | null) => DraftToSave,
    author: VersionAuthor | null,
  ): Promise<PipelineRefusal | null> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await this.#lock(transaction, uuid);
      if (row === undefined) return { reason: 'not_found' };
      const { content, models, ...columns } = draft(toStored(row), await draftOf(transaction, uuid));
      const { unknown } = await this.#models(transaction, models);
      if (unknown.length > 0) return { reason: 'unknown_models', models: unknown };
      const values = { ...contentColumns(content), ...columns, author: authorColumn(author) };
      await transaction
        .insertInto('pipeline_drafts')
        .values({ pipeline_uuid: uuid, ...values })
        .onConflict((conflict) => conflict.column('pipeline_uuid').doUpdateSet(values))
        .execute();
      return null;
    });
  }

  async discardDraft(uuid: string): Promise<boolean> {
    const [{ numDeletedRows } = { numDeletedRows: 0n }] = await this.#database
      .deleteFrom('pipeline_drafts')
      .where('pipeline_uuid', '=', uuid)
      .execute();
    return numDeletedRows > 0n;
  }

  /** The row, locked until the end of the transaction. SQLite has one writer at a time anyway. */
  #lock(transaction: Transaction<Tables>, uuid: string): Promise<PipelineRow | undefined> {
    return transaction
      .selectFrom('pipelines')
      .select(columnsOf('pipelines'))
      .where('uuid', '=', uuid)
      .$if(this.#engine === 'postgres', (query) => query.forUpdate())
      .executeTakeFirst();
  }

  /** Serializes read-then-write transactions on all pipelines. */
  async #lockAll(transaction: Transaction<Tables>): Promise<void> {
    if (this.#engine !== 'postgres') return;
    await sql`select pg_advisory_xact_lock(${advisoryLocks.pipelines})`.execute(transaction);
  }

  /** Which of some language models exist; those stay until the end of the transaction. */
  async #models(
    transaction: Transaction<Tables>,
    named: readonly string[],
  ): Promise<{ known: string[]; unknown: string[] }> {
    if (named.length === 0) return { known: [], unknown: [] };
    const rows = await transaction
      .selectFrom('models')
      .select('uuid')
      .where('uuid', 'in', named)
      .where('kind', '=', languageModelKind)
      .$if(this.#engine === 'postgres', (query) => query.forKeyShare())
      .execute();
    const known = new Set(rows.map(({ uuid }) => uuid));
    return { known: [...known], unknown: named.filter((uuid) => !known.has(uuid)) };
  }
}

async function insertModels(transaction: Transaction<Tables>, pipelineUuid: string, models: string[]): Promise<void> {
  if (models.length === 0) return;
  await transaction
    .insertInto('pipeline_models')
    .values(models.map((uuid) => ({ pipeline_uuid: pipelineUuid, model_uuid: uuid })))
    .execute();
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
    version: row.version,
    stages: JSON.parse(row.stages) as string[],
    config: configs.parse(row.config),
    extensions_preferences: JSON.parse(row.extensions_preferences) as Pipeline['extensions_preferences'],
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function toStored(row: PipelineRow): StoredPipeline {
  return {
    ...toPipeline(row),
    sealed_secrets: row.sealed_secrets,
    admin_addresses: toList(row.admin_addresses),
  };
}

function matching(database: Database, { used }: PipelineFilter) {
  return database.selectFrom('pipelines').$if(used !== undefined, (pipelines) =>
    pipelines.where(({ or, not, exists, selectFrom }) => {
      const isUsed = or([
        exists(selectFrom('bots').select('bots.uuid').whereRef('bots.use_pipeline_uuid', '=', 'pipelines.uuid')),
        exists(
          selectFrom('bot_pipelines')
            .select('bot_pipelines.bot_uuid')
            .whereRef('bot_pipelines.pipeline_uuid', '=', 'pipelines.uuid'),
        ),
      ]);
      return used ? isUsed : not(isUsed);
    }),
  );
}
