import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { Logger } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chunkStoreContract } from '../../../../test/stores/chunk-store-contract.ts';
import {
  ChunkStoreUser,
  indexedDocument,
  known,
  newChunk,
  storeDocument,
  vector,
} from '../../../../test/stores/chunk-store-fixture.ts';
import { SqliteChunkStore, type SqliteChunkStoreOptions } from './sqlite-chunk-store.ts';

const logger = { debug() {}, info() {}, warn: vi.fn<Logger['warn']>(), error: vi.fn<Logger['error']>() };

let contractDir: string;
chunkStoreContract('SQLite', {
  open: async () => {
    contractDir = mkdtempSync(join(tmpdir(), 'parley-chunks-'));
    const store = new SqliteChunkStore({ dataDir: contractDir, logger });
    const close = store.close.bind(store);
    return Object.assign(store, {
      close: async () => {
        await close();
        rmSync(contractDir, { recursive: true, force: true });
      },
    });
  },
  forgetVectors: async () => {
    const path = join(contractDir, 'knowledge.db');
    if (!existsSync(path)) return;
    const database = new DatabaseSync(path, { timeout: 10_000 });
    database.exec('delete from kept_vectors');
    database.close();
  },
  vectors: true,
});

let dataDir: string;
const stores: SqliteChunkStore[] = [];
const children: ChildProcess[] = [];
const file = () => join(dataDir, 'knowledge.db');

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-chunks-'));
  logger.warn.mockClear();
  logger.error.mockClear();
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await Promise.all(stores.splice(0).map((store) => store.close()));
  rmSync(dataDir, { recursive: true, force: true });
});

function open(options: Partial<SqliteChunkStoreOptions> = {}): SqliteChunkStore {
  const store = new SqliteChunkStore({ dataDir, logger, ...options });
  stores.push(store);
  return store;
}

async function filled(): Promise<SqliteChunkStore> {
  const store = open();
  await store.create('c', { language: 'english' });
  await storeDocument(store, 'c', indexedDocument('a'), [newChunk(0, 'a whale', { vector: vector(1, 0) })]);
  return store;
}

