import type { I18nText } from './i18n-text.ts';

/** A file that is to be read, as a whole in memory. */
export interface ParserFile {
  /** File name from the sender: data, never a path. */
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

/** Output of a parser. */
export interface ParsedDocument {
  /** The document's own title; null if it has none. */
  title: string | null;
  blocks: DocumentBlock[];
  /** The unit of `page`; null if the format has no pages, `pages` is empty then. */
  page_kind: 'page' | 'slide' | 'sheet' | 'chapter' | null;
  pages: DocumentPage[];
  /** Notes for users: parts that were omitted, repaired or guessed. */
  warnings: string[];
}

/** Services for a parser. One with a module runs in a separate thread, which is terminated on timeout. */
export interface ParserContext {
  /** Tells how far it is; both count pages, or whatever the format has. */
  progress(done: number, total: number): void;
  /** Maximum total of decompressed bytes of the file. */
  maximumExpandedBytes: number;
  /** Most pages, sheets, entries or the like that are read; a document with more is refused. */
  maximumPages: number;
  /** Most characters of text; a document with more is refused. */
  maximumCharacters: number;
}

/** The function that the module of a parser exports as `parse`. */
export type Parse = (file: ParserFile, context: ParserContext) => Promise<ParsedDocument>;

/** A page as an image. */
export interface RenderedPage {
  /** Pixels. */
  width: number;
  height: number;
  /** A PNG file. */
  image: Uint8Array;
}

/** A rectangle on a page, in parts of its width and height, from its left and upper edge. */
export interface PageArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A text to find on pages. */
export interface PageTextQuery {
  text: string;
  /** Parts of the text that are located separately, in UTF-16 code units. */
  quotes: readonly { start: number; end: number }[];
  /** The pages that are searched, from 1; both included. */
  from: number;
  to: number;
}

/** Where a text stands on one page. Its lines are areas of their own. */
export interface PageTextAreas {
  page: number;
  text: PageArea[];
  /** Of all quotes. */
  quotes: PageArea[];
}

/**
 * Draws one page, from 1; at most `maximumPixels` of width and height each.
 * @returns null when there is no such page
 */
export type RenderPage = (file: ParserFile, page: number, maximumPixels: number) => Promise<RenderedPage | null>;

/** Finds a text that a parser read. @returns the pages that contain any of it, in order */
export type LocateText = (file: ParserFile, query: PageTextQuery) => Promise<PageTextAreas[]>;

interface ParserDescription {
  /** `author/name`; those that come with the service have the author `parley`. */
  plugin_id: string;
  name: I18nText;
  description: I18nText;
  /** In the order of preference; each unique among a parser's own. */
  media_types: readonly string[];
  /** In lower case, without the dot. */
  extensions: readonly string[];
}

/**
 * Reads a kind of documents by a module, which is loaded in a worker thread when a document of its kind comes: the
 * declaration is light. One folder under `parsers/`, or part of an extension.
 */
export interface ModuleParser extends ParserDescription {
  /**
   * File URL of a module that exports `parse`, a {@link Parse}. It throws ParleyError `document_broken`,
   * `document_encrypted`, `document_too_complex` or `document_type_unsupported`, with a message for users.
   */
  module: string;
  /**
   * File URL of a module that exports `renderPage`, a {@link RenderPage}, and `locateText`, a {@link LocateText}. Absent
   * where pages cannot be shown.
   */
  page_module?: string;
}

/** Reads a kind of documents elsewhere, such as in another process or a service. No module of it is loaded here. */
export interface RemoteParser extends ParserDescription {
  /**
   * As {@link Parse}. Its result is checked: a document of another shape is `document_broken`.
   * @param context its signal aborts on timeout and when the document is no longer wanted
   */
  parse(file: ParserFile, context: ParserContext & { signal: AbortSignal }): Promise<ParsedDocument>;
}

export type Parser = ModuleParser | RemoteParser;
