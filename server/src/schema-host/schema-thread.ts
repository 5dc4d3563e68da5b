import { Worker } from 'node:worker_threads';
import { ParleyError } from '@parley/sdk';
import type { ParameterFault } from '../core/tools/parameter-checker.ts';
import { threadEnvironment } from '../lib/thread-environment.ts';
import type { SchemaAnswer, SchemaQuestion } from './schema-messages.ts';

/** Start timeout of a thread, milliseconds: on a busy machine a slow start is not caused by the schema. */
const startMs = 20_000;

/** One worker thread that validates parameters. Its owner makes one request at a time. */
export class SchemaThread {
  readonly #worker: Worker;
  readonly #deadlineMs: number;
  #isReady = false;
  #isUsable = true;

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
    // Next to this file, built or not.
    const name = import.meta.url.endsWith('.ts') ? './schema-worker.ts' : './schema-worker.js';
    this.#worker = new Worker(new URL(name, import.meta.url), {
      env: threadEnvironment(),
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
    });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    const gone = () => {
      this.#isUsable = false;
    };
    this.#worker.on('error', gone).on('exit', gone);
  }

  /** Whether it can be used again. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** Does not keep the process from ending. */
  rest(): void {
    this.#worker.unref();
  }

  async end(): Promise<void> {
    this.#isUsable = false;
    await this.#worker.terminate();
  }

  /** @throws ParleyError `tool_failed` */
  async faultsOf(question: SchemaQuestion): Promise<ParameterFault[]> {
    this.#worker.ref();
    if (!this.#isReady) {
      await this.#next(startMs);
      this.#isReady = true;
    }
    this.#worker.postMessage(question);
    const answer = await this.#next(this.#deadlineMs);
    if (answer.type === 'checked') return answer.faults;
    throw failure(`its schema cannot be used${answer.type === 'unusable' ? `: ${answer.error}` : ''}`);
  }

  /** The next message of the thread. Running code in it can only be stopped by ending it. */
  async #next(milliseconds: number): Promise<SchemaAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<SchemaAnswer>();
    const timer = setTimeout(() => {
      reject(failure(`checking its parameters took longer than ${milliseconds / 1000} s`));
      void this.end();
    }, milliseconds);
    const exited = () => reject(failure('checking its parameters took too much memory, or was stopped'));
    this.#worker.once('message', resolve).once('exit', exited);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#worker.off('message', resolve).off('exit', exited);
    }
  }
}

function failure(message: string): ParleyError {
  return new ParleyError('tool_failed', `the tool was not called: ${message}`);
}
