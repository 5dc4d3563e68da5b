import { Worker } from 'node:worker_threads';
import { type DocumentBlock, type Logger, ParleyError } from '@parley/sdk';
import { threadEnvironment } from '../lib/thread-environment.ts';
import type { ThreadAnswer, ThreadQuestion, ThreadSetting } from './thread-messages.ts';

export interface ThreadLimits {
  /** Longest that a document may take, milliseconds. */
  timeLimitMs: number;
  /** Most bytes by which the process may grow while a document is read, whatever they are used for. */
  memoryLimitBytes: number;
}

/** The parameters of one job. */
export interface Job {
  question: Exclude<ThreadQuestion, { type: 'next' | 'read' }>;
  /** The copies in it that move over to the thread. */
  moved: ArrayBuffer[];
  signal: AbortSignal;
  progress?: (done: number, total: number) => void;
  /** Has a parser elsewhere read the document. The signal aborts when the job ends. */
  readElsewhere?: (pluginId: string, signal: AbortSignal) => Promise<unknown>;
}

type Result = Extract<ThreadAnswer, { type: 'parsed' | 'unpacked' | 'rendered' | 'located' }>;

/** The context of a thread. */
export interface ThreadSurroundings {
  /** How many threads read a document now, this one among them. */
  busy: () => number;
  logger: Logger;
}

/** Interval of memory checks of the process, milliseconds. */
const watchInterval = 50;
const megabyte = 1_048_576;

/** One worker thread that parses documents. Its owner gives it one job at a time. */
export class ParserThread {
  readonly #worker: Worker;
  readonly #limits: ThreadLimits;
  readonly #busy: () => number;
  readonly #logger: Logger;
  readonly #ended: Promise<void>;
  #isUsable = true;

