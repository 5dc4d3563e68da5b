import { setImmediate as nextTurn } from 'node:timers/promises';

// Indexes are below the lengths: with `as number`, reads of arrays cost no check.

/** How much of the tables is built before others may work. */
const lettersAtOnce = 16_384;

/**
 * Finds many words in a text in one pass: it reads each UTF-16 code unit once, however many words there are. Reading
 * can stop and resume anywhere, since the state is a single number; it starts with 0.
 *
 * This is the automaton of Aho and Corasick. Its tables are flat, so that two million letters of words fit.
 */
export class WordAutomaton {
  readonly #edges: EdgeTable;
  /** Fallback when a state has no edge for a letter: the state of its longest known suffix. */
  readonly #fallback: Int32Array;
  readonly #ending: Uint16Array;
  readonly #open: Uint16Array;

  private constructor(trie: Trie) {
    this.#edges = trie.edges;
    this.#fallback = new Int32Array(trie.size);
    this.#ending = new Uint16Array(trie.size);
    this.#open = new Uint16Array(trie.size);
  }

  /**
   * Yields in between: a million letters take a good half of a second.
   * @param words each of at most 65 535 code units; empty ones are skipped
   */
  static async of(words: readonly string[]): Promise<WordAutomaton> {
    const trie = new Trie(words.reduce((sum, { length }) => sum + length, 0));
    let letters = 0;
    for (const word of words) {
      trie.add(word);
      letters += word.length;
      if (letters > lettersAtOnce) {
        letters = 0;
        await nextTurn();
      }
    }
    const automaton = new WordAutomaton(trie);
    const states = trie.byDepth();
    for (let first = 0; first < states.length; first += lettersAtOnce) {
      for (const state of states.subarray(first, first + lettersAtOnce)) automaton.#link(state, trie);
      await nextTurn();
    }
    return automaton;
  }

  #link(state: number, { parents, units, depths, isWord, isParent }: Trie): void {
    const depth = depths[state] as number;
    const parent = parents[state] as number;
    const fallback = parent === 0 ? 0 : this.step(this.#fallback[parent] as number, units[state] as number);
    this.#fallback[state] = fallback;
    this.#ending[state] = isWord[state] === 1 ? depth : (this.#ending[fallback] as number);
    this.#open[state] = isParent[state] === 1 ? depth : (this.#open[fallback] as number);
  }

  /** @returns the state after one more code unit */
  step(state: number, unit: number): number {
    for (let from = state; ; from = this.#fallback[from] as number) {
      const to = this.#edges.get(from, unit);
      if (to !== 0) return to;
      if (from === 0) return 0;
    }
  }

  /** Length of the longest word that ends with the unit that was read last; 0 when none does. */
  ending(state: number): number {
    return this.#ending[state] as number;
  }

  /** How many of the last units may be the start of an incomplete word. */
  open(state: number): number {
    return this.#open[state] as number;
  }
}

/** The words as a tree during construction; a state is a prefix of a word. */
class Trie {
  size = 1;
  readonly edges: EdgeTable;
  readonly parents: Int32Array;
  readonly units: Uint16Array;
  readonly depths: Uint16Array;
  readonly isWord: Uint8Array;
  readonly isParent: Uint8Array;

  /** @param letters total length of the words */
  constructor(letters: number) {
    const capacity = letters + 1;
    this.edges = new EdgeTable(letters);
    this.parents = new Int32Array(capacity);
    this.units = new Uint16Array(capacity);
    this.depths = new Uint16Array(capacity);
    this.isWord = new Uint8Array(capacity);
    this.isParent = new Uint8Array(capacity);
  }

  add(word: string): void {
    let state = 0;
    for (let index = 0; index < word.length; index += 1) {
      const unit = word.charCodeAt(index);
      let next = this.edges.get(state, unit);
      if (next === 0) {
        next = this.size;
        this.size += 1;
        this.edges.set(state, unit, next);
        this.parents[next] = state;
        this.units[next] = unit;
        this.depths[next] = index + 1;
        this.isParent[state] = 1;
      }
      state = next;
    }
    if (state !== 0) this.isWord[state] = 1;
  }

  /** All states but the first, shorter prefixes first. */
  byDepth(): Int32Array {
    const counts: number[] = [];
    for (let state = 1; state < this.size; state += 1) {
      const depth = this.depths[state] as number;
      counts[depth] = (counts[depth] ?? 0) + 1;
    }
    let sum = 0;
    const places = counts.map((count) => {
      const place = sum;
      sum += count;
      return place;
    });
    const sorted = new Int32Array(this.size - 1);
    for (let state = 1; state < this.size; state += 1) {
      const depth = this.depths[state] as number;
      const place = places[depth] as number;
      sorted[place] = state;
      places[depth] = place + 1;
    }
    return sorted;
  }
}

/** Edges of the tree by state and code unit; a table with open addressing that is at most half full. */
class EdgeTable {
  readonly #mask: number;
  readonly #from: Int32Array;
  readonly #units: Uint16Array;
  readonly #to: Int32Array;

  constructor(count: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * count)));
    this.#mask = size - 1;
    this.#from = new Int32Array(size);
    this.#units = new Uint16Array(size);
    this.#to = new Int32Array(size);
  }

  /** @returns 0 when there is none */
  get(from: number, unit: number): number {
    return this.#to[this.#place(from, unit)] as number;
  }

  set(from: number, unit: number, to: number): void {
    const place = this.#place(from, unit);
    this.#from[place] = from;
    this.#units[place] = unit;
    this.#to[place] = to;
  }

  /** Where the edge is, or would be. */
  #place(from: number, unit: number): number {
    const mixed = Math.imul(Math.imul(from, 0x9e3779b1) ^ unit, 0x85ebca6b);
    let place = (mixed ^ (mixed >>> 15)) & this.#mask;
    while (this.#to[place] !== 0 && (this.#from[place] !== from || this.#units[place] !== unit)) {
      place = (place + 1) & this.#mask;
    }
    return place;
  }
}
