import { type ErrorDetail, invalidFields, type KnowledgeEngine, ParleyError, problemError } from '@parley/sdk';
import type { StoredChunk } from '@parley/sdk/internal';
import { now } from '../../lib/clock.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { StoredFile } from '../files/file.ts';
import type { FileService } from '../files/file-service.ts';
import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import type { ChunkStore } from './chunk-store.ts';
import type { CollectionStore } from './collection-store.ts';
import {
  type AttachDocument,
  type AttachedDocuments,
  type DocumentFilter,
  type DocumentStage,
  documentStates,
  type KnowledgeDocument,
  type SkippedFile,
} from './document.ts';
import type { DocumentParsers, PackedFile } from './document-parsers.ts';
import type { DocumentQueue } from './document-queue.ts';
import type { DocumentRefusal, DocumentStore } from './document-store.ts';
import type { DocumentTasks } from './document-tasks.ts';
import type { EngineCatalog } from './engine-catalog.ts';
import { existingBase, noBase } from './existing-base.ts';
import type { StoredCollection, StoredKnowledgeBase } from './knowledge-base.ts';
import type { KnowledgeBaseStore } from './knowledge-base-store.ts';
import { type KnowledgeEngines, noDocuments } from './knowledge-engines.ts';
import type { RecordPage } from './record-page.ts';

/** A document whose original is to be shown. */
export interface DocumentContent {
  file_name: string;
  media_type: string;
  /** Bytes. */
  size: number;
  content: AsyncIterable<Uint8Array>;
}

export interface DocumentServiceOptions {
  bases: Pick<KnowledgeBaseStore, 'byUuid'>;
  collections: Pick<CollectionStore, 'byId' | 'list'>;
  catalog: EngineCatalog;
  engines: Pick<KnowledgeEngines, 'engine' | 'remove'>;
  parsers: Pick<DocumentParsers, 'parserFor' | 'unpack'>;
  files: Pick<FileService, 'document' | 'discard' | 'storeDocument'>;
  chunks: Pick<ChunkStore, 'list'>;
  queue: Pick<DocumentQueue, 'without' | 'wake'>;
  tasks: Pick<DocumentTasks, 'number' | 'ended'>;
  /** Called after documents or files were deleted. */
  removed: () => void;
}

/** Data shared by all documents of one request. */
interface Attachment {
  base: StoredKnowledgeBase;
  engine: KnowledgeEngine;
  parser_plugin_id: string | null;
  metadata: KnowledgeDocument['metadata'];
  allowDuplicate: boolean;
}

/** Documents of a page without a limit. */
export const maximumListed = 10_000;
const inProgress: readonly DocumentStage[] = documentStates.in_progress;
/** Names that filters know as something else. */
const ownFields = new Set(['file_id', 'document_id', 'file_name', 'extension', 'media_type', 'created_at', 'page']);

/** The documents of knowledge bases. A document of another base is not found. */
export class DocumentService {
  readonly #store: DocumentStore;
  readonly #options: DocumentServiceOptions;

  constructor(store: DocumentStore, options: DocumentServiceOptions) {
    this.#store = store;
    this.#options = options;
  }

