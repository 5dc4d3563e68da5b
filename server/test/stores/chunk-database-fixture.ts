import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewChunk } from '@parley/sdk/internal';
import { afterEach, beforeEach, expect } from 'vitest';
import { ChunkDatabase } from '../../src/storage/knowledge/sqlite/chunk-database.ts';
import {
  type ChunkDatabaseOptions,
  defaultOptions,
} from '../../src/storage/knowledge/sqlite/chunk-database-options.ts';
import { type KnowledgeFile, openKnowledgeFile } from '../../src/storage/knowledge/sqlite/knowledge-file.ts';
import { indexedDocument } from './chunk-store-fixture.ts';

let dataDir: string;
let opened: Opened[] = [];

/** Makes each test of a file start without files and remove its files. */
export function inAFolderOfItsOwn(): void {
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'parley-chunks-'));
  });
  afterEach(() => {
    for (const one of opened.splice(0)) one.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
}

/** The SQLite store of chunks without its thread. */
export interface Opened {
  database: ChunkDatabase;
  file: KnowledgeFile;
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
  close(): void;
}

export function openDatabase(options: Partial<ChunkDatabaseOptions> = {}, name = 'knowledge.db'): Opened {
  const file = openKnowledgeFile(join(dataDir, name), (_, error) => expect.unreachable(error));
  const failures: unknown[] = [];
  const waiting: (() => void)[] = [];
  const database = new ChunkDatabase(
    file,
    { ...defaultOptions, ...options },
    {
      failed: (error) => failures.push(error),
      idle: () => {
        for (const resolve of waiting.splice(0)) resolve();
      },
    },
  );
  const one: Opened = {
    database,
    file,
    idle: async () => {
      if (!database.isIdle) await new Promise<void>((resolve) => waiting.push(resolve));
      expect(failures).toEqual([]);
    },
    close: () => {
      opened = opened.filter((other) => other !== one);
      database.close();
    },
  };
  opened.push(one);
  return one;
}

/** Stores and publishes a document in the collection `c`. */
export async function storeIn(
  database: ChunkDatabase,
  id: string,
  chunks: readonly NewChunk[],
  title: string | null = null,
) {
  const edition = database.begin('c', indexedDocument(id, { title }));
  for (let from = 0; from < chunks.length; from += 200)
    await database.add('c', edition, chunks.slice(from, from + 200));
  await database.publish('c', edition);
}