describe('the file', () => {
  test('is not made by asking, and nothing is started', async () => {
    const store = open();
    expect(await store.statistics('c')).toBeNull();
    expect(await store.search('c', { text: 'whale', vector: vector(1), limit: 5 })).toEqual({
      keyword: [],
      vector: [],
    });
    expect(await store.knownVectors('m', ['a', 'b'])).toEqual([null, null]);
    expect(await store.sweep(known())).toBe(0);
    await store.keepVectors('m', []);
    await store.drop('c');
    await expect(store.begin('c', indexedDocument('a'))).rejects.toMatchObject({ reason: 'not_found' });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('is for its owner alone, and one file when it is closed', async () => {
    const store = await filled();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    await store.close();
    expect(readdirSync(dataDir)).toEqual(['knowledge.db']);
  });

  test('holds what was stored for the next start', async () => {
    const store = await filled();
    await store.keepVectors('m', [{ hash: 'h', vector: vector(1, 2) }]);
    await store.close();
    const again = open();
    expect(await new ChunkStoreUser(() => again).found('whale')).toEqual(['a whale']);
    expect(await new ChunkStoreUser(() => again).nearest(vector(1, 1))).toEqual(['a whale']);
    expect(await again.statistics('c')).toEqual({ documents: 1, chunks: 1, dimensions: 2 });
    expect(await again.knownVectors('m', ['h'])).toEqual([vector(1, 2)]);
    expect(logger.error).not.toHaveBeenCalled();
  });

  test.each<[string, () => void]>([
    ['is none of SQLite', () => writeFileSync(file(), 'no database at all, but quite long'.repeat(1000))],
    ['is damaged where it begins', () => overwrite(file(), 100, 16_000)],
  ])('that %s is moved aside, and an empty one takes its place', async (_, damage) => {
    await (await filled()).close();
    damage();
    const store = open();
    expect(await store.statistics('c')).toBeNull();
    expect(await store.documents('c')).toEqual(new Map());
    await store.create('c', { language: 'english' });
    await storeDocument(store, 'c', indexedDocument('a'), [newChunk(0, 'a whale')]);
    expect(await new ChunkStoreUser(() => store).found('whale')).toEqual(['a whale']);
    expect(logger.error).toHaveBeenCalledOnce();
    expect(readdirSync(dataDir).filter((name) => name.startsWith('knowledge.db.damaged-'))).toHaveLength(1);
  });

  test('that turns out to be damaged later fails who asks, and is moved aside', async () => {
    const store = await filled();
    const texts = Array.from({ length: 300 }, (_, index) => newChunk(index, `whale ${'text '.repeat(100)}${index}`));
    await storeDocument(store, 'c', indexedDocument('b'), texts);
    await store.close();
    // All but where it begins.
    overwrite(file(), 10 * 8192, statSync(file()).size - 10 * 8192);
    const again = open();
    const answers = await Promise.allSettled([
      again.list('c', 'b', { from: 0, limit: 300 }),
      again.search('c', { text: 'whale', limit: 300 }),
      again.search('c', { text: 'text', limit: 300 }),
    ]);
    expect(answers.map(({ status }) => status)).toContain('rejected');
    await vi.waitFor(() => expect(logger.error).toHaveBeenCalledOnce(), { timeout: 30_000 });
    expect(await again.statistics('c')).toBeNull();
    await again.create('c', { language: 'english' });
    expect(await again.statistics('c')).toEqual({ documents: 0, chunks: 0, dimensions: null });
  });

  test('of a newer version is left alone, which is said', async () => {
    await (await filled()).close();
    const database = new DatabaseSync(file());
    database.exec('pragma user_version = 99');
    database.close();
    const store = open();
    for (const asked of [
      store.statistics('c'),
      store.create('d', { language: 'none' }),
      store.knownVectors('m', ['a']),
    ]) {
      await expect(asked).rejects.toThrow('newer version');
    }
    await store.close();
    expect(readdirSync(dataDir)).toEqual(['knowledge.db']);
  });

  test('that cannot be opened fails who asks, until it can', async () => {
    const store = open({ dataDir: join(dataDir, 'not', 'there') });
    await expect(store.create('c', { language: 'none' })).rejects.toThrow();
    expect(existsSync(join(dataDir, 'not'))).toBe(false);
  });
});

describe('the thread', () => {
  test('ends when idle and starts again', async () => {
    const store = open({ keepThread: 50 });
    await store.create('c', { language: 'english' });
    for (let round = 0; round < 3; round++) {
      await storeDocument(store, 'c', indexedDocument(`d${round}`), [newChunk(0, `whale ${round}`)]);
      expect(await new ChunkStoreUser(() => store).found('whale')).toHaveLength(round + 1);
      // The last one who closes the file tidies up beside it.
      await vi.waitFor(() => expect(readdirSync(dataDir)).toEqual(['knowledge.db']), { timeout: 30_000 });
    }
  });

  test('answers questions while much is stored', async () => {
    const store = await filled();
    let isStored = false;
    const words = 'all of this takes a while to be cut into words '.repeat(20);
    const chunks = Array.from({ length: 3000 }, (_, index) => newChunk(index, `${words}${index}`));
    const stored = (async () => {
      const edition = await store.begin('c', indexedDocument('b'));
      // All at once, without waiting.
      await store.add('c', edition, chunks);
      isStored = true;
      await store.publish('c', edition);
    })();
    let answers = 0;
    while (!isStored) {
      expect(await new ChunkStoreUser(() => store).found('whale')).toEqual(['a whale']);
      if (!isStored) answers += 1;
    }
    await stored;
    expect(answers).toBeGreaterThan(3);
    expect(await store.statistics('c')).toMatchObject({ documents: 2, chunks: 3001 });
  });

  test('leaves the one that handles messages free while much is stored', async () => {
    const store = await filled();
    const chunks = Array.from({ length: 200 }, (_, index) =>
      newChunk(index, 'word '.repeat(200), { vector: new Float32Array(2).fill(index + 1) }),
    );
    const edition = await store.begin('c', indexedDocument('b'));
    const begun = performance.eventLoopUtilization();
    for (let round = 0; round < 10; round++) await store.add('c', edition, chunks);
    // It waits for the other thread most of the time.
    expect(performance.eventLoopUtilization(begun).utilization).toBeLessThan(0.7);
  });

  test('rejects open calls when the store is closed', async () => {
    const store = await filled();
    const edition = await store.begin('c', indexedDocument('b'));
    const chunks = Array.from({ length: 2000 }, (_, index) => newChunk(index, 'word '.repeat(200)));
    const added = store.add('c', edition, chunks);
    const refused = expect(added).rejects.toMatchObject({ reason: 'not_ready' });
    await store.close();
    await refused;
    const again = open();
    expect(await again.sweep(known({ c: ['a'] }))).toBe(1);
    expect(await again.statistics('c')).toMatchObject({ documents: 1, chunks: 1 });
  });
});

test('a process that is killed while it stores leaves whole editions only', { timeout: 120_000 }, async () => {
  for (const [round, afterPublished] of [0, 1, 3].entries()) {
    await killedWhileStoring(afterPublished);
    const store = open();
    const documents = await store.documents('c');
    let chunks = 0;
    for (const [id, count] of documents) {
      const texts = (await store.list('c', id, { from: 0, limit: 1000 })).map(({ text }) => text);
      // All of one edition: the exact number of chunks, each naming it.
      expect(texts).toHaveLength(count);
      expect(count).toBe(120);
      const versions = new Set(texts.map((text) => text.split(' ')[0]));
      expect(versions.size).toBe(1);
      chunks += count;
    }
    expect(documents.size).toBeGreaterThanOrEqual(Math.min(1, afterPublished));
    expect(await store.statistics('c')).toMatchObject({ documents: documents.size, chunks });
    const found = await store.search('c', { text: 'whale', vector: vector(1, 1), limit: 100_000 });
    expect([found.keyword.length, found.vector.length]).toEqual([chunks, chunks]);
    await store.sweep(known({ c: [...documents.keys()] }));
    expect(await store.statistics('c')).toMatchObject({ chunks });
    expect(logger.error, `round ${round}`).not.toHaveBeenCalled();
    await store.close();
  }
});

function overwrite(path: string, from: number, length: number): void {
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, Buffer.alloc(length, 0xa5), 0, length, from);
  closeSync(descriptor);
}

/** Starts a program that has a store's parts at hand. */
function start(program: string): ChildProcess {
  const source = `
    import { indexedDocument, newChunk } from ${JSON.stringify(new URL('../../../../test/stores/chunk-store-fixture.ts', import.meta.url).href)};
    import { SqliteChunkStore } from ${JSON.stringify(new URL('./sqlite-chunk-store.ts', import.meta.url).href)};
    const dataDir = ${JSON.stringify(dataDir)};
    const logger = { debug() {}, info() {}, warn: console.error, error: console.error };
    ${program}
  `;
  const path = join(dataDir, 'program.mjs');
  writeFileSync(path, source);
  const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

/** Kills a process that stores documents in a loop, at any point after a number of publications. */
async function killedWhileStoring(published: number): Promise<void> {
  const child = start(`
    const store = new SqliteChunkStore({ dataDir, logger, codesFrom: 100 });
    await store.create('c', { language: 'english' });
    console.log('ready');
    for (let version = 0; ; version++) {
      const edition = await store.begin('c', indexedDocument('d' + (version % 3)));
      for (let from = 0; from < 120; from += 40) {
        const chunks = Array.from({ length: 40 }, (_, index) =>
          newChunk(from + index, 'v' + version + ' whale ' + 'text '.repeat(50), { vector: Float32Array.of(version + 1, index) }),
        );
        await store.add('c', edition, chunks);
      }
      await store.publish('c', edition);
      console.log('published');
    }
  `);
  let lines = 0;
  if (child.stdout !== null) {
    for await (const _ of createInterface(child.stdout)) {
      lines += 1;
      if (lines === published + 1) {
        // Somewhere in the middle of the next one.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
        child.kill('SIGKILL');
        break;
      }
    }
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  // It was killed and did not end by itself.
  expect(child.signalCode).toBe('SIGKILL');
}
