import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type IndexedDocument, type Logger, ParleyError } from '@parley/sdk';
import type { ChunkHit, ChunkSearch, NewChunk, StemmingLanguage, StoredChunk } from '@parley/sdk/internal';
import type { ChunkStore, KnownDocuments } from '../../../core/knowledge/chunk-store.ts';
import { threadEnvironment } from '../../../lib/thread-environment.ts';
import { type ChunkDatabaseOptions, chunkDatabaseFile, defaultOptions } from './chunk-database-options.ts';
import type { CarriedError, Method, WorkerMessage, WorkerNote } from './chunk-store-messages.ts';
import type { WorkerData } from './chunk-store-worker.ts';

export interface SqliteChunkStoreOptions extends Partial<ChunkDatabaseOptions> {
  dataDir: string;
  logger: Logger;
  /** How long an idle thread without work stays open, milliseconds. */
  keepThread?: number;
}

const defaultKeepThread = 5 * 60_000;
/** How long the thread may take to close the file, milliseconds. */
const closingTime = 10_000;

/** A call without a response yet. */
type PendingCall = PromiseWithResolvers<unknown>;

/**
 * Stores chunks and vectors in a separate SQLite file, `knowledge.db` in the data directory. A worker thread has the
 * file open; it starts with the first use, and not before there is a file to read. The content can be rebuilt from the
 * originals, so a damaged file is moved aside and replaced with an empty one.
 */
export class SqliteChunkStore implements ChunkStore {
  readonly #path: string;
  readonly #logger: Logger;
  readonly #keepThread: number;
  readonly #options: ChunkDatabaseOptions;
  readonly #pending = new Map<number, PendingCall>();
  #worker: Worker | null = null;
  #resting: NodeJS.Timeout | undefined;
  #count = 0;
  #isClosed = false;
  #closing: Promise<void> | null = null;

  constructor({ dataDir, logger, keepThread = defaultKeepThread, ...options }: SqliteChunkStoreOptions) {
    this.#path = chunkDatabaseFile(dataDir);
    this.#logger = logger;
    this.#keepThread = keepThread;
    this.#options = { ...defaultOptions, ...options };
  }

  create(collectionId: string, { language }: { language: StemmingLanguage }): Promise<void> {
    return this.#call('create', [collectionId, language]);
  }

  drop(collectionId: string): Promise<void> {
    return this.#callIfExists('drop', [collectionId], () => undefined);
  }

  begin(collectionId: string, document: IndexedDocument): Promise<string> {
    return this.#callIfExists('begin', [collectionId, document], nothingThere);
  }

  add(collectionId: string, edition: string, chunks: readonly NewChunk[]): Promise<void> {
    // The caller's vectors are copied, and the copies transferred.
    const vectors = chunks.map(({ vector }) => vector?.slice() ?? null);
    const copies = chunks.map((chunk, index) => ({ ...chunk, vector: vectors[index] }));
    return this.#callIfExists('add', [collectionId, edition, copies], nothingThere, buffersOf(vectors));
  }

  publish(collectionId: string, edition: string): Promise<void> {
    return this.#callIfExists('publish', [collectionId, edition], nothingThere);
  }

  abandon(collectionId: string, edition: string): Promise<void> {
    return this.#callIfExists('abandon', [collectionId, edition], () => undefined);
  }

  remove(collectionId: string, documentId: string): Promise<void> {
    return this.#callIfExists('remove', [collectionId, documentId], () => undefined);
  }

  search(collectionId: string, search: ChunkSearch): Promise<{ keyword: ChunkHit[]; vector: ChunkHit[] }> {
    // Without the rest of a buffer that it may be a part of.
    const copied = search.vector === undefined ? search : { ...search, vector: search.vector.slice() };
    return this.#callIfExists('search', [collectionId, copied], () => ({ keyword: [], vector: [] }));
  }

  read(collectionId: string, ids: readonly string[]): Promise<StoredChunk[]> {
    return this.#callIfExists('read', [collectionId, ids], () => []);
  }

  list(collectionId: string, documentId: string, page: { from: number; limit: number }): Promise<StoredChunk[]> {
    return this.#callIfExists('list', [collectionId, documentId, page], () => []);
  }

  statistics(collectionId: string): Promise<{ documents: number; chunks: number; dimensions: number | null } | null> {
    return this.#callIfExists('statistics', [collectionId], () => null);
  }

  documents(collectionId: string): Promise<Map<string, number>> {
    return this.#callIfExists('documents', [collectionId], () => new Map());
  }

