import type { DocumentPage, ParsedDocument, Reason } from '@parley/sdk';

/** How far a document is. The last three are ends; all others go on, also after a restart. */
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
  /** `author/name` of the parser that was asked for; null for the one that fits. */
  parser_plugin_id: string | null;
  /** What filters may ask for. */
  metadata: Record<string, string | number | boolean>;
  stage: DocumentStage;
  /** Pages while it is parsed, chunks later; both 0 when it is not known. */
  done: number;
  total: number;
  reason: Reason | null;
  /** For people; null when nothing went wrong. */
  error: string | null;
  warnings: string[];
  title: string | null;
  page_kind: ParsedDocument['page_kind'];
  pages: DocumentPage[];
  /** In the collection that is searched; what was found before it was begun anew stays until it is ready again. */
  chunk_count: number;
  /** How often it was begun, of its own accord after a restart, too. */
  attempts: number;
  /** Number of the task that shows how it goes; null before there is one. */
  task_id: number | null;
  created_at: string;
  updated_at: string;
  /** When it became ready, failed or was cancelled. */
  finished_at: string | null;
}
