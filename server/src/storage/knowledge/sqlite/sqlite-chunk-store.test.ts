import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@parley/sdk';
import { chunkStoreContract } from '../../../../test/stores/chunk-store-contract.ts';
import { SqliteChunkStore } from './sqlite-chunk-store.ts';

const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

chunkStoreContract(
  'SQLite',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-chunks-'));
    const store = new SqliteChunkStore({ dataDir, logger });
    const close = store.close.bind(store);
    return Object.assign(store, {
      close: async () => {
        await close();
        rmSync(dataDir, { recursive: true, force: true });
      },
    });
  },
  { vectors: true },
);
