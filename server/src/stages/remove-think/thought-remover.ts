/** Where the text is while it is read. */
interface Place {
  /** Tag name of the open thought. */
  thought: string | null;
  /** Marks of the open code block. */
  fence: string | null;
}

/** The first line of a block of code, or its last; or a tag, with the mark of code before it. */
const visibleToken = /^[ \t]*(?<fence>`{3,}|~{3,})(?<info>[^\n]*)|(?<code>`?)<(?<end>\/?)(?<name>think|thinking)>/gim;
const longestTag = '</thinking>'.length;

/**
 * Removes thoughts from a text: the content of `<think>` and `</think>`, or of `<thinking>`. An unclosed thought
 * extends to the end. Tags in code are plain text. A first closing tag without an opening one, on a separate line, ends
 * a thought that started with the text: some models get the opening tag in the prompt and do not repeat it.
 */
export class ThoughtRemover {
  readonly #place: Place = { thought: null, fence: null };
  #removed = 0;

  /** Number of removed thoughts. */
  get removed(): number {
    return this.#removed;
  }

  /**
   * The rest of a text; the next call continues where this text ends.
   * @param mayGrow the text is incomplete: a possible start of a tag at its end is held back, too
   */
  read(text: string, mayGrow: boolean): string {
    const parts: string[] = [];
    let position = 0;
    let isBlank = true;
    const show = (end: number) => {
      const part = text.slice(position, end);
      parts.push(isBlank && this.#removed > 0 ? part.trimStart() : part);
      isBlank &&= part.trim() === '';
    };
    while (position < text.length) {
      if (this.#place.thought !== null) {
        const end = closingTag(text, this.#place.thought, position);
        if (end === null) return parts.join('');
        this.#place.thought = null;
        position = end;
        continue;
      }
      const tag = this.#nextTag(text, position);
      if (tag === null) break;
      if (tag.isEnd) parts.splice(0);
      else show(tag.start);
      this.#removed += 1;
      this.#place.thought = tag.isEnd ? null : tag.name;
      position = tag.end;
    }
    if (this.#place.thought === null) show(mayGrow ? this.#certainEnd(text, position) : text.length);
    return parts.join('');
  }

  /** The next tag that counts, from a place outside of thoughts. */
  #nextTag(text: string, from: number): { start: number; end: number; name: string; isEnd: boolean } | null {
    visibleToken.lastIndex = from;
    for (let found = visibleToken.exec(text); found !== null; found = visibleToken.exec(text)) {
      const { fence, info, code, end, name } = found.groups as Record<string, string | undefined>;
      if (fence !== undefined) {
        this.#readFence(fence, info ?? '');
        continue;
      }
      if (this.#place.fence !== null || code !== '' || name === undefined) continue;
      const after = found.index + found[0].length;
      if (end === '' || (this.#removed === 0 && isOwnLine(text, found.index, after))) {
        return { start: found.index, end: after, name: name.toLowerCase(), isEnd: end !== '' };
      }
    }
    return null;
  }

  #readFence(marks: string, info: string): void {
    const { fence } = this.#place;
    if (fence === null) {
      // Marks followed by further marks are inline code.
      if (!marks.startsWith('`') || !info.includes('`')) this.#place.fence = marks;
    } else if (marks.startsWith(fence) && info.trim() === '') this.#place.fence = null;
  }

  /** Where an incomplete tag at the end of the text starts, or the end. */
  #certainEnd(text: string, from: number): number {
    const start = text.lastIndexOf('<');
    if (start < from || text.length - start >= longestTag || this.#place.fence !== null) return text.length;
    const tail = text.slice(start).toLowerCase();
    const isBeginning = ['<thinking>', '</thinking>', '<think>', '</think>'].some((tag) => tag.startsWith(tail));
    return isBeginning && text[start - 1] !== '`' ? start : text.length;
  }
}

/** Where the thought of this tag ends. */
function closingTag(text: string, name: string, from: number): number | null {
  const closing = new RegExp(`</${name}>`, 'gi');
  closing.lastIndex = from;
  return closing.exec(text) === null ? null : closing.lastIndex;
}

function isOwnLine(text: string, start: number, end: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return line.trim() === '' && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
}
