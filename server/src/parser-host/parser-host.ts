import {
  type Logger,
  type PageTextAreas,
  type PageTextQuery,
  ParleyError,
  type ParsedDocument,
  type Parser,
  type ParserFile,
  type RenderedPage,
} from '@parley/sdk';
import type { DocumentPages, DocumentParsers, PackedFile, ParseOptions } from '../core/knowledge/document-parsers.ts';
import { ConcurrencyLimit } from '../lib/concurrency-limit.ts';
import type { Registry } from '../lib/registry.ts';
import { inTime, untilAborted } from '../lib/waiting.ts';
import { chooseParser } from './choose-parser.ts';
import { type Job, ParserThread, type ThreadLimits } from './parser-thread.ts';
import type { DocumentLimits, ParserDeclaration } from './thread-messages.ts';

export interface ParserHostOptions extends Partial<DocumentLimits>, Partial<ThreadLimits> {
  logger: Logger;
  /** Documents that are read at the same time; default 1. */
  threads?: number;
  /** How long a thread waits for another document, milliseconds. Its memory is released when it ends. */
  idleMs?: number;
  /** Whether other work goes first; default true. */
  isBackground?: boolean;
}

/** What a document may have and expand to. */
export const defaultLimits: DocumentLimits = {
  maximumExpandedBytes: 100_000_000,
  maximumPages: 5000,
  maximumCharacters: 20_000_000,
  maximumBlocks: 500_000,
  maximumArchiveEntries: 1000,
  maximumArchiveEntryBytes: 10_485_760,
};

const defaultThreadLimits: ThreadLimits = { timeLimitMs: 120_000, memoryLimitBytes: 536_870_912 };

/** Timeout for a thread that was asked to end, milliseconds. Native code ends when it is done. */
const longestEnd = 5000;

/** V8 retains the pages of ended threads until a collection at least eight seconds later, milliseconds. */
const pageRetention = 10_000;

/** Parses documents and draws their pages in worker threads, which are created on demand and end when idle. */
export class ParserHost implements DocumentParsers, DocumentPages {
  readonly parsers: Registry<Parser>;
  readonly #limits: DocumentLimits;
  readonly #threadLimits: ThreadLimits;
  readonly #logger: Logger;
  readonly #idleMs: number;
  readonly #isBackground: boolean;
  readonly #turns: ConcurrencyLimit;
  /** All that are there, those that are about to end as well. */
  readonly #threads = new Set<ParserThread>();
  readonly #idle = new Map<ParserThread, NodeJS.Timeout>();
  readonly #closing = new AbortController();
  #collecting: NodeJS.Timeout | undefined;

