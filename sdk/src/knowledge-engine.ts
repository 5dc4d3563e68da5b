import type { TObject } from 'typebox';
import type { I18nText } from './i18n-text.ts';
import type { Logger } from './logger.ts';
import type { ParsedDocument } from './parser.ts';
import type { RetrievalFilter, RetrievedPassage } from './retrieval.ts';

/** A document with stored chunks, as filters see it. */
export interface IndexedDocument {
  document_id: string;
  file_id: string;
  file_name: string;
  extension: string;
  media_type: string;
  /** ISO 8601 UTC. */
  created_at: string;
  /** The document's own title; weighs more than the text. */
  title: string | null;
  metadata: Record<string, string | number | boolean>;
}

/** The documents of a knowledge base in an engine. Rebuilding a base creates another collection. */
export interface Collection {
  collection_id: string;
  knowledge_base_uuid: string;
  /** Of the engine's `creationSchema`, complete, secrets in the clear. */
  settings: Record<string, unknown>;
}

export interface IngestRequest {
  collection: Collection;
  document: IndexedDocument;
  /** Output of a parser; null for an engine with `doc_parsing`, which reads `content` itself. */
  parsed: ParsedDocument | null;
  /** The file as it was uploaded. */
  content: () => AsyncIterable<Uint8Array>;
  /** Tells how far it is, in chunks. */
  progress(stage: 'chunking' | 'embedding', done: number, total: number): void;
  signal: AbortSignal;
}

export interface RetrieveRequest {
  collection: Collection;
  query: string;
  /** Of the engine's `retrievalSchema`, complete, secrets in the clear. `top_k` is always there. */
  settings: Record<string, unknown> & { top_k: number };
  filters: readonly RetrievalFilter[];
  signal: AbortSignal;
  /** Recorded with model calls; absent for queries without a message. */
  asked_by?: { session_id: string; message_uuid: string };
}

/** Services for an engine. */
export interface KnowledgeEngineContext {
  /**
   * Turns texts into vectors: in batches, several at once, again after failures that pass, and not at all where the
   * same text was turned into one before.
   * @returns as many as texts, in their order, all of one length
   * @throws ParleyError `model_not_configured` or why the provider failed
   */
  embed(
    modelUuid: string,
    texts: readonly string[],
    options: {
      knowledge_base_uuid: string;
      /** `query` for search queries, `document` for stored texts. */
      purpose: 'document' | 'query';
      signal: AbortSignal;
      asked_by?: RetrieveRequest['asked_by'];
    },
  ): Promise<Float32Array[]>;
  /**
   * Orders texts by how well they answer a question.
   * @returns best first, each index once, perhaps not all
   * @throws ParleyError `model_not_configured` or why the provider failed
   */
  rerank(
    modelUuid: string,
    query: string,
    texts: readonly string[],
    options: { limit: number; signal: AbortSignal },
  ): Promise<{ index: number; score: number }[]>;
  /** The guarded HTTP client, for addresses that an administrator saved; an engine uses no other. */
  fetch: typeof globalThis.fetch;
  logger: Logger;
}

/**
 * `doc_ingestion`: documents can be attached; without it the engine only queries an external store.
 * `doc_parsing`: reads files itself, so that no parser is needed.
 */
export type KnowledgeEngineCapability = 'doc_ingestion' | 'doc_parsing';

/** Stores documents and finds passages in them. One folder under `engines/`, or a plugin. */
export interface KnowledgeEngine {
  /** `author/name`; those that come with the service have the author `parley`. */
  plugin_id: string;
  name: I18nText;
  description: I18nText;
  capabilities: readonly KnowledgeEngineCapability[];
  /** Settings of a collection: changing them builds a new collection. */
  creationSchema: TObject;
  /** Settings of a query. Has `top_k`. */
  retrievalSchema: TObject;
  /**
   * Prepares a collection; idempotent.
   * @throws ParleyError when it fails, for example because a URL does not respond
   */
  open(collection: Collection, context: KnowledgeEngineContext): Promise<void>;
  /** Removes a collection with everything in it; nothing happens when there is none. */
  drop(collection: Collection, context: KnowledgeEngineContext): Promise<void>;
  /**
   * Stores a document; one with the same id is replaced atomically at the end. A failed or aborted call leaves nothing
   * behind. Present with `doc_ingestion`.
   * @throws ParleyError with the reason; the signal's reason when it is aborted
   */
  ingest?(request: IngestRequest, context: KnowledgeEngineContext): Promise<{ chunks: number }>;
  /** Removes a document; nothing happens when it is not there. Present with `doc_ingestion`. */
  remove?(collection: Collection, documentId: string, context: KnowledgeEngineContext): Promise<void>;
  /**
   * @returns at most `top_k` passages, best first
   * @throws ParleyError with the reason, the signal's reason when it is aborted
   */
  retrieve(request: RetrieveRequest, context: KnowledgeEngineContext): Promise<RetrievedPassage[]>;
}