  /**
   * Attaches an upload, or the files in it when it is a ZIP archive. For a file that is attached already, returns its
   * document and task.
   * @throws ParleyError `not_found` when there is no such base or upload, `invalid_request` for an unknown parser,
   * `document_type_unsupported`, `duplicate_document` with the document that has the same content in `details`,
   * `conflict` when the engine takes no documents, and errors of unpacking an archive
   */
  async attach(baseUuid: string, request: AttachDocument): Promise<AttachedDocuments> {
    const attachment = await this.#attachment(baseUuid, request);
    const file = await this.#options.files.document(request.file_id);
    if (file === null) throw problemError('file_not_found', { file: request.file_id });
    const attached = this.#isArchive(file, attachment)
      ? await this.#attachPacked(file, attachment)
      : { documents: [await this.#attachOne(file, attachment)], skipped: [] };
    const documents: (KnowledgeDocument & { task_id: number })[] = [];
    for (const document of attached.documents) {
      documents.push({ ...document, task_id: await this.#options.tasks.number(document) });
    }
    this.#options.queue.wake();
    const task_ids = documents.map(({ task_id }) => task_id);
    // There is at least one document.
    return { task_id: task_ids[0] as number, task_ids, documents, skipped: attached.skipped };
  }

  /** Oldest first. */
  async list(baseUuid: string, { limit = maximumListed, after }: RecordPage = {}): Promise<KnowledgeDocument[]> {
    const base = await this.#base(baseUuid);
    return this.#store.page(base.uuid, { limit, after: after ?? null });
  }

  async listed(baseUuid: string, listing: RecordListing & DocumentFilter): Promise<ListedRecords<KnowledgeDocument>> {
    return this.#store.listed((await this.#base(baseUuid)).uuid, listing);
  }

  /** Documents of all bases. */
  found(listing: RecordListing): Promise<ListedRecords<KnowledgeDocument>> {
    return this.#store.listed(null, listing);
  }

  /** All matches, by uuid. */
  async names(baseUuid: string, listing: RecordListing & DocumentFilter): Promise<NamedRecord[]> {
    return this.#store.names((await this.#base(baseUuid)).uuid, listing);
  }

  /** @throws ParleyError `not_found`, as every method that takes a uuid */
  async get(baseUuid: string, uuid: string): Promise<KnowledgeDocument> {
    const base = await this.#base(baseUuid);
    const document = isUuid(uuid) ? await this.#store.byUuid(uuid.toLowerCase()) : null;
    if (document?.knowledge_base_uuid !== base.uuid) throw problemError('document_not_found');
    return document;
  }

  /** Removes a document with its chunks, and its upload when no other document needs it. */
  async remove(baseUuid: string, uuid: string): Promise<void> {
    const document = await this.get(baseUuid, uuid);
    await this.#options.queue.without(document.uuid, 'remove', async () => {
      // Recorded first: runs of other replicas are outdated, and an interrupted removal is re-indexed or removed by the next request.
      await this.#store.beginRemoval(document.uuid, now());
      for (const collection of await this.#collections(document)) await this.#removeFrom(collection, document);
      await this.#store.delete(document.uuid);
    });
    this.#options.tasks.ended({ uuid: document.uuid, stage: 'gone' });
    this.#options.removed();
  }

  /** Retries a document that failed or was cancelled. @throws ParleyError `conflict` when it did not */
  async retry(baseUuid: string, uuid: string): Promise<{ task_id: number; document: KnowledgeDocument }> {
    const { uuid: known } = await this.get(baseUuid, uuid);
    const document = await this.#store.move(known, ['failed', 'cancelled'], { stage: 'queued' }, now());
    if (document === null) throw problemError('document_not_failed');
    return this.#queued(document);
  }

  /**
   * Re-indexes a document. The old edition stays searchable until the new one is complete.
   * @throws ParleyError `conflict` while it is in progress
   */
  async reindex(baseUuid: string, uuid: string): Promise<{ task_id: number; document: KnowledgeDocument }> {
    const { uuid: known, stage } = await this.get(baseUuid, uuid);
    const { collection_id: searched } = await this.#base(baseUuid);
    const moved = inProgress.includes(stage)
      ? null
      : await this.#options.queue.without(known, 'stop', async () => {
          const document = await this.#store.move(known, ['ready', 'failed', 'cancelled'], { stage: 'queued' }, now());
          if (document !== null) await this.#store.forgetBeside(known, searched);
          return document;
        });
    if (moved === null) throw problemError('document_in_progress');
    return this.#queued(moved);
  }

  /** Cancels a document in progress. @throws ParleyError `conflict` when it is not */
  async cancel(baseUuid: string, uuid: string): Promise<KnowledgeDocument> {
    const { uuid: known, stage } = await this.get(baseUuid, uuid);
    if (!inProgress.includes(stage)) throw problemError('document_not_in_progress');
    await this.#cancel(known);
    return this.get(baseUuid, known);
  }

  /** Cancels a document whose task was cancelled; a no-op when it has ended. */
  async cancelTask(uuid: string): Promise<void> {
    await this.#cancel(uuid);
  }

  /** The stored chunks of a document, in order; empty if the engine stores them elsewhere. */
  async chunks(
    baseUuid: string,
    uuid: string,
    page: { from: number; limit: number },
  ): Promise<{ chunks: StoredChunk[]; total: number }> {
    const document = await this.get(baseUuid, uuid);
    const { collection_id } = await this.#base(baseUuid);
    const chunks = await this.#options.chunks.list(collection_id, document.uuid, page);
    return { chunks, total: document.chunk_count };
  }

  /** The original. */
  async content(baseUuid: string, uuid: string): Promise<DocumentContent> {
    const { file_uuid, file_name, media_type, size } = await this.get(baseUuid, uuid);
    const file = await this.#options.files.document(file_uuid);
    if (file === null) throw problemError('document_original_gone');
    return { file_name, media_type, size, content: file.content };
  }

  async #attachment(baseUuid: string, request: AttachDocument): Promise<Attachment> {
    const base = await this.#base(baseUuid);
    const engine = this.#options.engines.engine(base);
    if (!engine.capabilities.includes('doc_ingestion') || engine.ingest === undefined) throw noDocuments(engine);
    const parser_plugin_id = request.parser_plugin_id || null;
    if (parser_plugin_id !== null && this.#options.catalog.findParser(parser_plugin_id) === null) {
      const message = `names no parser: ${parser_plugin_id}`;
      throw invalidFields([{ path: 'parser_plugin_id', message, rule: 'missing' }]);
    }
    const metadata = request.metadata ?? {};
    const own = Object.keys(metadata).filter((name) => ownFields.has(name));
    if (own.length > 0) {
      throw invalidFields(
        own.map((name) => ({
          path: `metadata.${name}`,
          message: 'is a field that every document has',
          rule: 'reserved',
        })),
      );
    }
    return { base, engine, parser_plugin_id, metadata, allowDuplicate: request.allow_duplicate ?? false };
  }