  constructor(parsers: Registry<Parser>, options: ParserHostOptions) {
    const { logger, threads = 1, idleMs = 30_000, isBackground = true } = options;
    this.parsers = parsers;
    this.#limits = {
      maximumExpandedBytes: options.maximumExpandedBytes ?? defaultLimits.maximumExpandedBytes,
      maximumPages: options.maximumPages ?? defaultLimits.maximumPages,
      maximumCharacters: options.maximumCharacters ?? defaultLimits.maximumCharacters,
      maximumBlocks: options.maximumBlocks ?? defaultLimits.maximumBlocks,
      maximumArchiveEntries: options.maximumArchiveEntries ?? defaultLimits.maximumArchiveEntries,
      maximumArchiveEntryBytes: options.maximumArchiveEntryBytes ?? defaultLimits.maximumArchiveEntryBytes,
    };
    this.#threadLimits = {
      timeLimitMs: options.timeLimitMs ?? defaultThreadLimits.timeLimitMs,
      memoryLimitBytes: options.memoryLimitBytes ?? defaultThreadLimits.memoryLimitBytes,
    };
    this.#logger = logger;
    this.#idleMs = idleMs;
    this.#isBackground = isBackground;
    this.#turns = new ConcurrencyLimit(threads);
  }

  /** Threads that are there, those without work too. */
  get threads(): number {
    return this.#threads.size;
  }

  parserFor(file: Pick<ParserFile, 'extension' | 'media_type'>): Parser | null {
    return chooseParser(this.parsers.list(), file);
  }

  async parse(parser: Parser, file: ParserFile, options: ParseOptions): Promise<ParsedDocument> {
    const { signal, progress } = options;
    const result = await this.#run(signal, () => {
      const { copy, moved } = copyOf(file);
      return {
        question: { type: 'parse', parser: declarationOf(parser), file: copy },
        moved,
        readElsewhere: (pluginId, ending) => this.#readElsewhere(pluginId, file, { ...options, signal: ending }),
        ...(progress === undefined ? {} : { progress }),
      };
    });
    if (result.type !== 'parsed') throw new TypeError('the thread answered another question');
    return result.document;
  }

  async #readElsewhere(pluginId: string, file: ParserFile, options: ParseOptions): Promise<unknown> {
    const parser = this.parsers.get(pluginId);
    if (parser === undefined || !('parse' in parser)) {
      throw new ParleyError('document_type_unsupported', `The parser ${pluginId} is no longer there.`);
    }
    const { signal, progress = () => undefined } = options;
    return await parser.parse({ ...file }, { ...this.#limits, progress, signal });
  }

  async unpack(bytes: Uint8Array, { signal }: Pick<ParseOptions, 'signal'>): Promise<PackedFile[]> {
    const result = await this.#run(signal, () => {
      const copy = new Uint8Array(bytes);
      return { question: { type: 'unpack', bytes: copy }, moved: [copy.buffer] };
    });
    if (result.type !== 'unpacked') throw new TypeError('the thread answered another question');
    return result.files;
  }

  async renderPage(
    parser: Parser,
    file: ParserFile,
    { page, maximumPixels, signal }: { page: number; maximumPixels: number; signal: AbortSignal },
  ): Promise<RenderedPage | null> {
    const result = await this.#run(signal, () => {
      const { copy, moved } = copyOf(file);
      return { question: { type: 'render', module: pageModuleOf(parser), file: copy, page, maximumPixels }, moved };
    });
    if (result.type !== 'rendered') throw new TypeError('the thread answered another question');
    return result.page;
  }

  async locateText(
    parser: Parser,
    file: ParserFile,
    { query, signal }: { query: PageTextQuery; signal: AbortSignal },
  ): Promise<PageTextAreas[]> {
    const result = await this.#run(signal, () => {
      const { copy, moved } = copyOf(file);
      return { question: { type: 'locate', module: pageModuleOf(parser), file: copy, query }, moved };
    });
    if (result.type !== 'located') throw new TypeError('the thread answered another question');
    return result.pages;
  }

  async close(): Promise<void> {
    this.#closing.abort(new ParleyError('not_ready', 'The server is stopping.'));
    clearTimeout(this.#collecting);
    for (const thread of this.#idle.keys()) this.#end(thread);
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  /** @param job created when its turn has come, so that waiting documents take no memory */
  #run(callerSignal: AbortSignal, job: () => Omit<Job, 'signal'>) {
    const signal = AbortSignal.any([callerSignal, this.#closing.signal]);
    const running = this.#turns.run(async () => {
      signal.throwIfAborted();
      const thread = this.#take();
      try {
        return await thread.run({ ...job(), signal });
      } finally {
        await this.#giveBack(thread);
      }
    });
    // An aborted document does not wait for a turn.
    return untilAborted(running, signal);
  }

  #take(): ParserThread {
    for (const [thread, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(thread);
      if (thread.isUsable) return thread;
    }
    const parsers = this.parsers.list().map(declarationOf);
    const setting = { parsers, limits: this.#limits, isBackground: this.#isBackground };
    const busy = () => this.#threads.size - this.#idle.size;
    const thread = new ParserThread(setting, this.#threadLimits, { busy, logger: this.#logger });
    this.#threads.add(thread);
    void thread.ended.then(() => {
      this.#threads.delete(thread);
      this.#collectLater();
    });
    return thread;
  }

  /** An idle service collects no garbage, so the pages would stay. The minor collection is cheap. */
  #collectLater(): void {
    clearTimeout(this.#collecting);
    if (this.#threads.size > 0 || this.#closing.signal.aborted) return;
    this.#collecting = setTimeout(() => globalThis.gc?.({ type: 'minor', execution: 'sync' }), pageRetention);
    this.#collecting.unref();
  }

  /** The next one has to wait until the memory of one that ends is free. */
  async #giveBack(thread: ParserThread): Promise<void> {
    if (!thread.isUsable || this.#closing.signal.aborted) {
      this.#end(thread);
      await inTime(thread.ended, longestEnd, () => undefined);
      return;
    }
    thread.rest();
    const timer = setTimeout(() => this.#end(thread), this.#idleMs);
    timer.unref();
    this.#idle.set(thread, timer);
  }

  #end(thread: ParserThread): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    thread.end().catch((error: unknown) => this.#logger.warn({ error }, 'a thread of a parser did not end'));
  }
}

/** A file that can move over to a thread. */
function copyOf({ name, extension, media_type, bytes: content }: ParserFile) {
  const bytes = new Uint8Array(content);
  return { copy: { name, extension, media_type, bytes }, moved: [bytes.buffer] };
}

function pageModuleOf(parser: Parser): string {
  const module = 'module' in parser ? parser.page_module : undefined;
  if (module === undefined) throw new TypeError(`${parser.plugin_id} draws no pages`);
  return module;
}

/** Of a plugin's object, only what can be sent to a thread. */
function declarationOf(parser: Parser): ParserDeclaration {
  const { plugin_id, media_types, extensions } = parser;
  const module = 'module' in parser ? parser.module : null;
  return { plugin_id, media_types: [...media_types], extensions: [...extensions], module };
}
