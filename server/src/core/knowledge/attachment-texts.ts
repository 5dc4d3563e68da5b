import { createHash } from 'node:crypto';
import type { DocumentBlock, MediaContent } from '@parley/sdk';
import { LRUCache } from 'lru-cache';
import { imageExtensionOf } from '../files/image-type.ts';
import type { DocumentParsers } from './document-parsers.ts';

/** Characters that are kept of all texts together. The files of a conversation are read with each of its messages. */
const maximumCharacters = 2_000_000;

/** The texts of documents in messages, read in the threads of the parsers. */
export class AttachmentTexts {
  readonly #parsers: Pick<DocumentParsers, 'parserFor' | 'parse'>;
  /** By the digest of the content and its type. */
  readonly #texts = new LRUCache<string, string>({
    maxSize: maximumCharacters,
    sizeCalculation: (text) => text.length + 100,
  });

  /** @param parsers whose threads documents for a knowledge base do not wait in */
  constructor(parsers: Pick<DocumentParsers, 'parserFor' | 'parse'>) {
    this.#parsers = parsers;
  }

  /** Whether a file may be attached to a message: a picture, a text, or a document that a parser reads. */
  accepts({ name, media_type }: Pick<MediaContent, 'name' | 'media_type'>): boolean {
    const isText = media_type.startsWith('text/');
    return isText || imageExtensionOf(media_type) !== null || this.#parserOf({ name, media_type }) !== null;
  }

  /**
   * The text of a document.
   * @returns null when no parser reads files of its type
   * @throws ParleyError `document_*`, `parse_time_limit` or `parse_memory_limit`
   * @throws the signal's reason when it is aborted
   */
  async read({ name, media_type, bytes }: MediaContent, signal: AbortSignal): Promise<string | null> {
    const parser = this.#parserOf({ name, media_type });
    if (parser === null) return null;
    const extension = extensionOf(name);
    const key = `${createHash('sha256').update(bytes).digest('base64')} ${extension} ${media_type}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const { blocks } = await this.#parsers.parse(parser, { name, extension, media_type, bytes }, { signal });
    const text = blocks.map(textOfBlock).join('\n\n');
    this.#texts.set(key, text);
    return text;
  }

  #parserOf({ name, media_type }: Pick<MediaContent, 'name' | 'media_type'>) {
    return this.#parsers.parserFor({ extension: extensionOf(name), media_type });
  }
}

function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

function textOfBlock(block: DocumentBlock): string {
  if (block.type === 'table') return block.rows.map((row) => row.join(' | ')).join('\n');
  if (block.type === 'heading') return `${'#'.repeat(block.level)} ${block.text}`;
  return block.type === 'list-item' ? `- ${block.text}` : block.text;
}
