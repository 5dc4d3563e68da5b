import type { I18nText } from './i18n-text.ts';

/** A file that is to be read, as a whole in memory. */
export interface ParserFile {
  /** What its sender called it: data, never a path. */
  name: string;
  /** Of the name, in lower case, without its dot; may be empty. */
  extension: string;
  /** Found by looking at the content, and at the name where the content does not tell. */
  media_type: string;
  bytes: Uint8Array;
}

/** A part of a document, in reading order. Texts are plain, without markup, and never empty. */
export type DocumentBlock = { /** From 1; absent where the format has no pages. */ page?: number } & (
  | { type: 'heading' /** From 1, the largest, to 6. */; level: number; text: string }
  | { type: 'paragraph'; text: string }
  | { type: 'list-item'; text: string }
  /** The first row is its head where `head` is true. Rows may be of different lengths; cells may be empty. */
  | { type: 'table'; head: boolean; rows: string[][] }
  | { type: 'code'; text: string; language?: string }
);

/** How much of a page could be read. A page without text is reported, so that a scan is not silently empty. */
export interface DocumentPage {
  /** From 1, in order, every page of the document once. */
  number: number;
  /** Name of a sheet or chapter, title of a slide. */
  name?: string;
  /** Characters of text that were found. */
  characters: number;
  /** Present where something of it could not be read: `no text, perhaps a scan`. */
  note?: string;
}

/** What a parser read. */
export interface ParsedDocument {
  /** What the document calls itself; null when it does not. */
  title: string | null;
  blocks: DocumentBlock[];
  /** What `page` counts; null where the format has nothing of the kind, `pages` is empty then. */
  page_kind: 'page' | 'slide' | 'sheet' | 'chapter' | null;
  pages: DocumentPage[];
  /** What a reader should know: something was left out, repaired or guessed. For people. */
  warnings: string[];
}

/** What a parser may ask for while it reads. It runs in a thread of its own, which is ended when it takes too long. */
export interface ParserContext {
  /** Tells how far it is; both count pages, or whatever the format has. */
  progress(done: number, total: number): void;
  /** Most bytes that may come out of what is compressed, over the whole file. */
  maximumExpandedBytes: number;
  /** Most pages, sheets, entries or the like that are read; a document with more is refused. */
  maximumPages: number;
  /** Most characters of text; a document with more is refused. */
  maximumCharacters: number;
}

/** What the module of a parser exports as `parse`. */
export type Parse = (file: ParserFile, context: ParserContext) => Promise<ParsedDocument>;

/**
 * Reads a kind of documents. The declaration is light; the work is done by its module, which is loaded in a worker
 * thread when a document of its kind comes. One folder under `parsers/`, or a plugin.
 */
export interface Parser {
  /** `author/name`; those that come with the service have the author `parley`. */
  plugin_id: string;
  name: I18nText;
  description: I18nText;
  /** In the order of preference; each unique among a parser's own. */
  media_types: readonly string[];
  /** In lower case, without the dot. */
  extensions: readonly string[];
  /**
   * File URL of a module that exports `parse`, a {@link Parse}. It throws ParleyError `document_broken`,
   * `document_encrypted`, `document_too_complex` or `document_type_unsupported`, with a message for people.
   */
  module: string;
}
