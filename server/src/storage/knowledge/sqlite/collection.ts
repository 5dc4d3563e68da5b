import type { IndexedDocument } from '@parley/sdk';
import type { ChunkSearch, StemmingLanguage } from '@parley/sdk/internal';
import { weighted } from '../../../lib/bm25.ts';
import { compileFilters, refuseUnknownFields } from '../filters.ts';
import { type Allowed, ChunkTable } from './chunk-table.ts';
import { editionState } from './collection-tables.ts';
import { bytesOf, floats, type KnowledgeFile } from './knowledge-file.ts';
import { TermFrequencies } from './search-by-words.ts';
import { wordsFor } from './sign-codes.ts';

/** Cached results of filters; a bot repeats the same ones. */
const maximumFilters = 16;

/** A collection with its data in memory. */
export class Collection {
  readonly id: string;
  readonly number: number;
  readonly language: StemmingLanguage;
  dimensions: number | null;
  /** The mean vector that codes are computed against; null while there are too few vectors. */
  centre: Float32Array | null;
  /** The collection has been dropped; work in steps must check this. */
  isDropped = false;
  /** Its codes are being computed. */
  isEncoding = false;
  readonly frequencies = new TermFrequencies();
  readonly #file: KnowledgeFile;
  readonly #filtered = new Map<string, Uint8Array>();
  #table: ChunkTable | null = null;

  constructor(file: KnowledgeFile, row: CollectionRow) {
    [this.number, this.id, this.language, this.dimensions] = row;
    this.centre = row[4] === null ? null : floats(row[4]).slice();
    this.#file = file;
  }

  get isLoaded(): boolean {
    return this.#table !== null;
  }

  /** Read from the file where it is not in memory. */
  get table(): ChunkTable {
    this.#table ??= this.#read();
    return this.#table;
  }

  /** Frees the memory; data is read again when needed. */
  unload(): void {
    this.#table = null;
    this.#filtered.clear();
  }

  /** Settles how long vectors are; to be called within a transaction, and `settled` after it. */
  saveDimensions(dimensions: number): void {
    this.#file.run('update collections set dimensions = ? where number = ?', dimensions, this.number);
  }

  settled(dimensions: number): void {
    if (this.dimensions !== null) return;
    this.dimensions = dimensions;
    this.#table?.setDimensions(dimensions);
  }

  setCentre(centre: Float32Array): void {
    this.#file.run('update collections set centre = ? where number = ?', bytesOf(centre), this.number);
    this.centre = centre;
  }

  /** Another edition is shown, or one no longer. */
  changed(): void {
    this.#filtered.clear();
  }

  /**
   * The chunks that a search may return.
   * @throws ParleyError `invalid_request`
   */
  allowed(filters: ChunkSearch['filters'] = []): Allowed {
    const compiled = compileFilters(filters);
    const pages = compiled.lookAtPages ? compiled.matchPages : null;
    const { visible } = this.table;
    if (!compiled.lookAtDocuments) return { editions: visible, pages };
    const key = JSON.stringify(filters);
    let editions = this.#filtered.get(key);
    if (editions === undefined) {
      editions = new Uint8Array(visible.length);
      const documents = this.#documents();
      refuseUnknownFields(
        compiled,
        documents.map(({ document }) => document),
      );
      for (const { number, document } of documents) {
        if (compiled.matchDocument(document)) editions[this.table.placeOf(number)] = 1;
      }
      if (this.#filtered.size >= maximumFilters) this.#filtered.clear();
      this.#filtered.set(key, editions);
    }
    return { editions, pages };
  }

  #documents(): { number: number; document: IndexedDocument }[] {
    return this.#file
      .all<[number, string]>(
        `select number, document from editions_${this.number} where state = ?`,
        editionState.published,
      )
      .map(([number, document]) => ({ number, document: JSON.parse(document) as IndexedDocument }));
  }

  #read(): ChunkTable {
    const table = new ChunkTable();
    const { number } = this;
    if (this.dimensions !== null) table.setDimensions(this.dimensions);
    const editions = this.#file.all<[number, number]>(`select number, state from editions_${number}`);
    for (const [edition, state] of editions) {
      if (state !== editionState.removed) table.addEdition(edition, state === editionState.published);
    }
    const rows = this.#file.iterate<EntryRow>(
      `select id, edition, page, page_end, title_terms, heading_terms, body_terms, has_vector
       from chunks_${number} indexed by chunks_${number}_entries where edition > 0 order by id`,
    );
    for (const [id, edition, page, pageEnd, title, headings, body, hasVector] of rows) {
      // Those of removed editions are on their way out.
      if (!table.hasEdition(edition)) continue;
      const length = weighted({ title, headings, body });
      table.append({ id, edition, length, page, pageEnd, hasVector: hasVector === 1 });
    }
    if (this.dimensions !== null && this.centre !== null) {
      const words = wordsFor(this.dimensions);
      let slot = 0;
      const codes = this.#file.iterate<[number, Uint8Array]>(`select id, code from codes_${number} order by id`);
      for (const [id, bytes] of codes) {
        const found = table.slotOf(id, slot);
        if (found === -1) continue;
        slot = found;
        const code = new Int32Array(bytes.slice().buffer);
        if (code.length === words) table.setCode(found, code);
      }
    }
    return table;
  }
}

export type CollectionRow = readonly [
  number: number,
  id: string,
  language: StemmingLanguage,
  dimensions: number | null,
  centre: Uint8Array | null,
];

type EntryRow = readonly [
  id: number,
  edition: number,
  page: number | null,
  pageEnd: number | null,
  title: number,
  headings: number,
  body: number,
  hasVector: number,
];

/** All collections that are there. */
export function readCollections(file: KnowledgeFile): Collection[] {
  return file
    .all<CollectionRow>(
      'select number, collection_id, language, dimensions, centre from collections where is_dropped = 0',
    )
    .map((row) => new Collection(file, row));
}
