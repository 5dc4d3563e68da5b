import type { Citation, CitationReport, KnowledgePassage } from '@parley/sdk';
import { type ParsedCitation, parseCitation, type WantedCitation } from './citation-syntax.ts';
import { findQuote } from './quote-search.ts';

/** The passages that a model was shown, by the number it was shown them by. */
export type NumberedPassages = Pick<ReadonlyMap<number, KnowledgePassage>, 'get' | 'size'>;

/** A valid citation. */
interface Held {
  passage: KnowledgePassage;
  place: { start: number; end: number } | null;
}

/** Parts of Markdown in which nothing is a citation. */
type Place =
  | { kind: 'text' }
  | { kind: 'fence'; mark: string; length: number }
  | { kind: 'code'; length: number }
  | { kind: 'destination' };

/** Longest line that may start or end a code block, and longest run of spaces that is held back, UTF-16 units. */
const longestFenceLine = 200;
const longestSpace = 16;
/** Citations that are put on record. */
const mostCitations = 200;

const special = /[ \t\n`[【［\]\\]/;
const listMark = '(?:(?:[-*+]|\\d{1,3}[.)])[ \\t]+)';
const fenceBegins = new RegExp(`^([ \\t>]*${listMark}?)(\`{3,}|~{3,})(.*)$`);
const fenceMayBegin = new RegExp(`^[ \\t>]*(?:[-*+]|\\d{1,3}[.)]?)?$|^[ \\t>]*${listMark}?(?:\`*|~*)$`);
/** Characters before which a removed citation leaves no space. */
const closesUp = /^[\s.,;:!?)\]}。，、；：！？）】”»]/;

/**
 * Finds and checks the citations in an answer while it is streamed. Valid ones become `[1]`, `[2]`, … in the order of
 * their first use; those that refer to no passage, or quote text that is not in it, are removed. Everything else,
 * including code and links, is unchanged. The result does not depend on how the answer is split into chunks.
 */
export class CitationStream {
  readonly #passages: NumberedPassages;
  readonly #numbers = new Map<KnowledgePassage, number>();
  readonly #citations = new Map<string, Citation>();
  #dropped = 0;
  /** Text that is held back, because it may become a citation. */
  #rest = '';
  #place: Place = { kind: 'text' };
  /** Whether the line may still start or end a code block. */
  #isLineOpen = true;
  /** Whether the line has only white space so far. */
  #isLineBlank = true;

  constructor(passages: NumberedPassages) {
    this.#passages = passages;
  }

  /** @returns text that can be shown now, in addition to earlier text */
  push(text: string): string {
    this.#rest += text;
    return this.#drain(false);
  }

