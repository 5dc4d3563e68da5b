import Type, { type Static } from 'typebox';
import { AttachDocument, documentStates, type KnowledgeDocument, statusOf } from '../../../core/knowledge/document.ts';
import { Count, nullable, Timestamp, Uuid } from '../../../lib/schema-parts.ts';
import { listParameters, total } from '../../record-lists.ts';
import { Cursor, NextCursor } from './shared-schema.ts';

const file = {
  uuid: Uuid,
  kb_id: Uuid,
  file_id: Type.String({ format: 'uuid', description: 'Of the upload.' }),
  file_name: Type.String(),
  extension: Type.String({ description: 'In lower case, without its dot.' }),
  media_type: Type.String(),
  size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  sha256: Type.String({ description: 'In hex.' }),
  parser_plugin_id: nullable(Type.String(), 'The requested parser; null for automatic selection.'),
  metadata: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  status: Type.Enum(['pending', 'processing', 'completed', 'failed']),
  stage: Type.Enum(['queued', 'parsing', 'chunking', 'embedding', 'ready', 'failed', 'cancelled']),
  progress: Type.Object(
    { done: Count, total: Count },
    { description: 'Pages while it is parsed, chunks later; both 0 if unknown.' },
  ),
  reason: nullable(Type.String(), 'Why it failed: a reason of docs/errors.md.'),
  error: nullable(Type.String(), 'The same as text.'),
  warnings: Type.Array(Type.String(), { description: 'Omitted, repaired or guessed content.' }),
  title: nullable(Type.String(), 'Title in the document.'),
  page_kind: nullable(Type.Enum(['page', 'slide', 'sheet', 'chapter']), 'Null for formats without pages.'),
  page_count: Count,
  chunk_count: Type.Integer({ minimum: 0, description: 'In the active collection.' }),
  attempts: Type.Integer({ minimum: 0, description: 'Number of attempts, including those after restarts.' }),
  task_id: nullable(Type.Integer({ minimum: 1 }), 'The task with the progress.'),
  created_at: Timestamp,
  updated_at: Timestamp,
  finished_at: nullable(Timestamp, 'When it became ready, failed or was cancelled.'),
};

export const KnowledgeBaseFile = Type.Object(file, { title: 'KnowledgeBaseFile' });

const Page = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  name: Type.Optional(Type.String({ description: 'Name of a sheet or chapter; title of a slide.' })),
  characters: Type.Integer({ minimum: 0, description: 'Characters of text.' }),
  note: Type.Optional(Type.String({ description: 'Present if parts of it could not be read.' })),
});

export const KnowledgeBaseFileDetail = Type.Object(
  { ...file, pages: Type.Array(Page, { description: 'Amount of text per page.' }) },
  { title: 'KnowledgeBaseFileDetail' },
);

/** A document in the format of the API. */
export function shownFile(document: KnowledgeDocument): Static<typeof KnowledgeBaseFile> {
  const { knowledge_base_uuid, file_uuid, done, total, pages, ...fields } = document;
  return {
    ...fields,
    kb_id: knowledge_base_uuid,
    file_id: file_uuid,
    status: statusOf(document.stage),
    progress: { done, total },
    page_count: pages.length,
  };
}

export const KnowledgeBaseFileParams = Type.Object({ knowledge_base_uuid: Uuid, file_uuid: Uuid });
export const fileOrders = ['file_name', 'stage', 'size', 'chunk_count', 'created_at', 'updated_at'] as const;
export const fileFilters = {
  state: Type.Optional(Type.Enum(Object.keys(documentStates), { description: 'Cancelled documents count as failed.' })),
};
export const FileQuery = Type.Object(
  { ...listParameters(fileOrders, fileFilters), cursor: Cursor },
  { additionalProperties: false },
);
export const FindFilesQuery = Type.Object(
  {
    search: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of a name or title; capitals do not matter.',
    }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  },
  { additionalProperties: false },
);
export const FoundFiles = Type.Object({
  files: Type.Array(KnowledgeBaseFile, { description: 'By name.' }),
  total: Type.Integer({ minimum: 0, description: 'All matches.' }),
});
export const KnowledgeBaseFileList = Type.Object({
  files: Type.Array(KnowledgeBaseFile),
  total,
  next_cursor: NextCursor,
});
export const KnowledgeBaseFileAnswer = Type.Object({ file: KnowledgeBaseFileDetail });
export const StartedUpload = Type.Object({ task_id: Type.Integer({ minimum: 1 }), file: KnowledgeBaseFileDetail });

const { file_id } = AttachDocument.properties;
export const AttachFile = Type.Object(
  {
    ...AttachDocument.properties,
    file_id: Type.Optional(file_id),
    file_key: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'The same as `file_id`.' })),
  },
  { additionalProperties: false },
);
export const AttachedFiles = Type.Object({
  task_id: Type.Integer({ minimum: 1, description: 'Of the first file.' }),
  task_ids: Type.Array(Type.Integer({ minimum: 1 }), { description: 'One for each file, in their order.' }),
  files: Type.Array(KnowledgeBaseFile, { description: 'For a ZIP archive, its files.' }),
  skipped: Type.Array(
    Type.Object({
      file_name: Type.String(),
      reason: Type.String(),
      message: Type.String(),
      document_uuid: nullable(Uuid, 'The document with the same content.'),
    }),
    { description: 'Files of an archive that were not attached.' },
  ),
});

export const ChunkQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
    cursor: Cursor,
  },
  { additionalProperties: false },
);
export const ChunkList = Type.Object({
  chunks: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        position: Type.Integer({ minimum: 0, description: 'In the document, from 0.' }),
        text: Type.String(),
        heading_path: Type.Array(Type.String()),
        page: nullable(Type.Integer({ minimum: 1 })),
        page_end: nullable(Type.Integer({ minimum: 1 })),
        start: Type.Integer({ minimum: 0, description: 'Start offset in the text of the document.' }),
        end: Count,
      },
      { title: 'KnowledgeChunk' },
    ),
  ),
  total: Count,
  next_cursor: NextCursor,
});

export const Original = {
  description: 'The uploaded file.',
  content: {
    'application/octet-stream': { schema: Type.Unsafe<never>({ type: 'string', format: 'binary' }) },
  },
};