  #isArchive(file: StoredFile, { parser_plugin_id }: Attachment): boolean {
    const [extension, { media_type }] = [extensionOf(file.name), file];
    if (extension !== 'zip' && media_type !== archiveType) return false;
    const named = parser_plugin_id === null ? null : this.#options.catalog.findParser(parser_plugin_id);
    if (named !== null) return !named.extensions.includes('zip') && !named.media_types.includes(archiveType);
    return this.#options.parsers.parserFor({ extension, media_type }) === null;
  }

  async #attachOne(file: StoredFile, attachment: Attachment): Promise<KnowledgeDocument> {
    const document = newDocument(file, attachment);
    this.#requireParser(document, attachment.engine);
    const refusal = await this.#store.create(document, attachment.allowDuplicate);
    if (refusal?.reason === 'same_file') return refusal.document;
    if (refusal?.reason === 'same_content' && refusal.document.parser_plugin_id === document.parser_plugin_id) {
      // A failed document with this content is in the way of its own second attempt.
      const retried = await this.#store.move(refusal.document.uuid, documentStates.failed, { stage: 'queued' }, now());
      if (retried !== null) return retried;
    }
    if (refusal !== null) throw refused(refusal, file);
    return document;
  }

  /** Each file becomes a separate upload, and the archive is deleted. */
  async #attachPacked(archive: StoredFile & { content: AsyncIterable<Uint8Array> }, attachment: Attachment) {
    const { signal } = new AbortController();
    const packed = await this.#options.parsers.unpack(await wholeOf(archive), { signal });
    const documents: KnowledgeDocument[] = [];
    const skipped: SkippedFile[] = [];
    for (const file of packed) {
      try {
        documents.push(await this.#attachNew(file, attachment));
      } catch (error) {
        if (!(error instanceof ParleyError) || !ownFaults.has(error.reason)) throw error;
        const [detail] = error.details ?? [];
        const document_uuid = detail?.path.replace(documentPath, '') ?? null;
        skipped.push({ file_name: file.name, reason: error.reason, message: error.message, document_uuid });
      }
    }
    if (documents.length === 0) throw nothingNew(skipped);
    await this.#options.files.discard(archive.uuid);
    this.#options.removed();
    return { documents, skipped };
  }

  async #attachNew({ name, bytes }: PackedFile, attachment: Attachment): Promise<KnowledgeDocument> {
    const { files } = this.#options;
    const uuid = await files.storeDocument(name, once(bytes), async () => undefined);
    try {
      const file = await files.document(uuid);
      if (file === null) throw problemError('file_not_found', { file: uuid });
      return await this.#attachOne(file, attachment);
    } catch (error) {
      await files.discard(uuid);
      this.#options.removed();
      throw error;
    }
  }

  #requireParser(
    { extension, media_type, file_name, parser_plugin_id }: KnowledgeDocument,
    engine: KnowledgeEngine,
  ): void {
    if (parser_plugin_id !== null || engine.capabilities.includes('doc_parsing')) return;
    if (this.#options.parsers.parserFor({ extension, media_type }) !== null) return;
    throw new ParleyError('document_type_unsupported', `No parser reads ${file_name} (${media_type})`);
  }

  async #queued(document: KnowledgeDocument): Promise<{ task_id: number; document: KnowledgeDocument }> {
    const task_id = await this.#options.tasks.number(document);
    this.#options.queue.wake();
    return { task_id, document: { ...document, task_id } };
  }

  async #cancel(uuid: string): Promise<void> {
    // What runs here has ended by then; what runs in another replica notices.
    const document = await this.#options.queue.without(uuid, 'cancel', () =>
      this.#store.move(uuid, inProgress, { stage: 'cancelled' }, now()),
    );
    if (document !== null) this.#options.tasks.ended(document);
  }

  async #removeFrom(collection: StoredCollection, document: KnowledgeDocument): Promise<void> {
    try {
      await this.#options.engines.remove(collection, document.uuid);
    } catch (error) {
      // It is no longer marked as indexed, which is safe.
      const { reason, message } = error instanceof ParleyError ? error : { reason: 'internal' as const, message: '' };
      const failure = { stage: 'failed', reason, error: `It could not be removed: ${message}` } as const;
      await this.#store.move(document.uuid, [...inProgress, 'ready', 'failed', 'cancelled'], failure, now());
      throw error;
    }
  }

  /** All collections that may contain parts of a document. */
  async #collections({ knowledge_base_uuid }: KnowledgeDocument): Promise<StoredCollection[]> {
    const { collections } = this.#options;
    const there = (await collections.list(knowledge_base_uuid)).filter(({ state }) => state !== 'dropping');
    const stored = await Promise.all(there.map(({ collection_id }) => collections.byId(collection_id)));
    return stored.filter((collection) => collection !== null);
  }

  #base(uuid: string): Promise<StoredKnowledgeBase> {
    return existingBase(this.#options.bases, uuid);
  }
}

