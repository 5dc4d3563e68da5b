import { type IndexedDocument, ParleyError } from '@parley/sdk';
import type { NewChunk } from '@parley/sdk/internal';
import { weighted } from '../../../lib/bm25.ts';
import { termsOf } from '../../../lib/search-terms/search-terms.ts';
import type { ChunkEntry } from './chunk-table.ts';
import type { Collection } from './collection.ts';
import { editionState } from './collection-tables.ts';
import { bytesOf, type KnowledgeFile } from './knowledge-file.ts';
import { checkDimensions, normalised } from './search-by-vector.ts';
import { wordsFor, writeSignCode } from './sign-codes.ts';
import { type Pieces, pieceMs } from './work-queue.ts';

/** Names of editions: decimal numbers without leading zeros. */
const numberPattern = /^[1-9][0-9]{0,14}$/;

/** @returns null when the text names no edition and no chunk that could be there */
export function numberOf(name: string): number | null {
  return numberPattern.test(name) ? Number(name) : null;
}

/** Writes chunks of editions that are not published. */
export class EditionWriter {
  readonly #file: KnowledgeFile;
  readonly #collection: Collection;

  constructor(file: KnowledgeFile, collection: Collection) {
    this.#file = file;
    this.#collection = collection;
  }

  /** @returns the number of the edition */
  begin(document: IndexedDocument): number {
    const { table } = this.#collection;
    const { id } = this.#file.run(
      `insert into editions_${this.#collection.number} (document_id, state, document) values (?, ?, ?)`,
      document.document_id,
      editionState.written,
      JSON.stringify(document),
    );
    table.addEdition(id, false);
    return id;
  }

  /**
   * Adds chunks in steps, each within a transaction. All are checked before the first is written.
   * @throws ParleyError as `ChunkIndex.add`
   */
  *add(edition: string, chunks: readonly NewChunk[]): Pieces<void> {
    const number = numberOf(edition);
    this.#documentOf(number);
    const vectors = this.#checked(chunks);
    let next = 0;
    while (next < chunks.length) {
      // It may have been removed since the last step.
      const document = this.#documentOf(number);
      // Null is refused above.
      const added = this.#piece(number as number, document, chunks.slice(next), vectors.slice(next));
      next += added;
      yield;
    }
  }

  /** @throws ParleyError `not_found` */
  publish(edition: string): void {
    const collection = this.#collection;
    const number = numberOf(edition);
    const { document_id } = this.#documentOf(number, [editionState.written, editionState.published]);
    const before = this.#file.transaction(() => {
      const shown = this.#file.all<[number]>(
        `select number from editions_${collection.number} where document_id = ? and state = ? and number <> ?`,
        document_id,
        editionState.published,
        number,
      );
      for (const [old] of shown) this.#setState(old, editionState.removed);
      // Null is refused above.
      this.#setState(number as number, editionState.published);
      return shown;
    });
    const { table } = collection;
    for (const [old] of before) table.removeEdition(old);
    // Null is refused above.
    table.show(number as number);
    collection.changed();
  }

  /** Hides editions and marks them as removed. */
  remove(editions: readonly number[]): void {
    if (editions.length === 0) return;
    this.#file.transaction(() => {
      for (const number of editions) this.#setState(number, editionState.removed);
    });
    // Read the current state unless it is in memory.
    if (this.#collection.isLoaded) for (const number of editions) this.#collection.table.removeEdition(number);
    this.#collection.changed();
  }

  #setState(edition: number, state: number): void {
    this.#file.run(`update editions_${this.#collection.number} set state = ? where number = ?`, state, edition);
  }

  /** @throws ParleyError `not_found` when there is no such edition, or it is in another state */
  #documentOf(edition: number | null, states: readonly number[] = [editionState.written]): IndexedDocument {
    const row =
      edition === null || this.#collection.isDropped
        ? undefined
        : this.#file.get<[number, string]>(
            `select state, document from editions_${this.#collection.number} where number = ?`,
            edition,
          );
    if (row === undefined || !states.includes(row[0])) {
      throw new ParleyError('not_found', 'The document was removed while it was being indexed');
    }
    return JSON.parse(row[1]) as IndexedDocument;
  }

  /** @returns vectors of length 1 */
  #checked(chunks: readonly NewChunk[]): (Float32Array | null)[] {
    let { dimensions } = this.#collection;
    return chunks.map(({ vector }) => {
      if (vector === null) return null;
      dimensions ??= vector.length;
      checkDimensions(vector, dimensions);
      return normalised(vector);
    });
  }

  /** @returns how many were written */
  #piece(
    edition: number,
    document: IndexedDocument,
    chunks: readonly NewChunk[],
    vectors: readonly (Float32Array | null)[],
  ): number {
    const collection = this.#collection;
    const { language, centre } = collection;
    const titleTerms = termsOf(document.title ?? '', language);
    const written: { entry: ChunkEntry; code: Int32Array | null }[] = [];
    let dimensions = collection.dimensions;
    this.#file.transaction(() => {
      const until = performance.now() + pieceMs;
      for (const [index, chunk] of chunks.entries()) {
        if (index > 0 && performance.now() >= until) break;
        const vector = vectors[index] ?? null;
        if (vector !== null && dimensions === null) {
          dimensions = vector.length;
          collection.saveDimensions(dimensions);
        }
        const code = vector !== null && centre !== null ? codeOf(vector, centre) : null;
        written.push({ entry: this.#insert(edition, chunk, titleTerms, vector, code), code });
      }
      this.#file.run(
        `update editions_${collection.number} set chunks = chunks + ? where number = ?`,
        written.length,
        edition,
      );
    });
    // Reading the table now would include the rows just written.
    const isLoaded = collection.isLoaded;
    if (dimensions !== null) collection.settled(dimensions);
    if (isLoaded) {
      for (const { entry, code } of written) {
        const slot = collection.table.append(entry);
        if (code !== null) collection.table.setCode(slot, code);
      }
    }
    return written.length;
  }

  #insert(
    edition: number,
    chunk: NewChunk,
    titleTerms: readonly string[],
    vector: Float32Array | null,
    code: Int32Array | null,
  ): ChunkEntry {
    const { number, language } = this.#collection;
    const file = this.#file;
    const { page, page_end: pageEnd } = chunk;
    const headingTerms = termsOf(chunk.heading_path.join('\n'), language);
    const bodyTerms = termsOf(chunk.text, language);
    const { id } = file.run(
      `insert into chunks_${number} (edition, position, page, page_end, title_terms, heading_terms, body_terms,
         has_vector, heading_path, start, "end", text) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      edition,
      chunk.position,
      page,
      pageEnd,
      titleTerms.length,
      headingTerms.length,
      bodyTerms.length,
      vector === null ? 0 : 1,
      JSON.stringify(chunk.heading_path),
      chunk.start,
      chunk.end,
      chunk.text,
    );
    file.run(
      `insert into terms_${number} (rowid, title, headings, body) values (?, ?, ?, ?)`,
      id,
      titleTerms.join(' '),
      headingTerms.join(' '),
      bodyTerms.join(' '),
    );
    if (vector !== null) file.run(`insert into vectors_${number} (id, vector) values (?, ?)`, id, bytesOf(vector));
    if (code !== null) file.run(`insert into codes_${number} (id, code) values (?, ?)`, id, bytesOf(code));
    const length = weighted({ title: titleTerms.length, headings: headingTerms.length, body: bodyTerms.length });
    return { id, edition, length, page, pageEnd, hasVector: vector !== null };
  }
}

export function codeOf(vector: Float32Array, centre: Float32Array): Int32Array {
  const code = new Int32Array(wordsFor(vector.length));
  writeSignCode(vector, centre, code, 0);
  return code;
}
