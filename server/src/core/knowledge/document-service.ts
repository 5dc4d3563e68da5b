import type { StoredChunk } from '@parley/sdk';
import type { AttachDocument, AttachedDocuments, KnowledgeDocument } from './document.ts';

export interface DocumentPageRequest {
  /** Documents after this one, as a page before told; from the first when left out. */
  cursor?: string | undefined;
  /** All when left out. */
  limit?: number | undefined;
}

/** A document whose original is to be shown. */
export interface DocumentContent {
  file_name: string;
  media_type: string;
  /** Bytes. */
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/** The documents of knowledge bases. A document of another base is not found. */
export class DocumentService {
  /**
   * Attaches an upload, or the files in it when it is a ZIP archive. A file that is attached already is answered with its
   * document and task.
   * @throws ParleyError `not_found` when there is no such base or upload, `invalid_request` for an unknown parser,
   *   `document_type_unsupported`, `duplicate_document` with the document that has the same content in `details`,
   *   `conflict` when the engine takes no documents, and whatever keeps an archive from being unpacked
   */
  async attach(_baseUuid: string, _request: AttachDocument): Promise<AttachedDocuments> {
    throw new Error('not built');
  }

  /** Oldest first. */
  async list(
    _baseUuid: string,
    _page: DocumentPageRequest = {},
  ): Promise<{ documents: KnowledgeDocument[]; next_cursor: string | null }> {
    throw new Error('not built');
  }

  /** @throws ParleyError `not_found`, as every method that takes a uuid */
  async get(_baseUuid: string, _uuid: string): Promise<KnowledgeDocument> {
    throw new Error('not built');
  }

  /** Removes a document with its chunks, and its upload when no other document needs it. */
  async remove(_baseUuid: string, _uuid: string): Promise<void> {
    throw new Error('not built');
  }

  /** Begins a document again that failed or was cancelled. @throws ParleyError `conflict` when it did not */
  async retry(_baseUuid: string, _uuid: string): Promise<{ task_id: number; document: KnowledgeDocument }> {
    throw new Error('not built');
  }

  /**
   * Reads a document anew. What was found of it is found until the new edition is there.
   * @throws ParleyError `conflict` while it is under way
   */
  async reindex(_baseUuid: string, _uuid: string): Promise<{ task_id: number; document: KnowledgeDocument }> {
    throw new Error('not built');
  }

  /** Ends what is under way. @throws ParleyError `conflict` when nothing is */
  async cancel(_baseUuid: string, _uuid: string): Promise<KnowledgeDocument> {
    throw new Error('not built');
  }

  /** What is found of a document, in order; empty where the engine keeps it elsewhere. */
  async chunks(
    _baseUuid: string,
    _uuid: string,
    _page: { from: number; limit: number },
  ): Promise<{ chunks: StoredChunk[]; total: number }> {
    throw new Error('not built');
  }

  /** The original. */
  async content(_baseUuid: string, _uuid: string): Promise<DocumentContent> {
    throw new Error('not built');
  }
}
