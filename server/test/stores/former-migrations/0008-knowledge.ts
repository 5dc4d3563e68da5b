import type { SchemaModule } from 'kysely';
import { type Column, key, required } from '../../../src/storage/migrations/columns.ts';
import type { Migration } from '../../../src/storage/migrations/migration.ts';

const ofBase: Column = (column) => column.notNull().references('knowledge_bases.uuid').onDelete('cascade');
const zero: Column = (column) => column.notNull().defaultTo(0);
const emptyList: Column = (column) => column.notNull().defaultTo('[]');

function bases(schema: SchemaModule) {
  return [
    schema
      .createTable('knowledge_bases')
      .addColumn('uuid', 'text', key)
      .addColumn('name', 'text', required)
      .addColumn('description', 'text', required)
      .addColumn('emoji', 'text')
      .addColumn('knowledge_engine_plugin_id', 'text', required)
      // The collection that is searched. It is one of the base's; no foreign key, for each needs the other first.
      .addColumn('collection_id', 'text', required)
      .addColumn('retrieval_settings', 'text', required)
      .addColumn('sealed_secrets', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
    // Those of bases that are gone stay until their engine has removed what it stored, so there is no foreign key.
    schema
      .createTable('knowledge_collections')
      .addColumn('collection_id', 'text', key)
      .addColumn('knowledge_base_uuid', 'text', required)
      .addColumn('knowledge_engine_plugin_id', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('creation_settings', 'text', required)
      .addColumn('sealed_secrets', 'text')
      .addColumn('error', 'text')
      .addColumn('evaluation_uuid', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
    schema
      .createIndex('knowledge_collections_by_base')
      .on('knowledge_collections')
      .columns(['knowledge_base_uuid', 'created_at']),
    schema.createIndex('knowledge_collections_by_state').on('knowledge_collections').columns(['state']),
  ];
}

function documents(schema: SchemaModule) {
  return [
    schema
      .createTable('knowledge_documents')
      .addColumn('uuid', 'text', key)
      .addColumn('knowledge_base_uuid', 'text', ofBase)
      // The original is kept as long as a document names it.
      .addColumn('file_uuid', 'text', (column) => column.notNull().references('files.uuid'))
      .addColumn('file_name', 'text', required)
      .addColumn('extension', 'text', required)
      .addColumn('media_type', 'text', required)
      .addColumn('size', 'integer', required)
      .addColumn('sha256', 'text', required)
      .addColumn('parser_plugin_id', 'text')
      .addColumn('metadata', 'text', required)
      .addColumn('stage', 'text', required)
      .addColumn('done', 'integer', zero)
      .addColumn('total', 'integer', zero)
      .addColumn('reason', 'text')
      .addColumn('error', 'text')
      .addColumn('warnings', 'text', emptyList)
      .addColumn('title', 'text')
      .addColumn('page_kind', 'text')
      .addColumn('pages', 'text', emptyList)
      .addColumn('chunk_count', 'integer', zero)
      .addColumn('attempts', 'integer', zero)
      .addColumn('task_id', 'integer')
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required)
      .addColumn('finished_at', 'text'),
    schema
      .createIndex('knowledge_documents_by_base')
      .on('knowledge_documents')
      .columns(['knowledge_base_uuid', 'created_at', 'uuid']),
    // The same file twice in one base is one document; two files with the same content are found by it.
    schema
      .createIndex('knowledge_documents_by_file')
      .unique()
      .on('knowledge_documents')
      .columns(['knowledge_base_uuid', 'file_uuid']),
    schema.createIndex('knowledge_documents_of_file').on('knowledge_documents').columns(['file_uuid']),
    schema
      .createIndex('knowledge_documents_by_content')
      .on('knowledge_documents')
      .columns(['knowledge_base_uuid', 'sha256']),
    schema.createIndex('knowledge_documents_by_stage').on('knowledge_documents').columns(['stage', 'created_at']),
    // Which documents a collection holds.
    schema
      .createTable('knowledge_collection_documents')
      .addColumn('collection_id', 'text', (column) =>
        column.notNull().references('knowledge_collections.collection_id').onDelete('cascade'),
      )
      .addColumn('document_uuid', 'text', (column) =>
        column.notNull().references('knowledge_documents.uuid').onDelete('cascade'),
      )
      .addColumn('chunk_count', 'integer', required)
      .addColumn('created_at', 'text', required)
      .addPrimaryKeyConstraint('knowledge_collection_documents_key', ['collection_id', 'document_uuid']),
    schema
      .createIndex('knowledge_collection_documents_of_document')
      .on('knowledge_collection_documents')
      .columns(['document_uuid']),
    // Uploads that were never attached are looked for by their age.
    schema.createIndex('files_by_purpose').on('files').columns(['purpose', 'created_at']),
  ];
}

function evaluations(schema: SchemaModule) {
  return [
    schema
      .createTable('knowledge_questions')
      .addColumn('uuid', 'text', key)
      .addColumn('knowledge_base_uuid', 'text', ofBase)
      .addColumn('question', 'text', required)
      .addColumn('expected', 'text', required)
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required),
    schema
      .createIndex('knowledge_questions_by_base')
      .on('knowledge_questions')
      .columns(['knowledge_base_uuid', 'created_at', 'uuid']),
    schema
      .createTable('knowledge_evaluations')
      .addColumn('uuid', 'text', key)
      .addColumn('knowledge_base_uuid', 'text', ofBase)
      .addColumn('collection_id', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('asked_by', 'text', required)
      .addColumn('model_uuid', 'text')
      .addColumn('figures', 'text')
      .addColumn('results', 'text', emptyList)
      .addColumn('error', 'text')
      .addColumn('created_at', 'text', required)
      .addColumn('finished_at', 'text'),
    schema
      .createIndex('knowledge_evaluations_by_base')
      .on('knowledge_evaluations')
      .columns(['knowledge_base_uuid', 'created_at', 'uuid']),
  ];
}

/** Knowledge bases: their collections, documents and golden questions. Chunks and vectors are elsewhere. */
export const knowledge: Migration = {
  name: '0008-knowledge',
  statements: (schema) => [...bases(schema), ...documents(schema), ...evaluations(schema)],
};