const archiveType = 'application/zip';
const documentPath = 'documents/';
/** Why one file of an archive cannot be attached; the other files are unaffected. */
const ownFaults = new Set(['duplicate_document', 'empty_file', 'too_large', 'document_type_unsupported']);

function newDocument(file: StoredFile, { base, parser_plugin_id, metadata }: Attachment): KnowledgeDocument {
  const timestamp = now();
  return {
    uuid: newUuid(),
    knowledge_base_uuid: base.uuid,
    file_uuid: file.uuid,
    file_name: file.name,
    extension: extensionOf(file.name),
    media_type: file.media_type,
    size: file.size,
    sha256: file.sha256,
    parser_plugin_id,
    metadata,
    stage: 'queued',
    done: 0,
    total: 0,
    reason: null,
    error: null,
    warnings: [],
    title: null,
    page_kind: null,
    pages: [],
    chunk_count: 0,
    attempts: 0,
    task_id: null,
    created_at: timestamp,
    updated_at: timestamp,
    finished_at: null,
  };
}

/** In lower case, without its dot; empty when there is none. */
function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

function refused(refusal: DocumentRefusal, file: StoredFile): ParleyError {
  if (!('document' in refusal)) {
    return refusal.reason === 'no_base' ? noBase() : problemError('file_not_found', { file: file.uuid });
  }
  const { uuid, file_name } = refusal.document;
  return new ParleyError('duplicate_document', `The knowledge base holds the same content as ${file_name}`, {
    details: [{ path: documentPath + uuid, message: file_name }],
  });
}

function nothingNew(skipped: readonly SkippedFile[]): ParleyError {
  const details: ErrorDetail[] = skipped.slice(0, 20).map(({ document_uuid, file_name, message }) => ({
    path: document_uuid === null ? file_name : documentPath + document_uuid,
    message,
  }));
  const [first] = skipped;
  const isAllThere = skipped.every(({ reason }) => reason === 'duplicate_document');
  const message = isAllThere
    ? 'The knowledge base holds all files of the archive'
    : 'No file of the archive can be added';
  return new ParleyError(first?.reason ?? 'document_empty', message, { details });
}

async function wholeOf({ content, size }: StoredFile & { content: AsyncIterable<Uint8Array> }): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let place = 0;
  for await (const piece of content) {
    if (place + piece.byteLength > size) break;
    bytes.set(piece, place);
    place += piece.byteLength;
  }
  return bytes;
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
