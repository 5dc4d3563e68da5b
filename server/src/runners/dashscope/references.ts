import { isRecord, listAt, textAt } from '../../kit/services/values.ts';

const opening = '<ref>';
const closing = '</ref>';
/** The longest mark that is waited for, characters; anything longer is text. */
const longestMark = 200;

/**
 * Replaces references of an answer with document names: `<ref>[1]</ref>` becomes `(Sources: name)`. Both the mark and
 * the names may be split across chunks; text after a mark waits until both are complete.
 */
export class References {
  readonly #quoteWords: string;
  readonly #names = new Map<string, string>();
  #waiting = '';

  /** @param quoteWords text before the names */
  constructor(quoteWords: string) {
    this.#quoteWords = quoteWords;
  }

  /** Adds document names. @param output of a chunk of the answer */
  learn(output: unknown): void {
    for (const document of listAt(output, 'doc_references')) {
      if (!isRecord(document)) continue;
      const name = textAt(document, 'doc_name') || textAt(document, 'title');
      if (name !== '') this.#names.set(String(document.index_id), name);
    }
  }

  /** @returns text that can be shown now */
  add(text: string): string {
    this.#waiting += text;
    return this.#said(false);
  }

  /** @returns the rest, without references to unknown documents */
  end(): string {
    return this.#said(true);
  }

  #said(isEnd: boolean): string {
    let said = '';
    for (;;) {
      const start = this.#waiting.indexOf(opening);
      if (start === -1) {
        const pending = isEnd ? 0 : beginningOfMark(this.#waiting);
        said += this.#take(this.#waiting.length - pending);
        return said;
      }
      said += this.#take(start);
      const end = this.#waiting.indexOf(closing);
      if (end === -1 || end > longestMark) {
        if (!isEnd && end === -1 && this.#waiting.length <= longestMark) return said;
        // No mark after all.
        said += this.#take(opening.length);
        continue;
      }
      const rendered = this.#rendered(this.#waiting.slice(opening.length, end));
      if (rendered === null && !isEnd) return said;
      said += rendered ?? '';
      this.#take(end + closing.length);
    }
  }

  /** Removes characters from the waiting text. */
  #take(length: number): string {
    const taken = this.#waiting.slice(0, length);
    this.#waiting = this.#waiting.slice(length);
    return taken;
  }

  /** Null while none of the documents is known. */
  #rendered(mark: string): string | null {
    const names = (mark.match(/[^\s[\],，、]+/g) ?? []).flatMap((id) => this.#names.get(id) ?? []);
    if (names.length === 0) return null;
    return `(${[this.#quoteWords, [...new Set(names)].join(', ')].filter((part) => part !== '').join(' ')})`;
  }
}

/** How many characters at the end of a text may be the start of a mark. */
function beginningOfMark(text: string): number {
  for (let length = Math.min(opening.length - 1, text.length); length > 0; length -= 1) {
    if (opening.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
