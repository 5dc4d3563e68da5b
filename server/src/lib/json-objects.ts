const quote = 0x22;
const backslash = 0x5c;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/**
 * Splits a chunked text into the JSON objects and lists that follow one another in it, with or without white space
 * between them.
 */
export class JsonObjects {
  #current = '';
  #depth = 0;
  #inText = false;
  #isEscaped = false;

  /** @returns the text of each object that the chunk completes; it is not validated */
  feed(piece: string): string[] {
    const complete: string[] = [];
    let start = 0;
    for (let index = 0; index < piece.length; index += 1) {
      const code = piece.charCodeAt(index);
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === backslash) this.#isEscaped = true;
        else if (code === quote) this.#inText = false;
      } else if (code === quote) this.#inText = true;
      else if (opening.has(code)) this.#depth += 1;
      else if (closing.has(code) && this.#depth > 0) {
        this.#depth -= 1;
        if (this.#depth > 0) continue;
        complete.push((this.#current + piece.slice(start, index + 1)).trim());
        this.#current = '';
        start = index + 1;
      }
    }
    this.#current += piece.slice(start);
    return complete;
  }

  /** The incomplete rest; empty when there is none. */
  get rest(): string {
    return this.#current.trim();
  }
}
