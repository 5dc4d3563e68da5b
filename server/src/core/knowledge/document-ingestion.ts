import { setTimeout as pause } from 'node:timers/promises';
import { type IndexedDocument, type Logger, ParleyError, type ParsedDocument, type Reason } from '@parley/sdk';
import pRetry from 'p-retry';
import type { FileService } from '../files/file-service.ts';
import type { CollectionStore } from './collection-store.ts';
import type { KnowledgeDocument } from './document.ts';
import { contentOf, wholeOf } from './document-content.ts';
import type { DocumentParsers } from './document-parsers.ts';
import type { DocumentWork } from './document-store.ts';
import type { EngineCatalog } from './engine-catalog.ts';
import type { KnowledgeEngines } from './knowledge-engines.ts';

/** Notified while a document is read and stored. */
export interface IngestionReport {
  stage(stage: 'parsing' | 'chunking' | 'embedding', done: number, total: number): void;
  /** What reading it found. */
  parsed(document: ParsedDocument): void;
  /** A temporary failure; it is retried after a pause. */
  again(error: ParleyError, milliseconds: number): void;
}

/** Retries after temporary failures, and the first pause; each pause is four times the one before. */
export interface RetryTiming {
  retries: number;
  milliseconds: number;
}

export interface DocumentIngestionOptions {
  catalog: EngineCatalog;
  engines: KnowledgeEngines;
  parsers: DocumentParsers;
  collections: Pick<CollectionStore, 'byId'>;
  files: Pick<FileService, 'document'>;
  logger: Logger;
  /** Default 3 and 2000. */
  retry?: RetryTiming;
}

const defaultRetry: RetryTiming = { retries: 3, milliseconds: 2000 };
/** Longest retry delay of a provider that is honoured here, milliseconds. */
const longestWish = 60_000;

/** Temporary failures, which may resolve without any action. */
const passing: ReadonlySet<Reason> = new Set([
  'provider_failed',
  'provider_timeout',
  'provider_unreachable',
  'rate_limited',
  'too_many_requests',
  'engine_failed',
  'storage_unavailable',
]);

/** Reads a document and has its engine store it. */
export class DocumentIngestion {
  readonly #options: DocumentIngestionOptions;

  constructor(options: DocumentIngestionOptions) {
    this.#options = options;
  }

  /**
   * @returns how many chunks were stored
   * @throws ParleyError with the reason; the signal's reason when it is aborted
   */
  async run(
    { document, collection_id }: DocumentWork,
    { signal, report }: { signal: AbortSignal; report: IngestionReport },
  ): Promise<number> {
    const { engines, collections, files } = this.#options;
    const collection = await collections.byId(collection_id);
    if (collection === null) throw new ParleyError('not_found', 'The collection is gone');
    const isReadByEngine = engines.engine(collection).capabilities.includes('doc_parsing');
    const parsed =
      isReadByEngine && document.parser_plugin_id === null ? null : await this.#parse(document, signal, report);
    const request = {
      document: indexed(document, parsed),
      parsed,
      content: () => contentOf(files, document),
      progress: (stage: 'chunking' | 'embedding', done: number, total: number) => report.stage(stage, done, total),
      signal,
    };
    const { chunks } = await this.#patiently(signal, report, () => engines.ingest(collection, request));
    return chunks;
  }

  /** Removes what an outdated run may have stored, where its collection is still used. Failures are logged. */
  async remove({ document, collection_id }: DocumentWork): Promise<void> {
    const { engines, collections, logger } = this.#options;
    try {
      const collection = await collections.byId(collection_id);
      if (collection === null || collection.state === 'dropping') return;
      await engines.remove(collection, document.uuid);
    } catch (error) {
      logger.error({ document: document.uuid, collection_id, error }, 'failed to remove what an outdated run stored');
    }
  }

  async #parse(document: KnowledgeDocument, signal: AbortSignal, report: IngestionReport): Promise<ParsedDocument> {
    const { parsers, files } = this.#options;
    const { file_name: name, extension, media_type } = document;
    report.stage('parsing', 0, 0);
    const parser = this.#parserOf(document);
    const read = () => wholeOf(contentOf(files, document), document.size);
    const bytes = await this.#patiently(signal, report, read);
    signal.throwIfAborted();
    const progress = (done: number, total: number) => report.stage('parsing', done, total);
    const parsed = await parsers.parse(parser, { name, extension, media_type, bytes }, { signal, progress });
    report.parsed(parsed);
    if (parsed.blocks.length === 0) throw new ParleyError('document_empty', emptiness(parsed));
    return parsed;
  }

  #parserOf({ parser_plugin_id: named, extension, media_type }: KnowledgeDocument) {
    const { catalog, parsers } = this.#options;
    const parser = named === null ? parsers.parserFor({ extension, media_type }) : catalog.findParser(named);
    if (parser !== null) return parser;
    const message =
      named === null ? `No parser reads files of the type ${media_type}` : `The parser ${named} is not installed`;
    throw new ParleyError('document_type_unsupported', message);
  }

  #patiently<Result>(signal: AbortSignal, report: IngestionReport, work: () => Promise<Result>): Promise<Result> {
    const { retries, milliseconds } = this.#options.retry ?? defaultRetry;
    return pRetry(work, {
      retries,
      signal,
      factor: 4,
      minTimeout: milliseconds,
      shouldRetry: ({ error }) => error instanceof ParleyError && passing.has(error.reason) && !signal.aborted,
      onFailedAttempt: async ({ error, retriesLeft, retryDelay }) => {
        const isPassing = error instanceof ParleyError && passing.has(error.reason) && !signal.aborted;
        if (!isPassing || retriesLeft === 0) return;
        const wish = Math.min((error.retryAfterSeconds ?? 0) * 1000, longestWish);
        report.again(error, wish + retryDelay);
        if (wish > 0) await pause(wish, undefined, { signal });
      },
    });
  }
}

function indexed(document: KnowledgeDocument, parsed: ParsedDocument | null): IndexedDocument {
  const { uuid, file_uuid, file_name, extension, media_type, created_at, metadata } = document;
  return {
    document_id: uuid,
    file_id: file_uuid,
    file_name,
    extension,
    media_type,
    created_at,
    metadata,
    title: parsed?.title ?? null,
  };
}

function emptiness({ pages }: ParsedDocument): string {
  const note = pages.find((page) => page.note !== undefined)?.note;
  return note === undefined ? 'No text was found in the file' : `No text was found in the file: ${note}`;
}
