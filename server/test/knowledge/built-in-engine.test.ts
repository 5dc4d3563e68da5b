import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineContract, fakeEngineContext, silentLogger } from '@parley/sdk/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import type { ChunkStore } from '../../src/core/knowledge/chunk-store.ts';
import { builtIn } from '../../src/engines/built-in/index.ts';
import { PostgresChunkStore } from '../../src/storage/knowledge/postgres/postgres-chunk-store.ts';
import { SqliteChunkStore } from '../../src/storage/knowledge/sqlite/sqlite-chunk-store.ts';
import { openPostgres } from '../../src/storage/postgres-database.ts';
import { emptyDatabase } from '../postgres/test-database.ts';

const model = '0190b0b0-0000-7000-8000-0000000000aa';
let store: ChunkStore;
const context = () => ({ ...fakeEngineContext(), chunks: store });

describe('the built-in engine on SQLite', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'parley-engine-'));
    store = new SqliteChunkStore({ dataDir, logger: silentLogger });
  });
  afterAll(async () => {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  describe('by words', () => engineContract({ engine: builtIn, context }));
  describe('by words and by meaning', () =>
    engineContract({ engine: builtIn, context, settings: () => ({ embedding_model_uuid: model }) }));
});

describe('the built-in engine on PostgreSQL', () => {
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const { url, drop } = await emptyDatabase();
    const database = await openPostgres(url);
    store = await PostgresChunkStore.open(database, { logger: silentLogger });
    remove = async () => {
      await database.destroy();
      await drop();
    };
  });
  afterAll(async () => {
    await store.close();
    await remove();
  });

  describe('by words', () => engineContract({ engine: builtIn, context }));
});
