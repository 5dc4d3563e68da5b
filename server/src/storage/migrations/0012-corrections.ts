import { CompiledQuery } from 'kysely';
import type { Engine } from '../engine.ts';
import { marking } from './0005-monitoring.ts';
import { required } from './columns.ts';
import type { Migration, WriteStatements } from './migration.ts';

/** Triggers of the former version of 0005, by their tables. */
const formerTriggers: Readonly<Record<string, readonly string[]>> = {
  messages: ['insert', 'delete', 'update'],
  model_calls: ['insert', 'delete'],
  tool_calls: ['insert', 'delete', 'update'],
  deliveries: ['insert', 'delete', 'update', 'update_from'],
  embedding_calls: ['insert', 'delete'],
};

/** The former version had triggers for what is never late, too. */
const triggers: WriteStatements = (_schema, engine) => [...dropFormerTriggers(engine).map(raw), ...marking(engine)];

function dropFormerTriggers(engine: Engine): string[] {
  const drops = Object.entries(formerTriggers).flatMap(([table, kinds]) =>
    kinds.map((kind) => `drop trigger if exists ${table}_mark_${kind}${engine === 'postgres' ? ` on ${table}` : ''}`),
  );
  return engine === 'postgres' ? [...drops, 'drop function if exists mark_monitoring_hour()'] : drops;
}

/** The former version required `chunk_count`, and had no `attempts`. */
const collectionDocuments: WriteStatements = (schema, engine) => {
  const table = 'knowledge_collection_documents';
  if (engine === 'postgres') {
    return [
      schema.alterTable(table).alterColumn('chunk_count', (column) => column.dropNotNull()),
      schema.alterTable(table).addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0)),
    ];
  }
  // SQLite cannot drop `not null`.
  return [
    raw(`alter table ${table} rename to former_${table}`),
    raw(`drop index ${table}_of_document`),
    schema
      .createTable(table)
      .addColumn('collection_id', 'text', (column) =>
        column.notNull().references('knowledge_collections.collection_id').onDelete('cascade'),
      )
      .addColumn('document_uuid', 'text', (column) =>
        column.notNull().references('knowledge_documents.uuid').onDelete('cascade'),
      )
      .addColumn('chunk_count', 'integer')
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'text', required)
      .addPrimaryKeyConstraint(`${table}_key`, ['collection_id', 'document_uuid']),
    raw(`insert into ${table} (collection_id, document_uuid, chunk_count, created_at)
      select collection_id, document_uuid, chunk_count, created_at from former_${table}`),
    raw(`drop table former_${table}`),
    schema.createIndex(`${table}_of_document`).on(table).columns(['document_uuid']),
  ];
};

function raw(statement: string) {
  return { compile: () => CompiledQuery.raw(statement) };
}

/** Brings databases up to date that were made by versions of 0005 and 0008 from before those were settled. */
export const corrections: Migration = {
  name: '0012-corrections',
  statements: () => [],
  corrections: [
    { of: '0005-monitoring', statements: triggers },
    { of: '0008-knowledge', statements: collectionDocuments },
  ],
};
