import { countDifferences, wordsFor } from './sign-codes.ts';

// Indexes are below the lengths: with `as number`, reads of arrays cost no check.

/** A chunk in memory. */
export interface ChunkEntry {
  id: number;
  /** Number of the edition that it belongs to. */
  edition: number;
  /** Weighted number of its terms. */
  length: number;
  page: number | null;
  pageEnd: number | null;
  hasVector: boolean;
}

/** Which chunks a search may find: flags by the places of their editions, and a test of pages. */
export interface Allowed {
  editions: Uint8Array;
  /** Null when pages do not matter. */
  pages: ((page: number | null, pageEnd: number | null) => boolean) | null;
}

const noVector = 0;
const vectorOnly = 1;
const withCode = 2;
/** The place of chunks that were removed; never visible. */
const nowhere = 0;
const noPage = -1;

/**
 * The chunks of a collection in memory, so that a search need not read rows to filter: a few numbers and the sign code
 * of the vector for each, in the order of their ids. Chunks are addressed by slots, from 0, which are stable until
 * {@link compact}.
 */
export class ChunkTable {
  /** Chunks that are published, and the sum of their lengths. */
  visibleCount = 0;
  visibleLength = 0;
  /** Vectors, of editions that are not published, too. */
  vectorCount = 0;
  /** Vectors that have no code. */
  withoutCode = 0;
  #count = 0;
  #removed = 0;
  #ids = new Float64Array(0);
  #editions = new Uint32Array(0);
  #lengths = new Float32Array(0);
  #pages = new Int32Array(0);
  #pageEnds = new Int32Array(0);
  #vectors = new Uint8Array(0);
  #codes = new Int32Array(0);
  #words = 0;
  /** Places of editions by their numbers. */
  readonly #places = new Map<number, number>();
  #visible = new Uint8Array(64);
  #chunksOf: { count: number; length: number }[] = [{ count: 0, length: 0 }];

  get count(): number {
    return this.#count;
  }

  /** Bytes, excluding editions. */
  get size(): number {
    return this.#ids.length * 25 + this.#codes.byteLength + this.#chunksOf.length * 64;
  }

  /** Settles how long vectors are. */
  setDimensions(dimensions: number): void {
    this.#words = wordsFor(dimensions);
    this.#codes = new Int32Array(this.#ids.length * this.#words);
  }

