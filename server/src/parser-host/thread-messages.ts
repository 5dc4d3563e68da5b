import type {
  DocumentBlock,
  ErrorDetail,
  PageTextAreas,
  PageTextQuery,
  ParsedDocument,
  Parser,
  ParserFile,
  Reason,
  RenderedPage,
} from '@parley/sdk';
import type { PackedFile } from '../core/knowledge/document-parsers.ts';

/** Limits of a document, or an archive of them. */
export interface DocumentLimits {
  maximumExpandedBytes: number;
  maximumPages: number;
  maximumCharacters: number;
  /** Headings, paragraphs, tables and the like. */
  maximumBlocks: number;
  maximumArchiveEntries: number;
  maximumArchiveEntryBytes: number;
}

/** Start parameters of a thread. */
export interface ThreadSetting {
  parsers: readonly ParserDeclaration[];
  limits: DocumentLimits;
  /** Whether other work goes first. */
  isBackground: boolean;
}

/** The data of a parser that a thread needs; its texts are not included. */
export interface ParserDeclaration extends Pick<Parser, 'plugin_id' | 'media_types' | 'extensions'> {
  /** Null for one that reads documents elsewhere. */
  module: string | null;
}

/** Requests to a thread, one after the other. */
export type ThreadQuestion =
  | { type: 'parse'; parser: ParserDeclaration; file: ParserFile }
  | { type: 'unpack'; bytes: Uint8Array }
  /** @see RenderPage; `module` is the parser's module for pages. */
  | { type: 'render'; module: string; file: ParserFile; page: number; maximumPixels: number }
  /** @see LocateText */
  | { type: 'locate'; module: string; file: ParserFile; query: PageTextQuery }
  /** What a parser elsewhere made of the document of `parse`. */
  | { type: 'read'; document: unknown }
  /** Acknowledges a part; the next one may follow. */
  | { type: 'next' };

/** Messages of a thread. Large documents arrive in parts, so that receiving one does not block for long. */
export type ThreadAnswer =
  | { type: 'progress'; done: number; total: number }
  /** The content is for a parser that reads documents elsewhere; `read` answers it. */
  | { type: 'elsewhere'; plugin_id: string }
  | { type: 'blocks'; blocks: DocumentBlock[] }
  | { type: 'parsed'; document: ParsedDocument }
  | { type: 'unpacked'; files: PackedFile[] }
  | { type: 'rendered'; page: RenderedPage | null }
  | { type: 'located'; pages: PageTextAreas[] }
  | { type: 'refused'; reason: Reason; message: string; details: ErrorDetail[] | undefined }
  /** An unhandled rejection of a library. The document continues; the thread is not used again. */
  | { type: 'stray'; error: string }
  /** An unexpected error. */
  | { type: 'failed'; error: string; isOutOfMemory: boolean };