  constructor(setting: ThreadSetting, limits: ThreadLimits, { busy, logger }: ThreadSurroundings) {
    this.#limits = limits;
    this.#busy = busy;
    this.#logger = logger;
    // Next to this file, built or not.
    const name = import.meta.url.endsWith('.ts') ? './parser-worker.ts' : './parser-worker.js';
    this.#worker = new Worker(new URL(name, import.meta.url), {
      workerData: setting,
      env: threadEnvironment(),
      // Libraries write irrelevant output there.
      stdout: true,
      stderr: true,
      resourceLimits: {
        // Only growth faster than the checks gets here. V8 ends the entire process when a single large object exceeds
        // this limit, so it is far above normal usage.
        maxOldGenerationSizeMb: Math.ceil((2 * limits.memoryLimitBytes) / megabyte),
        maxYoungGenerationSizeMb: 16,
      },
    });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = promise;
    this.#worker.on('exit', () => {
      this.#isUsable = false;
      resolve();
    });
    this.#worker.on('message', (answer: ThreadAnswer) => {
      if (answer.type !== 'stray') return;
      this.#isUsable = false;
      logger.warn({ error: answer.error }, 'something went on in a parser after it had ended, and failed');
    });
    // During a job the job listens, too; one that falls at another time only ends the thread.
    this.#worker.on('error', () => {
      this.#isUsable = false;
    });
  }

  /** Whether it is idle. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** Resolves when the thread has ended. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** Does not keep the process from ending. */
  rest(): void {
    this.#worker.unref();
  }

  async end(): Promise<void> {
    this.#isUsable = false;
    await this.#worker.terminate();
  }

  /**
   * @throws ParleyError the error of the thread, or `parse_time_limit`, `parse_memory_limit`, `document_broken`
   * @throws the signal's reason; the thread has ended then
   */
  async run({ question, moved, signal, progress, readElsewhere }: Job): Promise<Result> {
    const worker = this.#worker;
    const outcome = Promise.withResolvers<Result>();
    const blocks: DocumentBlock[] = [];
    /** Running code in the thread cannot be stopped otherwise. */
    const giveUp = (error: unknown) => {
      this.#isUsable = false;
      outcome.reject(error);
      void worker.terminate();
    };
    const ending = new AbortController();
    const hand = async (pluginId: string) => {
      try {
        const document = await readElsewhere?.(pluginId, ending.signal);
        if (!ending.signal.aborted) worker.postMessage({ type: 'read', document } satisfies ThreadQuestion);
      } catch (error) {
        // The thread still waits for the document.
        giveUp(error instanceof ParleyError ? error : this.#unexpected(question, String(error)));
      }
    };
    const answered = (answer: ThreadAnswer) => {
      switch (answer.type) {
        case 'elsewhere':
          void hand(answer.plugin_id);
          return;
        case 'progress':
          progress?.(answer.done, answer.total);
          return;
        case 'blocks':
          for (const block of answer.blocks) blocks.push(block);
          // Yields first.
          setImmediate(() => worker.postMessage({ type: 'next' } satisfies ThreadQuestion));
          return;
        case 'parsed':
          answer.document.blocks = blocks;
          outcome.resolve(answer);
          return;
        case 'stray':
          return;
        case 'unpacked':
        case 'rendered':
        case 'located':
          outcome.resolve(answer);
          return;
        case 'refused':
          outcome.reject(new ParleyError(answer.reason, answer.message, answer.details && { details: answer.details }));
          return;
        case 'failed':
          giveUp(answer.isOutOfMemory ? this.#memoryLimit() : this.#unexpected(question, answer.error));
      }
    };
    const failed = (error: Error & { code?: string }) => {
      const isOutOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      giveUp(isOutOfMemory ? this.#memoryLimit() : this.#unexpected(question, error.stack ?? error.message));
    };
    const exited = () => giveUp(this.#unexpected(question, 'the thread ended'));
    const garbled = (error: Error) => giveUp(this.#unexpected(question, error.message));
    const aborted = () => giveUp(signal.reason);
    const before = process.memoryUsage.rss();
    let mostBusy = 1;
    const watch = setInterval(async () => {
      // The memory of another thread that has ended is released later.
      mostBusy = Math.max(mostBusy, this.#busy());
      if (await this.#takesTooMuch(process.memoryUsage.rss() - before, mostBusy)) giveUp(this.#memoryLimit());
    }, watchInterval);
    const late = setTimeout(() => giveUp(this.#timeLimit()), this.#limits.timeLimitMs);
    worker.on('message', answered).on('messageerror', garbled).on('error', failed).on('exit', exited);
    signal.addEventListener('abort', aborted, { once: true });
    try {
      worker.ref();
      if (signal.aborted) aborted();
      else worker.postMessage(question, moved);
      return await outcome.promise;
    } finally {
      ending.abort();
      // The memory of a large document is released when the thread ends, but late or never when it stays.
      if (process.memoryUsage.rss() - before > this.#limits.memoryLimitBytes / 8) this.#isUsable = false;
      signal.removeEventListener('abort', aborted);
      worker.off('message', answered).off('messageerror', garbled).off('error', failed).off('exit', exited);
      clearInterval(watch);
      clearTimeout(late);
    }
  }

  /**
   * Whether this thread caused the growth of the process. Memory of native code is only known for the process, so that
   * with several threads each is charged for all of them.
   * @param growth bytes since the job started
   * @param busy how many threads had a job at the same time since then
   */
  async #takesTooMuch(growth: number, busy: number): Promise<boolean> {
    const { memoryLimitBytes } = this.#limits;
    if (growth <= memoryLimitBytes) return false;
    if (busy < 2 || growth > busy * memoryLimitBytes) return true;
    // Rejects when the thread has ended.
    const own = await this.#worker.getHeapStatistics().catch(() => null);
    return own !== null && own.total_heap_size + own.external_memory > memoryLimitBytes;
  }

  #timeLimit(): ParleyError {
    const seconds = Math.round(this.#limits.timeLimitMs / 1000);
    return new ParleyError('parse_time_limit', `Reading the file took longer than ${seconds} s.`);
  }

  #memoryLimit(): ParleyError {
    const megabytes = Math.round(this.#limits.memoryLimitBytes / megabyte);
    return new ParleyError('parse_memory_limit', `Reading the file took more than ${megabytes} MB of memory.`);
  }

  #unexpected(question: Job['question'], error: string): ParleyError {
    const plugin_id = question.type === 'parse' ? question.parser.plugin_id : undefined;
    this.#logger.warn({ plugin_id, error }, 'a parser failed unexpectedly');
    return new ParleyError('document_broken', 'The file could not be read; it may be damaged.');
  }
}
