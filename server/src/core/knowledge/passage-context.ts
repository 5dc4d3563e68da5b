import { betweenBlocks } from '@parley/sdk';
import type { StoredChunk } from '@parley/sdk/internal';
import { isUuid } from '../../lib/uuid.ts';
import type { ChunkStore } from './chunk-store.ts';
import type { KnowledgeDocument } from './document.ts';
import type { DocumentPageImages } from './document-page-images.ts';
import type { DocumentStore } from './document-store.ts';
import type { EngineCatalog } from './engine-catalog.ts';
import { existingBase } from './existing-base.ts';
import type { KnowledgeBaseStore } from './knowledge-base-store.ts';

/** A passage as it was found, at any time before. */
export interface FoundPassage {
  chunk_id: string;
  document_id: string;
  file_name: string;
  text: string;
  /** In the text of the document, UTF-16 code units. */
  start: number;
  end: number;
}

/** Where a passage stands today. */
export interface PassageContext {
  /**
   * `current`: the document has it as it was found. `reindexed`: the document has another text there now. `replaced`:
   * the document was deleted, and `document` has its name. `deleted`: the document is gone. `external`: the documents of
   * the knowledge base are elsewhere.
   */
  state: 'current' | 'reindexed' | 'replaced' | 'deleted' | 'external';
  document: (Pick<KnowledgeDocument, 'uuid' | 'file_name' | 'created_at'> & { shows_pages: boolean }) | null;
  /** The text around it; empty unless it is `current`, and where the document begins or ends. */
  before: string;
  after: string;
}

export interface PassageContextsOptions {
  bases: Pick<KnowledgeBaseStore, 'byUuid'>;
  documents: Pick<DocumentStore, 'byUuid' | 'latestNamed'>;
  catalog: Pick<EngineCatalog, 'find'>;
  chunks: Pick<ChunkStore, 'list'>;
  pages: Pick<DocumentPageImages, 'areShown'>;
}

/** Characters of the text before and after a passage, and of a word that is not cut. */
const contextLength = 700;
const longestWord = 40;
/** Most chunks that a passage and the text around it are in. */
const mostChunks = 100;

/** Shows passages that were found earlier in their documents. */
export class PassageContexts {
  readonly #options: PassageContextsOptions;

  constructor(options: PassageContextsOptions) {
    this.#options = options;
  }

  /** @throws ParleyError `not_found` when there is no such base */
  async of(baseUuid: string, passage: FoundPassage): Promise<PassageContext> {
    const { bases, documents, catalog } = this.#options;
    const base = await existingBase(bases, baseUuid);
    const known = isUuid(passage.document_id) ? await documents.byUuid(passage.document_id.toLowerCase()) : null;
    if (known?.knowledge_base_uuid === base.uuid) return this.#inDocument(base.collection_id, known, passage);
    const engine = catalog.find(base.knowledge_engine_plugin_id);
    if (engine?.capabilities.includes('doc_ingestion') !== true) return without('external');
    const replacement = await documents.latestNamed(base.uuid, passage.file_name);
    return replacement === null ? without('deleted') : { ...without('replaced'), document: this.#shown(replacement) };
  }

  async #inDocument(collectionId: string, document: KnowledgeDocument, passage: FoundPassage): Promise<PassageContext> {
    const { start, end } = passage;
    const [from, to] = [Math.max(0, start - contextLength - longestWord), end + contextLength + longestWord];
    const chunks = await this.#chunksFrom(collectionId, document, from);
    const isCurrent = chunks.some(({ id }) => id === passage.chunk_id) || isSame(passage, textOf(chunks, start, end));
    const shown = { ...without(isCurrent ? 'current' : 'reindexed'), document: this.#shown(document) };
    if (!isCurrent) return shown;
    return {
      ...shown,
      before: lastWords(textOf(chunks, from, start).trimStart()),
      after: firstWords(textOf(chunks, end, to).trimEnd()),
    };
  }

  #shown(document: KnowledgeDocument): PassageContext['document'] {
    const { uuid, file_name, created_at } = document;
    return { uuid, file_name, created_at, shows_pages: this.#options.pages.areShown(document) };
  }

  /** The chunks from a place in the text of a document on. */
  async #chunksFrom(collectionId: string, document: KnowledgeDocument, place: number): Promise<StoredChunk[]> {
    const list = (from: number, limit: number) =>
      this.#options.chunks.list(collectionId, document.uuid, { from, limit });
    let low = 0;
    let high = document.chunk_count;
    while (high - low > mostChunks / 4) {
      const middle = Math.floor((low + high) / 2);
      const [chunk] = await list(middle, 1);
      if (chunk === undefined || chunk.end > place) high = middle;
      else low = middle;
    }
    return list(low, mostChunks);
  }
}

function without(state: PassageContext['state']): PassageContext {
  return { state, document: null, before: '', after: '' };
}

/** Whether the text at the place of a passage is still its text, of which the end may not have been recorded. */
function isSame({ text }: FoundPassage, present: string): boolean {
  const recorded = text.endsWith('…') ? text.slice(0, -1) : text;
  return recorded !== '' && present.startsWith(recorded);
}

/** The text of a document from one place to another, as far as the chunks reach. */
function textOf(chunks: readonly StoredChunk[], from: number, to: number): string {
  let text = '';
  let at = from;
  for (const { text: content, start, end } of chunks) {
    if (end <= at || start >= to) continue;
    // A chunk that starts within a table is preceded by the head of the table.
    const head = Math.max(0, content.length - (end - start));
    const own = content.slice(head);
    text += spaceOf(start - at, head > 0) + own.slice(Math.max(0, at - start), to - start);
    at = end;
  }
  return text === '' ? '' : text + spaceOf(to - at);
}

/** The white space in no chunk: between two blocks, rows of a table or sentences. */
function spaceOf(length: number, isRow = false): string {
  if (length <= 0) return '';
  if (length > 1) return betweenBlocks;
  return isRow ? '\n' : ' ';
}

function lastWords(text: string): string {
  const cut = text.length - contextLength;
  if (cut <= 0) return text;
  const gap = text.slice(cut, cut + longestWord).search(/\s/);
  return `…${text.slice(cut + gap + 1).toWellFormed()}`;
}

function firstWords(text: string): string {
  if (text.length <= contextLength) return text;
  const gap = text.slice(contextLength - longestWord, contextLength).search(/\s\S*$/);
  return `${text.slice(0, gap < 0 ? contextLength : contextLength - longestWord + gap).toWellFormed()}…`;
}
