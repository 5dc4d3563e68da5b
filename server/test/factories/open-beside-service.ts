import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { StorageError } from '../../src/lib/storage-error.ts';
import type { Tables } from '../../src/storage/database.ts';
import { StorableSqliteDialect } from '../../src/storage/dialects.ts';
import { NodeSqlite } from '../../src/storage/node-sqlite.ts';
import { SqliteWriter } from '../../src/storage/sqlite-writer.ts';

const patienceMs = 10_000;

/**
 * Opens the SQLite file of a service in the same thread. Waiting for each other's lock would block the thread forever,
 * so this connection locks only per statement, and retries in a later turn if the service has the lock.
 */
export function openBesideService(path: string): Kysely<Tables> {
  const database = new NodeSqlite(new DatabaseSync(path, { timeout: 0 }));
  const writer = new SqliteWriter(database, () => {});
  const write = (sql: string, parameters: readonly unknown[]) => patiently(async () => database.run(sql, parameters));
  const patient = { begin: () => patiently(() => writer.begin()), write, runAlone: write };
  return new Kysely<Tables>({
    dialect: new StorableSqliteDialect({
      writer: patient as unknown as SqliteWriter,
      readCommitted: (sql, parameters) => database.run(sql, parameters).rows,
      close: () => writer.close(),
    }),
  });
}

async function patiently<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isBusy = error instanceof StorageError && error.detail === 'locked';
      if (!isBusy || performance.now() > deadline) throw error;
      await nextTurn();
    }
  }
}
