import { randomUUID } from 'node:crypto';
import type { KnowledgePassage } from '@parley/sdk';

/** Passages that a model is shown at once, and characters of each and of all together. */
const maximumPassages = 50;
const maximumPassageCharacters = 8000;
const maximumCharacters = 40_000;
/** Of everything that it is shown for one answer. */
const maximumNumber = 500;
const maximumAnswerCharacters = 160_000;
const maximumNameCharacters = 255;

/** Text that resembles the start or end tag of a passage, also with invisible characters in between. */
const lookalike = /[<＜﹤](?=[\s\p{Cf}]*[/／]?[\s\p{Cf}]*(?:passage|knowledge))/giu;
/** Control characters, and letters that are invisible to users but read by models. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f]|[\u{e0000}-\u{e007f}]/gu;

/** Passages as rendered for a model. */
export interface Showing {
  /** Empty when it is shown none. */
  text: string;
  /** The numbers of the passages, in order; null for omitted ones. */
  numbers: (number | null)[];
}

/**
 * The passages that a model receives for one answer. Each has the same number when it is found again. Quoted documents
 * are enclosed in tags with random names, which their authors cannot know.
 */
export class PromptPassages {
  readonly #byNumber = new Map<number, KnowledgePassage>();
  readonly #numbers = new Map<string, number>();
  readonly #mark: string;
  #left = maximumAnswerCharacters;

  /** @param mark suffix of the tag names. Default: 40 random bits, of those that Node.js keeps ready for UUIDs */
  constructor(mark: string = randomUUID().slice(-10)) {
    this.#mark = mark;
  }

  get size(): number {
    return this.#byNumber.size;
  }

  get(number: number): KnowledgePassage | undefined {
    return this.#byNumber.get(number);
  }

  show(passages: readonly KnowledgePassage[]): Showing {
    let left = Math.min(maximumCharacters, this.#left);
    const numbers: Showing['numbers'] = [];
    const shown: string[] = [];
    for (const passage of passages) {
      const key = `${passage.knowledge_base_uuid} ${passage.id}`;
      const known = this.#numbers.get(key);
      if (known !== undefined) {
        if (!numbers.includes(known)) shown.push(this.#tagged(known, passage, '(The same as above.)'));
        numbers.push(known);
        continue;
      }
      const text = passage.text.trim().slice(0, Math.min(maximumPassageCharacters, left));
      if (text === '' || shown.length >= maximumPassages || this.size >= maximumNumber) {
        numbers.push(null);
        continue;
      }
      left -= text.length;
      this.#left -= text.length;
      const number = this.size + 1;
      this.#byNumber.set(number, passage);
      this.#numbers.set(key, number);
      numbers.push(number);
      shown.push(this.#tagged(number, passage, harmless(text)));
    }
    const tag = `knowledge-${this.#mark}`;
    return { text: shown.length === 0 ? '' : [`<${tag}>`, ...shown, `</${tag}>`].join('\n'), numbers };
  }

  #tagged(number: number, { source }: KnowledgePassage, text: string): string {
    const attributes = [
      ['number', String(number)],
      ['file', source?.file_name ?? ''],
      ['page', pagesOf(source)],
      ['headings', source?.heading_path.join(' > ') ?? ''],
    ].flatMap(([name, value = '']) => (value.trim() === '' ? [] : `${name}="${attributeOf(value)}"`));
    const tag = `passage-${this.#mark}`;
    return `<${tag} ${attributes.join(' ')}>\n${text}\n</${tag}>`;
  }
}

/** `3`, or `3–5`; empty where there are no pages. */
export function pagesOf(source: KnowledgePassage['source']): string {
  if (source === null || source.page === null) return '';
  const { page, page_end } = source;
  return page_end === null || page_end <= page ? String(page) : `${page}–${page_end}`;
}

function harmless(text: string): string {
  return text.toWellFormed().replaceAll(unseen, '').replaceAll(lookalike, '‹');
}

function attributeOf(value: string): string {
  const line = harmless(value.trim().slice(0, maximumNameCharacters)).replaceAll(/\s+/g, ' ');
  return line.replaceAll('"', "'").replaceAll('<', '‹').replaceAll('>', '›');
}