  addEdition(number: number, isVisible: boolean): void {
    const place = this.#chunksOf.length;
    this.#places.set(number, place);
    this.#chunksOf.push({ count: 0, length: 0 });
    if (place >= this.#visible.length) this.#visible = grown(this.#visible, place * 2);
    if (isVisible) this.show(number);
  }

  hasEdition(number: number): boolean {
    return this.#places.has(number);
  }

  show(number: number): void {
    this.#setVisible(number, true);
  }

  hide(number: number): void {
    this.#setVisible(number, false);
  }

  /** Flags of the published editions, by index. Copy before storing or changing. */
  get visible(): Uint8Array {
    return this.#visible.subarray(0, this.#chunksOf.length);
  }

  placeOf(edition: number): number {
    return this.#places.get(edition) ?? nowhere;
  }

  /** Adds a chunk whose id is higher than all before. */
  append(entry: ChunkEntry): number {
    const slot = this.#count;
    if (slot >= this.#ids.length) this.#grow();
    const place = this.placeOf(entry.edition);
    this.#ids[slot] = entry.id;
    this.#editions[slot] = place;
    this.#lengths[slot] = entry.length;
    this.#pages[slot] = entry.page ?? noPage;
    this.#pageEnds[slot] = entry.pageEnd ?? noPage;
    this.#vectors[slot] = entry.hasVector ? vectorOnly : noVector;
    this.#count += 1;
    if (entry.hasVector) {
      this.vectorCount += 1;
      this.withoutCode += 1;
    }
    const chunks = this.#chunksOf[place];
    if (chunks !== undefined) {
      chunks.count += 1;
      chunks.length += entry.length;
    }
    if (this.#visible[place] === 1) {
      this.visibleCount += 1;
      this.visibleLength += entry.length;
    }
    return slot;
  }

  setCode(slot: number, code: Int32Array): void {
    if (this.#vectors[slot] !== vectorOnly) return;
    this.#codes.set(code, slot * this.#words);
    this.#vectors[slot] = withCode;
    this.withoutCode -= 1;
  }

  /** Forgets chunks that were removed. Their slots stay until {@link compact}. */
  remove(ids: readonly number[]): void {
    for (const id of ids) {
      const slot = this.slotOf(id);
      if (slot === -1 || this.#editions[slot] === nowhere) continue;
      if (this.#vectors[slot] !== noVector) this.vectorCount -= 1;
      if (this.#vectors[slot] === vectorOnly) this.withoutCode -= 1;
      this.#editions[slot] = nowhere;
      this.#vectors[slot] = noVector;
      this.#removed += 1;
    }
  }

  removeEdition(number: number): void {
    this.hide(number);
    this.#places.delete(number);
  }

  /** Frees the slots of removed chunks when there are many. */
  compact(): void {
    if (this.#removed < 1000 || this.#removed * 4 < this.#count) return;
    let to = 0;
    for (let from = 0; from < this.#count; from++) {
      if (this.#editions[from] === nowhere) continue;
      if (to < from) {
        for (const array of [this.#ids, this.#editions, this.#lengths, this.#pages, this.#pageEnds, this.#vectors]) {
          array[to] = array[from] as number;
        }
        this.#codes.copyWithin(to * this.#words, from * this.#words, (from + 1) * this.#words);
      }
      to += 1;
    }
    this.#count = to;
    this.#removed = 0;
    this.#resize(Math.ceil(to * 1.25) + 256);
  }

  idOf(slot: number): number {
    return this.#ids[slot] as number;
  }

  lengthOf(slot: number): number {
    return this.#lengths[slot] as number;
  }

  /**
   * @param from a slot that is not behind it
   * @returns -1 when there is no chunk of this id
   */
  slotOf(id: number, from = 0): number {
    let low = from;
    let high = this.#count - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.#ids[middle] as number;
      if (found === id) return middle;
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  isVisible(slot: number): boolean {
    return this.#visible[this.#editions[slot] as number] === 1;
  }

  isAllowed(slot: number, { editions, pages }: Allowed): boolean {
    if (editions[this.#editions[slot] as number] !== 1) return false;
    if (pages === null) return true;
    const page = this.#pages[slot] as number;
    const pageEnd = this.#pageEnds[slot] as number;
    return pages(page === noPage ? null : page, pageEnd === noPage ? null : pageEnd);
  }

  /** Slots of vectors that have no code yet, at most so many. */
  slotsWithoutCode(limit: number): number[] {
    const slots: number[] = [];
    for (let slot = 0; slot < this.#count && slots.length < limit; slot++) {
      if (this.#vectors[slot] === vectorOnly) slots.push(slot);
    }
    return slots;
  }

  /**
   * The vectors to compare exactly: those whose codes differ least from the wanted one, and all that have no code.
   * @param wanted null for all
   * @param count how many of those with a code
   * @returns slots, ascending
   */
  candidates(wanted: Int32Array | null, count: number, allowed: Allowed): number[] {
    const slots: number[] = [];
    if (wanted === null) {
      for (let slot = 0; slot < this.#count; slot++) {
        if (this.#vectors[slot] !== noVector && this.isAllowed(slot, allowed)) slots.push(slot);
      }
      return slots;
    }
    const distances = new Uint16Array(this.#count);
    countDifferences(this.#codes, wanted, this.#count, distances);
    const histogram = new Uint32Array(this.#words * 32 + 1);
    const excluded = 0xffff;
    for (let slot = 0; slot < this.#count; slot++) {
      const vector = this.#vectors[slot];
      if (vector === noVector || !this.isAllowed(slot, allowed)) distances[slot] = excluded;
      else if (vector === vectorOnly) distances[slot] = 0;
      else histogram[distances[slot] as number] = (histogram[distances[slot] as number] as number) + 1;
    }
    let farthest = 0;
    let below = 0;
    while (farthest < histogram.length && below + (histogram[farthest] as number) < count) {
      below += histogram[farthest] as number;
      farthest += 1;
    }
    let left = count - below;
    for (let slot = 0; slot < this.#count; slot++) {
      const distance = distances[slot] as number;
      if (distance === excluded || distance > farthest) continue;
      if (this.#vectors[slot] === withCode && distance === farthest) {
        if (left <= 0) continue;
        left -= 1;
      }
      slots.push(slot);
    }
    return slots;
  }

  #setVisible(number: number, isVisible: boolean): void {
    const place = this.placeOf(number);
    const chunks = this.#chunksOf[place];
    if (place === nowhere || chunks === undefined || (this.#visible[place] === 1) === isVisible) return;
    this.#visible[place] = isVisible ? 1 : 0;
    const sign = isVisible ? 1 : -1;
    this.visibleCount += sign * chunks.count;
    this.visibleLength += sign * chunks.length;
  }

  #grow(): void {
    this.#resize(Math.ceil(this.#ids.length * 1.25) + 256);
  }

  #resize(length: number): void {
    this.#ids = grown(this.#ids, length);
    this.#editions = grown(this.#editions, length);
    this.#lengths = grown(this.#lengths, length);
    this.#pages = grown(this.#pages, length);
    this.#pageEnds = grown(this.#pageEnds, length);
    this.#vectors = grown(this.#vectors, length);
    this.#codes = grown(this.#codes, length * this.#words);
  }
}

type Numbers = Float64Array | Uint32Array | Float32Array | Int32Array | Uint8Array;

/** A copy of another length. */
function grown<Array extends Numbers>(array: Array, length: number): Array {
  const copy = new (array.constructor as new (length: number) => Array)(length);
  copy.set(array.subarray(0, Math.min(length, array.length)) as never);
  return copy;
}