  /** Ends a text; another one may follow. @returns text that was held back */
  flush(): string {
    const shown = this.#drain(true);
    if (this.#place.kind !== 'fence') this.#place = { kind: 'text' };
    return shown;
  }

  /** The passages that are cited, by the numbers that the answer has for them. */
  get cited(): KnowledgePassage[] {
    return [...this.#numbers.keys()];
  }

  get report(): CitationReport {
    const all = [...this.#citations.values()];
    const quoted = new Set(all.flatMap(({ number, quote }) => (quote === null ? [] : number)));
    const reported = all.filter(({ number, quote }) => quote !== null || !quoted.has(number));
    return { citations: reported.toSorted((one, other) => one.number - other.number), dropped: this.#dropped };
  }

  #drain(isEnd: boolean): string {
    let shown = '';
    while (this.#rest !== '') {
      const step = this.#step(isEnd);
      if (step === null) break;
      shown += step;
    }
    return shown;
  }

  /** Consumes part of the rest. @returns the text to show for it; null when more input is needed */
  #step(isEnd: boolean): string | null {
    switch (this.#place.kind) {
      case 'fence':
        return this.#fenced(this.#place, isEnd);
      case 'code':
        return this.#code(this.#place.length, isEnd);
      case 'destination':
        return this.#destination();
      case 'text':
        return this.#text(isEnd);
    }
  }

  /** A line of a code block, which ends at a line of only its opening marks. */
  #fenced({ mark, length }: { mark: string; length: number }, isEnd: boolean): string | null {
    const line = this.#line(isEnd);
    if (this.#isLineOpen) {
      const marks = /^[ \t>]*(`*|~*)[ \t]*$/.exec(line.head)?.[1];
      if (marks !== undefined && !line.isWhole) return null;
      this.#isLineOpen = false;
      if (marks !== undefined && marks.length >= length && marks[0] === mark) {
        this.#place = { kind: 'text' };
        return this.#take(line.head.length);
      }
    }
    const end = this.#rest.indexOf('\n');
    return this.#take(end === -1 ? this.#rest.length : end + 1);
  }

  /** Code within a line, to the same number of marks or the end of the line. */
  #code(length: number, isEnd: boolean): string | null {
    const next = this.#rest.search(/[`\n]/);
    if (next === -1) return this.#take(this.#rest.length);
    if (next > 0) return this.#take(next);
    const run = /^`*/.exec(this.#rest)?.[0].length ?? 0;
    if (run > 0 && run === this.#rest.length && !isEnd) return null;
    if (run === 0 || run === length) this.#place = { kind: 'text' };
    return run === 0 ? '' : this.#take(run);
  }

  #destination(): string {
    const end = this.#rest.search(/[\s)]/);
    if (end === -1) return this.#take(this.#rest.length);
    this.#place = { kind: 'text' };
    return this.#take(end);
  }

  #text(isEnd: boolean): string | null {
    if (this.#isLineOpen) {
      const opened = this.#beginFence(isEnd);
      if (opened !== '') return opened;
    }
    const next = this.#rest.search(special);
    if (next !== 0) return this.#take(next === -1 ? this.#rest.length : next);
    switch (this.#rest[0]) {
      case '\n':
        return this.#take(1);
      case '\\':
        return this.#pair(isEnd, /^[^\n]/);
      case '`':
        return this.#beginCode(isEnd);
      case ']':
        return this.#endBracket(isEnd);
      default:
        return this.#perhapsCitation(isEnd);
    }
  }

