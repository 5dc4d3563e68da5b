import { type PageTextAreas, type PageTextQuery, type Parser, type ParserFile, problemError } from '@parley/sdk';
import { BoundedConcurrency } from '../../lib/bounded-concurrency.ts';
import { untilAborted } from '../../lib/waiting.ts';
import type { FileService } from '../files/file-service.ts';
import type { KnowledgeDocument } from './document.ts';
import { contentOf, wholeOf } from './document-content.ts';
import type { DocumentPages, DocumentParsers } from './document-parsers.ts';
import type { DocumentService } from './document-service.ts';

/** Images of pages, of which each may be removed at any time. Keys are hexadecimal digits and hyphens. */
export interface PageImageCache {
  read(key: string): Promise<Uint8Array | null>;
  write(key: string, image: Uint8Array): Promise<void>;
  /** Removes those whose key starts with a text. */
  removeAll(prefix: string): Promise<void>;
}

export interface DocumentPageImagesOptions {
  parsers: Pick<DocumentParsers, 'parserFor'>;
  files: Pick<FileService, 'document'>;
  pages: DocumentPages;
  cache: PageImageCache;
  /** The parser of this name; null for an unknown one. */
  findParser: (pluginId: string) => Parser | null;
}

/** Enough for a page of text on a screen of high density. */
const maximumPixels = 1600;
/** Documents that are held in memory at the same time, and requests that wait for that. */
const turns = { limit: 2, longestQueue: 64 };
const retryAfterSeconds = 5;

/** Draws pages of documents, and finds texts on them. */
export class DocumentPageImages {
  readonly #documents: Pick<DocumentService, 'get'>;
  readonly #options: DocumentPageImagesOptions;
  readonly #turns = new BoundedConcurrency(turns);
  /** Images that are being drawn, by their key. */
  readonly #drawing = new Map<string, Promise<Uint8Array | null>>();

  constructor(documents: Pick<DocumentService, 'get'>, options: DocumentPageImagesOptions) {
    this.#documents = documents;
    this.#options = options;
  }

  /** Whether the pages of a document can be shown. */
  areShown(document: KnowledgeDocument): boolean {
    return this.#parserOf(document) !== null;
  }

  /**
   * A page as PNG.
   * @param page from 1
   * @throws ParleyError `not_found` without such a base, document or page, and for documents whose pages cannot be shown;
   *   `document_broken`, `parse_time_limit`, `parse_memory_limit` or `too_many_requests`
   */
  async image(baseUuid: string, uuid: string, page: number, signal: AbortSignal): Promise<Uint8Array> {
    const document = await this.#documents.get(baseUuid, uuid);
    const key = `${document.sha256}-${page}`;
    const known = await this.#options.cache.read(key);
    if (known !== null) return known;
    // Drawn once for all who ask for it meanwhile, so that no one of them may abort it.
    let drawing = this.#drawing.get(key);
    if (drawing === undefined) {
      drawing = this.#draw(document, page, key).finally(() => this.#drawing.delete(key));
      this.#drawing.set(key, drawing);
      // The client may have disconnected.
      drawing.catch(() => undefined);
    }
    const image = await untilAborted(drawing, signal);
    if (image === null) throw problemError('document_page_not_found', { page: String(page) });
    return image;
  }

  /** Where a text stands. Throws as `image`. @returns the pages that contain any of it, in order */
  async locate(baseUuid: string, uuid: string, query: PageTextQuery, signal: AbortSignal): Promise<PageTextAreas[]> {
    const document = await this.#documents.get(baseUuid, uuid);
    return this.#opened(document, signal, (parser, file) =>
      this.#options.pages.locateText(parser, file, { query, signal }),
    );
  }

  async #draw(document: KnowledgeDocument, page: number, key: string): Promise<Uint8Array | null> {
    const { pages, files, cache } = this.#options;
    const never = new AbortController().signal;
    const drawn = await this.#opened(document, never, (parser, file) =>
      pages.renderPage(parser, file, { page, maximumPixels, signal: never }),
    );
    if (drawn === null) return null;
    // The page is shown even when the disk is full.
    await cache.write(key, drawn.image).catch(() => undefined);
    // Its images were removed with it.
    if ((await files.document(document.file_uuid)) === null) await cache.removeAll(document.sha256);
    return drawn.image;
  }

  async #opened<Result>(
    document: KnowledgeDocument,
    signal: AbortSignal,
    use: (parser: Parser, file: ParserFile) => Promise<Result>,
  ): Promise<Result> {
    const parser = this.#parserOf(document);
    if (parser === null) throw problemError('document_pages_not_shown');
    const end = await this.#turns.enter(signal);
    if (end === null) {
      throw problemError(
        'too_many_pages',
        {},
        {
          retryAfterSeconds,
        },
      );
    }
    try {
      const { file_name: name, extension, media_type, size } = document;
      const bytes = await wholeOf(contentOf(this.#options.files, document), size);
      return await use(parser, { name, extension, media_type, bytes });
    } finally {
      end();
    }
  }

  /** The parser that read the document, or another for its content. */
  #parserOf({ parser_plugin_id: named, extension, media_type }: KnowledgeDocument): Parser | null {
    const { parsers, findParser } = this.#options;
    const candidates = [
      named === null ? parsers.parserFor({ extension, media_type }) : findParser(named),
      parsers.parserFor({ extension: '', media_type }),
    ];
    return candidates.find((parser) => parser !== null && 'page_module' in parser) ?? null;
  }
}
