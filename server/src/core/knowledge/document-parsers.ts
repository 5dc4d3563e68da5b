import type { PageTextAreas, PageTextQuery, ParsedDocument, Parser, ParserFile, RenderedPage } from '@parley/sdk';
import type { Registry } from '../../lib/registry.ts';

/** A file that was packed into another. */
export interface PackedFile {
  /** The last part of its path, for display. */
  name: string;
  bytes: Uint8Array;
}

export interface ParseOptions {
  signal: AbortSignal;
  /** Pages, or whatever the format has. */
  progress?(done: number, total: number): void;
}

/** Reads documents in threads of their own, so that a file that is broken or hostile fails alone. */
export interface DocumentParsers {
  parsers: Registry<Parser>;
  /**
   * The parser for a file: by its extension, else by its media type.
   * @returns null when none reads it
   */
  parserFor(file: Pick<ParserFile, 'extension' | 'media_type'>): Parser | null;
  /**
   * @throws ParleyError `document_*`, `parse_time_limit` or `parse_memory_limit`, with a message for users
   * @throws the signal's reason when it is aborted
   */
  parse(parser: Parser, file: ParserFile, options: ParseOptions): Promise<ParsedDocument>;
  /**
   * The files in a ZIP archive that a parser supports, those in folders too; hidden system files are skipped.
   * @throws ParleyError as `parse`; `document_empty` when it holds none that can be parsed
   */
  unpack(bytes: Uint8Array, options: Pick<ParseOptions, 'signal'>): Promise<PackedFile[]>;
  /** Ends its threads. */
  close(): Promise<void>;
}

/** Draws pages of documents in threads of their own, for parsers that have a `page_module`. */
export interface DocumentPages {
  /**
   * @param options.maximumPixels most pixels of width and height each
   * @returns null when there is no such page
   * @throws ParleyError `document_broken`, `parse_time_limit` or `parse_memory_limit`
   * @throws the signal's reason when it is aborted
   */
  renderPage(
    parser: Parser,
    file: ParserFile,
    options: { page: number; maximumPixels: number; signal: AbortSignal },
  ): Promise<RenderedPage | null>;
  /** Throws as `renderPage`. @returns the pages that contain any of the text, in order */
  locateText(
    parser: Parser,
    file: ParserFile,
    options: { query: PageTextQuery; signal: AbortSignal },
  ): Promise<PageTextAreas[]>;
}