  /** @returns null when more input is needed, an empty text when the line does not start a code block */
  #beginFence(isEnd: boolean): string | null {
    const line = this.#line(isEnd);
    if (!line.isWhole && fenceMayBegin.test(line.head)) return null;
    const fence = fenceBegins.exec(line.head);
    const mark = fence?.[2]?.[0];
    const isNone = fence === null || (mark === '`' && fence[3]?.includes('`'));
    if (!isNone && !line.isWhole) return null;
    this.#isLineOpen = false;
    if (isNone || mark === undefined) return '';
    const [, before = '', marks = ''] = fence;
    this.#place = { kind: 'fence', mark, length: marks.length };
    return this.#take(before.length + marks.length);
  }

  #beginCode(isEnd: boolean): string | null {
    const length = /^`+/.exec(this.#rest)?.[0].length ?? 1;
    if (length === this.#rest.length && !isEnd) return null;
    this.#place = { kind: 'code', length };
    return this.#take(length);
  }

  /** Behind a bracket that belonged to no citation may stand where a link leads. */
  #endBracket(isEnd: boolean): string | null {
    const isLink = this.#rest[1] === '(';
    const taken = this.#pair(isEnd, /^[([]/);
    if (taken !== null && isLink) this.#place = { kind: 'destination' };
    return taken;
  }

  /** Takes a character, and the next one as well when it is one of these. */
  #pair(isEnd: boolean, also: RegExp): string | null {
    if (this.#rest.length === 1 && !isEnd) return null;
    return this.#take(also.test(this.#rest.slice(1)) ? 2 : 1);
  }

  #perhapsCitation(isEnd: boolean): string | null {
    const spaces = /^[ \t]*/.exec(this.#rest)?.[0] ?? '';
    if (spaces.length > longestSpace) return this.#take(longestSpace);
    if (spaces.length === this.#rest.length) return isEnd ? this.#take(spaces.length) : null;
    const text = this.#rest.slice(spaces.length);
    if (!/^[[【［]/.test(text)) return this.#take(spaces.length);
    // A removed citation leaves a gap whose width depends on the following text.
    const parsed = this.#passages.size === 0 ? null : parseCitation(text, isEnd, this.#isLineBlank);
    if (parsed === 'open') return null;
    const judged = parsed === null ? null : this.#judged(parsed);
    if (parsed === null || judged === null) return this.#take(spaces.length + 1);
    const behind = text.slice(parsed.length);
    if (judged.held.length > 0) {
      this.#dropped += judged.dropped;
      const numbers = new Set(judged.held.map((held) => this.#cite(held)));
      this.#take(spaces.length + parsed.length);
      return `${spaces}${[...numbers].map((number) => `[${number}]`).join('')}`;
    }
    if (behind === '' && !isEnd) return null;
    this.#dropped += judged.dropped;
    this.#rest = behind === '' || closesUp.test(behind) ? behind : spaces + behind;
    return '';
  }

  /** The valid references of a citation; null when it is not a citation after all. */
  #judged({ readings, isCertain }: ParsedCitation): { held: Held[]; dropped: number } | null {
    let best: { held: Held[]; dropped: number } | null = null;
    for (const wanted of readings) {
      const isKnown = wanted.some(({ number }) => this.#passages.get(number) !== undefined);
      if (!isKnown && !isCertain) continue;
      const held = wanted.flatMap((one) => this.#found(one) ?? []);
      const judged = { held, dropped: wanted.length - held.length };
      if (judged.dropped === 0) return judged;
      if (best === null || held.length > best.held.length) best = judged;
    }
    return best;
  }

  #found({ number, quote }: WantedCitation): Held | null {
    const passage = this.#passages.get(number);
    if (passage === undefined) return null;
    if (quote === null) return { passage, place: null };
    const place = findQuote(passage.text, quote);
    return place === null ? null : { passage, place };
  }

  /** @returns the number that the answer has for the passage */
  #cite({ passage, place }: Held): number {
    const number = this.#numbers.get(passage) ?? this.#numbers.size + 1;
    this.#numbers.set(passage, number);
    const key = `${number} ${place?.start ?? ''} ${place?.end ?? ''}`;
    if (!this.#citations.has(key) && this.#citations.size < mostCitations) {
      this.#citations.set(key, {
        number,
        knowledge_base_uuid: passage.knowledge_base_uuid,
        chunk_id: passage.id,
        source: sourceOf(passage, place),
        quote: place === null ? null : passage.text.slice(place.start, place.end),
      });
    }
    return number;
  }

  /** The line so far, and whether that determines its type. */
  #line(isEnd: boolean): { head: string; isWhole: boolean } {
    const end = this.#rest.slice(0, longestFenceLine + 1).indexOf('\n');
    const head = this.#rest.slice(0, end === -1 ? longestFenceLine : end);
    return { head, isWhole: isEnd || end !== -1 || this.#rest.length > longestFenceLine };
  }

  #take(length: number): string {
    const taken = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    if (taken.endsWith('\n')) {
      this.#isLineOpen = true;
      this.#isLineBlank = true;
    } else if (taken.trim() !== '') {
      this.#isLineBlank = false;
    }
    return taken;
  }
}

/** The position of quoted text in the source, if the position of the passage is known. */
function sourceOf({ source, text }: KnowledgePassage, place: Held['place']): Citation['source'] {
  if (source === null || place === null || source.end - source.start !== text.length) return source;
  return { ...source, start: source.start + place.start, end: source.start + place.end };
}
