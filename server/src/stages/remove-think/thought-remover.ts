/** Where the text is while it is read. */
interface Place {
  /** Name of the tag of the thought that was begun. */
  thought: string | null;
  /** Marks of the block of code that was begun. */
  fence: string | null;
}

/** The first line of a block of code, or its last; or a tag, with the mark of code before it. */
const visibleToken = /^[ \t]*(?<fence>`{3,}|~{3,})(?<info>[^\n]*)|(?<code>`?)<(?<end>\/?)(?<name>think|thinking)>/gim;
const longestTag = '</thinking>'.length;

/**
 * Leaves thoughts out of a text: what stands between `<think>` and `</think>`, or the same with `thinking`. A thought
 * that is not closed goes to the end. Tags in code are text like any other. A first
 * closing tag, on a line of its own, that no opening one belongs to ends a thought that began with the text: some models
 * are told the opening tag and do not repeat it.
 */
export class ThoughtRemover {
  readonly #place: Place = { thought: null, fence: null };
  #removed = 0;

  /** How many thoughts were left out. */
  get removed(): number {
    return this.#removed;
  }

  /**
   * What is left of a text; the next call goes on where this text ends.
   * @param mayGrow the text is not complete: what may become a tag at its end is left out, too
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
      // What has more marks behind it is code within a line.
      if (!marks.startsWith('`') || !info.includes('`')) this.#place.fence = marks;
    } else if (marks.startsWith(fence) && info.trim() === '') this.#place.fence = null;
  }

  /** Where the beginning of a tag stands at the end of the text, or the end. */
  #certainEnd(text: string, from: number): number {
    const start = text.lastIndexOf('<');
    if (start < from || text.length - start >= longestTag || this.#place.fence !== null) return text.length;
    const tail = text.slice(start).toLowerCase();
    const isBeginning = ['<thinking>', '</thinking>', '<think>', '</think>'].some((tag) => tag.startsWith(tail));
    return isBeginning && text[start - 1] !== '`' ? start : text.length;
  }
}

/** Where the thought ends that a tag of this name began. */
function closingTag(text: string, name: string, from: number): number | null {
  const closing = new RegExp(`</${name}>`, 'gi');
  closing.lastIndex = from;
  return closing.exec(text) === null ? null : closing.lastIndex;
}

function isOwnLine(text: string, start: number, end: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return line.trim() === '' && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
}