  /** No other process stores documents in the file. */
  async sweep(read: () => Promise<ReadonlyMap<string, KnownDocuments>>): Promise<number> {
    return this.#callIfExists('sweep', [await read()], () => 0);
  }

  knownVectors(model: string, hashes: readonly string[]): Promise<(Float32Array | null)[]> {
    return this.#callIfExists('knownVectors', [model, hashes], () => hashes.map(() => null));
  }

  async keepVectors(model: string, vectors: readonly { hash: string; vector: Float32Array }[]): Promise<void> {
    if (vectors.length === 0 && !this.#isClosed) return;
    const copies = vectors.map(({ hash, vector }) => ({ hash, vector: vector.slice() }));
    await this.#call('keepVectors', [model, copies], buffersOf(copies.map(({ vector }) => vector)));
  }

  /** Rejects open calls and closes the file. Cleanup continues after the next start. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#resting);
    const worker = this.#worker;
    this.#end(closedError());
    if (worker === null) return;
    await closeWorker(worker);
  }

  /** @param otherwise the result while there is no file */
  async #callIfExists<Result>(
    method: Method,
    values: unknown[],
    otherwise: () => Result,
    transferred: ArrayBuffer[] = [],
  ): Promise<Result> {
    if (this.#isClosed || this.#worker !== null || existsSync(this.#path))
      return this.#call(method, values, transferred);
    return otherwise();
  }

  #call<Result>(method: Method, values: unknown[], transferred: ArrayBuffer[] = []): Promise<Result> {
    if (this.#isClosed) return Promise.reject(closedError());
    clearTimeout(this.#resting);
    this.#worker ??= this.#begin();
    const worker = this.#worker;
    const id = this.#count++;
    const call: PendingCall = Promise.withResolvers();
    this.#pending.set(id, call);
    worker.ref();
    const message: WorkerMessage = { id, method, values };
    worker.postMessage(message, transferred);
    return call.promise as Promise<Result>;
  }

  #begin(): Worker {
    // Next to this file, both built and from source.
    const name = import.meta.url.endsWith('.ts') ? './chunk-store-worker.ts' : './chunk-store-worker.js';
    const data: WorkerData = { path: this.#path, options: this.#options };
    const worker = new Worker(new URL(name, import.meta.url), {
      workerData: data,
      env: threadEnvironment(),
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    worker.on('message', (note: WorkerNote) => this.#hear(worker, note));
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#end(error);
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#end(new Error('The thread of the chunk store has ended'));
    });
    return worker;
  }

  #hear(worker: Worker, note: WorkerNote): void {
    switch (note.kind) {
      case 'answer':
        this.#settle(worker, note.id)?.resolve(note.result);
        return;
      case 'error':
        this.#settle(worker, note.id)?.reject(errorOf(note.error));
        return;
      case 'idle':
        if (this.#worker === worker && this.#pending.size === 0) this.#rest(worker);
        return;
      case 'warning':
        this.#logger.warn(note.fields, note.message);
        return;
      case 'damaged':
        this.#logger.error(
          { file: this.#path, moved_to: note.movedTo, error: note.error },
          'The file of knowledge is damaged and was moved aside; documents are re-indexed after a restart',
        );
        return;
    }
  }

  #settle(worker: Worker, id: number): PendingCall | undefined {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    // Idle: it does not keep the process alive.
    if (this.#pending.size === 0) worker.unref();
    return call;
  }

  #rest(worker: Worker): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      this.#worker = null;
      void closeWorker(worker);
    }, this.#keepThread);
    this.#resting.unref();
  }

  #end(error: unknown): void {
    this.#worker = null;
    for (const call of this.#pending.values()) call.reject(error);
    this.#pending.clear();
  }
}

function closeWorker(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    // Closing the file during work is safe, too; this only bounds the wait.
    const bound = setTimeout(() => void worker.terminate(), closingTime);
    worker.once('exit', () => {
      clearTimeout(bound);
      resolve();
    });
    worker.ref();
    worker.postMessage('close' satisfies WorkerMessage);
  });
}

function buffersOf(vectors: readonly (Float32Array | null)[]): ArrayBuffer[] {
  return vectors.flatMap((vector) => (vector === null ? [] : [vector.buffer as ArrayBuffer]));
}

function nothingThere(): never {
  throw new ParleyError('not_found', 'The collection does not exist');
}

function closedError(): Error {
  return new ParleyError('not_ready', 'The chunk store is closed');
}

function errorOf({ reason, message, details }: CarriedError): Error {
  if (reason === null) return new Error(message);
  return new ParleyError(reason, message, details === undefined ? {} : { details });
}
