import type { DocumentPage, ParsedDocument, Reason } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { nullable } from '../../lib/schema-parts.ts';

/** State of a document. The last three are final; all others are resumed, also after a restart. */
export type DocumentStage = 'queued' | 'parsing' | 'chunking' | 'embedding' | 'ready' | 'failed' | 'cancelled';

/** What clients of the reference system know of it. */
export type DocumentStatus = 'pending' | 'processing' | 'completed' | 'failed';

export function statusOf(stage: DocumentStage): DocumentStatus {
  switch (stage) {
    case 'queued':
      return 'pending';
    case 'ready':
      return 'completed';
    case 'failed':
    case 'cancelled':
      return 'failed';
    default:
      return 'processing';
  }
}

/** A file that was attached to a knowledge base. */
export interface KnowledgeDocument {
  uuid: string;
  knowledge_base_uuid: string;
  /** Of the upload. */
  file_uuid: string;
  file_name: string;
  /** In lower case, without its dot. */
  extension: string;
  media_type: string;
  /** Bytes. */
  size: number;
  /** SHA-256 in hex. */
  sha256: string;
  /** `author/name` of the requested parser; null for automatic selection. */
  parser_plugin_id: string | null;
  /** Fields for filters. */
  metadata: Record<string, string | number | boolean>;
  stage: DocumentStage;
  /** Pages while it is parsed, chunks later; both 0 while unknown. */
  done: number;
  total: number;
  reason: Reason | null;
  /** For users; null without an error. */
  error: string | null;
  warnings: string[];
  title: string | null;
  page_kind: ParsedDocument['page_kind'];
  pages: DocumentPage[];
  /** In the active collection; the previous chunks stay until it is ready again. */
  chunk_count: number;
  /** Number of attempts, including automatic ones after a restart. */
  attempts: number;
  /** Number of the task that shows how it goes; null before there is one. */
  task_id: number | null;
  created_at: string;
  updated_at: string;
  /** When it became ready, failed or was cancelled. */
  finished_at: string | null;
}

/** Stages of documents as users tell them apart. */
export const documentStates = {
  in_progress: ['queued', 'parsing', 'chunking', 'embedding'],
  ready: ['ready'],
  failed: ['failed', 'cancelled'],
} as const satisfies Record<string, readonly DocumentStage[]>;

/** Filters of the list of documents. */
export interface DocumentFilter {
  state?: keyof typeof documentStates | undefined;
}

/** What attaches an upload to a base. */
export const AttachDocument = Type.Object(
  {
    file_id: Type.String({ minLength: 1, maxLength: 255, description: 'Of an uploaded document.' }),
    parser_plugin_id: Type.Optional(
      nullable(Type.String({ maxLength: 255 }), '`author/name`; selected automatically when omitted.'),
    ),
    metadata: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 100 }),
        Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()]),
        { maxProperties: 50, description: 'What filters may ask for.' },
      ),
    ),
    allow_duplicate: Type.Optional(
      Type.Boolean({ description: 'Also when a document with the same content is in the base.' }),
    ),
  },
  { additionalProperties: false },
);
export type AttachDocument = Static<typeof AttachDocument>;

/** A file of an archive that was not attached. */
export interface SkippedFile {
  file_name: string;
  reason: Reason;
  /** For users. */
  message: string;
  /** The document that has the same content; null when that is not why. */
  document_uuid: string | null;
}

/** The result of attaching an upload, which may be an archive of several files. */
export interface AttachedDocuments {
  /** Of the first document. */
  task_id: number;
  /** One for each document, in their order. */
  task_ids: number[];
  documents: KnowledgeDocument[];
  skipped: SkippedFile[];
}
