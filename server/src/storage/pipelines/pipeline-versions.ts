import type { Kysely, Selectable, Transaction } from 'kysely';
import type { PipelineContent, StoredPipeline } from '../../core/pipelines/pipeline.ts';
import {
  maximumVersions,
  type PipelineVersion,
  type StoredDraft,
  type VersionAuthor,
} from '../../core/pipelines/pipeline-version.ts';
import { listColumn, toList } from '../admin-addresses.ts';
import type { Tables } from '../database.ts';
import { columnsOf } from '../table-columns.ts';

type VersionRow = Selectable<Tables['pipeline_versions']>;

export const versionFields = ['version', 'author', 'created_at', 'restored_from'] as const;

/** The columns of a pipeline, a version or a draft that hold its content. */
export function contentColumns(content: PipelineContent) {
  const { name, description, emoji, config, extensions_preferences, sealed_secrets, admin_addresses } = content;
  return {
    name,
    description,
    emoji,
    config: JSON.stringify(config),
    extensions_preferences: JSON.stringify(extensions_preferences),
    sealed_secrets,
    admin_addresses: listColumn(admin_addresses),
  };
}

export function contentOf(row: ReturnType<typeof contentColumns>): PipelineContent {
  const { name, description, emoji, sealed_secrets } = row;
  return {
    name,
    description,
    emoji,
    config: JSON.parse(row.config) as PipelineContent['config'],
    extensions_preferences: JSON.parse(row.extensions_preferences) as PipelineContent['extensions_preferences'],
    sealed_secrets,
    admin_addresses: toList(row.admin_addresses),
  };
}

export function isSameContent(one: PipelineContent, other: PipelineContent): boolean {
  return JSON.stringify(contentColumns(one)) === JSON.stringify(contentColumns(other));
}

export function authorColumn(author: VersionAuthor | null): string | null {
  return author === null ? null : JSON.stringify(author);
}

export function toVersion(row: Pick<VersionRow, (typeof versionFields)[number]>): PipelineVersion {
  const { version, created_at, restored_from } = row;
  return { version, author: toAuthor(row.author), created_at, restored_from };
}

/** Keeps the present state of a pipeline as a version, and drops versions beyond the maximum. */
export async function recordVersion(
  transaction: Transaction<Tables>,
  pipeline: StoredPipeline,
  { author, restoredFrom }: { author: VersionAuthor | null; restoredFrom: number | null },
): Promise<void> {
  const { uuid, version } = pipeline;
  await transaction
    .insertInto('pipeline_versions')
    .values({
      ...contentColumns(pipeline),
      pipeline_uuid: uuid,
      version,
      author: authorColumn(author),
      restored_from: restoredFrom,
      created_at: pipeline.updated_at,
    })
    .execute();
  await transaction
    .deleteFrom('pipeline_versions')
    .where('pipeline_uuid', '=', uuid)
    .where('version', '<=', version - maximumVersions)
    .execute();
}

/** The draft of a pipeline; null when there is none. */
export async function draftOf(database: Kysely<Tables>, uuid: string): Promise<StoredDraft | null> {
  const row = await database
    .selectFrom('pipeline_drafts')
    .select(columnsOf('pipeline_drafts'))
    .where('pipeline_uuid', '=', uuid)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { author, base_version, updated_at } = row;
  return { base_version, author: toAuthor(author), updated_at, content: contentOf(row) };
}

function toAuthor(column: string | null): VersionAuthor | null {
  return column === null ? null : (JSON.parse(column) as VersionAuthor);
}
