import type { CreateTableBuilder, SchemaModule } from 'kysely';
import { CompiledQuery } from 'kysely';
import { type Column, key, required } from './columns.ts';
import type { Migration } from './migration.ts';

const ofPipeline: Column = (column) => column.notNull().references('pipelines.uuid').onDelete('cascade');

/** What a version or a draft holds, and who wrote it. */
function content<Table extends string, Columns extends string>(table: CreateTableBuilder<Table, Columns>) {
  return table
    .addColumn('name', 'text', required)
    .addColumn('description', 'text', required)
    .addColumn('emoji', 'text')
    .addColumn('config', 'text', required)
    .addColumn('extensions_preferences', 'text', required)
    .addColumn('sealed_secrets', 'text')
    .addColumn('admin_addresses', 'text')
    .addColumn('author', 'text');
}

function tables(schema: SchemaModule) {
  return [
    schema.alterTable('pipelines').addColumn('version', 'integer', (column) => column.notNull().defaultTo(1)),
    content(schema.createTable('pipeline_versions').addColumn('pipeline_uuid', 'text', ofPipeline))
      .addColumn('version', 'integer', required)
      .addColumn('restored_from', 'integer')
      .addColumn('created_at', 'text', required)
      .addPrimaryKeyConstraint('pipeline_versions_key', ['pipeline_uuid', 'version']),
    content(
      schema.createTable('pipeline_drafts').addColumn('pipeline_uuid', 'text', (column) => key(ofPipeline(column))),
    )
      .addColumn('base_version', 'integer', required)
      .addColumn('updated_at', 'text', required),
  ];
}

const columns = 'name, description, emoji, config, extensions_preferences, sealed_secrets, admin_addresses';

/** Pipelines that exist get their first version as they are. */
const firstVersions = `insert into pipeline_versions (pipeline_uuid, version, ${columns}, created_at)
  select uuid, 1, ${columns}, updated_at from pipelines`;

/** Earlier states of pipelines, and states that are not published yet. */
export const pipelineVersions: Migration = {
  name: '0030-pipeline-versions',
  statements: (schema) => [...tables(schema), { compile: () => CompiledQuery.raw(firstVersions) }],
};
