import type { DocumentBlock, ErrorDetail, ParsedDocument, Parser, ParserFile, Reason } from '@parley/sdk';
import type { PackedFile } from '../core/knowledge/document-parsers.ts';

/** What a document, or an archive of them, may be at most. */
export interface DocumentLimits {
  maximumExpandedBytes: number;
  maximumPages: number;
  maximumCharacters: number;
  /** Headings, paragraphs, tables and the like. */
  maximumBlocks: number;
  maximumArchiveEntries: number;
  maximumArchiveEntryBytes: number;
}

/** What a thread is started with. */
export interface ThreadSetting {
  parsers: readonly ParserDeclaration[];
  limits: DocumentLimits;
}

/** Of a parser, what a thread has to know; its texts are not. */
export type ParserDeclaration = Pick<Parser, 'plugin_id' | 'media_types' | 'extensions' | 'module'>;

/** What a thread is asked for, one thing after the other. */
export type ThreadQuestion =
  | { type: 'parse'; parser: ParserDeclaration; file: ParserFile }
  | { type: 'unpack'; bytes: Uint8Array }
  /** What was sent has arrived; the next part may come. */
  | { type: 'next' };

/** What a thread tells. Large documents come in parts, so that nobody waits long while one is taken in. */
export type ThreadAnswer =
  | { type: 'progress'; done: number; total: number }
  | { type: 'blocks'; blocks: DocumentBlock[] }
  | { type: 'parsed'; document: ParsedDocument }
  | { type: 'unpacked'; files: PackedFile[] }
  | { type: 'refused'; reason: Reason; message: string; details: ErrorDetail[] | undefined }
  /** Something that a library forgot failed. The document goes on; the thread is used no more. */
  | { type: 'stray'; error: string }
  /** Something nobody meant. */
  | { type: 'failed'; error: string; isOutOfMemory: boolean };
