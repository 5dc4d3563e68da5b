import {
  type DocumentBlock,
  type DocumentPage,
  ParleyError,
  type ParsedDocument,
  type ParserContext,
  type Reason,
} from '@parley/sdk';
import { storableText } from '../lib/storable-text.ts';

type WithoutPage<Block> = Block extends unknown ? Omit<Block, 'page'> : never;

/** A block without its page, which the draft adds. */
export type DraftBlock = WithoutPage<DocumentBlock>;

/** Control characters, and invisible characters for word breaks. */
const invisible = /[^\P{Cc}\n\t]|[\u00ad\u200b\u2060\ufeff]/gu;
const longestTitle = 300;

/** Collects the output of a parser: normalizes text, drops empty blocks and rejects a document that is too large. */
export class DocumentDraft {
  readonly #limits: Pick<ParserContext, 'maximumPages' | 'maximumCharacters'>;
  readonly #blocks: DocumentBlock[] = [];
  readonly #pages: DocumentPage[] = [];
  readonly #warnings = new Set<string>();
  #characters = 0;

  constructor(limits: Pick<ParserContext, 'maximumPages' | 'maximumCharacters'>) {
    this.#limits = limits;
  }

  get characters(): number {
    return this.#characters;
  }

  get blocks(): readonly DocumentBlock[] {
    return this.#blocks;
  }

  /** Starts the next page, slide, sheet or chapter. */
  beginPage(name?: string): void {
    checkPages(this.#pages.length + 1, this.#limits);
    const tidied = tidyLine(name ?? '').slice(0, longestTitle);
    this.#pages.push({ number: this.#pages.length + 1, ...(tidied === '' ? {} : { name: tidied }), characters: 0 });
  }

  /** Adds a note on why part of the page could not be read. */
  note(text: string): void {
    const page = this.#pages.at(-1);
    if (page !== undefined) page.note = text;
  }

  /** Once for each text. */
  warn(text: string): void {
    this.#warnings.add(text);
  }

  /** @throws ParleyError `document_too_complex` */
  add(block: DraftBlock): void {
    const tidied = tidyBlock(block);
    if (tidied === null) return;
    const characters =
      tidied.type === 'table' ? tidied.rows.flat().reduce((sum, cell) => sum + cell.length, 0) : tidied.text.length;
    this.#characters += characters;
    if (this.#characters > this.#limits.maximumCharacters)
      throw new ParleyError(
        'document_too_complex',
        `The document has more than ${this.#limits.maximumCharacters} characters of text, which is more than is read.`,
      );
    const page = this.#pages.at(-1);
    if (page === undefined) {
      this.#blocks.push(tidied);
      return;
    }
    page.characters += characters;
    this.#blocks.push({ page: page.number, ...tidied });
  }

  finish(title: string | null | undefined, pageKind: ParsedDocument['page_kind']): ParsedDocument {
    const tidied = tidyLine(title ?? '').slice(0, longestTitle);
    return {
      title: tidied === '' ? null : storableText(tidied),
      blocks: this.#blocks,
      page_kind: pageKind,
      pages: this.#pages,
      warnings: [...this.#warnings],
    };
  }
}

/** @throws ParleyError `document_too_complex` when there are more pages, slides, sheets or chapters than are read */
export function checkPages(pages: number, { maximumPages }: Pick<ParserContext, 'maximumPages'>): void {
  if (pages <= maximumPages) return;
  throw new ParleyError(
    'document_too_complex',
    `The document has more than ${maximumPages} pages, slides, sheets or chapters, which is more than is read.`,
  );
}

/**
 * The error for users when a library failed to read a file; its own message is only the cause.
 * @returns `error` itself if it is a ParleyError
 */
export function documentFault(error: unknown, message: string, reason: Reason = 'document_broken'): ParleyError {
  if (error instanceof ParleyError) return error;
  // Nesting is read recursively, which is limited by the stack.
  if (error instanceof RangeError && /call stack/.test(error.message))
    return new ParleyError('document_too_complex', 'The document is nested too deeply.', {
      cause: error,
    });
  return new ParleyError(reason, message, { cause: error });
}

/** One line without invisible characters. */
export function tidyLine(text: string): string {
  return tidyText(text).replace(/\s+/g, ' ').trim();
}

function tidyText(text: string): string {
  return storableText(text.replace(/\r\n?/g, '\n').replace(invisible, ''));
}

/** @returns null when nothing is left of it */
function tidyBlock(block: DraftBlock): DraftBlock | null {
  if (block.type === 'table') {
    const rows = block.rows.map((row) => row.map((cell) => tidyText(cell).trim()));
    return rows.some((row) => row.some((cell) => cell !== '')) ? { ...block, rows } : null;
  }
  const text = tidyText(block.text);
  if (text.trim() === '') return null;
  if (block.type === 'code') return { ...block, text: text.replace(/^(?:[ \t]*\n)+/, '').trimEnd() };
  return { ...block, text: block.type === 'heading' ? text.replace(/\s+/g, ' ').trim() : text.trim() };
}
