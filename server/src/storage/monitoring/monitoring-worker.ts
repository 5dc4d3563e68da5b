import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { Kysely } from 'kysely';
import { StorageError } from '../../lib/storage-error.ts';
import type { Tables } from '../database.ts';
import { StorableSqliteDialect } from '../dialects.ts';
import { NodeSqlite } from '../node-sqlite.ts';
import { SqliteWriter } from '../sqlite-writer.ts';
import { MonitoringQueries } from './monitoring-queries.ts';
import type { WorkerAnswer, WorkerQuestion } from './sqlite-monitoring-reader.ts';

/*
 * A thread with a connection of its own that reads a SQLite file, so that nothing else in the process waits for long
 * queries. Calls run one after the other, each in one snapshot of the database.
 */

const sqlite = new NodeSqlite(new DatabaseSync(String(workerData), { readOnly: true, timeout: 5000 }));
sqlite.run('pragma cache_size = -16000');
// Making an index for one query takes longer than the queries do.
sqlite.run('pragma automatic_index = off');
// Only compiles queries.
const compiler = new Kysely<Tables>({
  dialect: new StorableSqliteDialect({
    writer: new SqliteWriter(sqlite, () => undefined),
    readCommitted: (statement, parameters) => sqlite.run(statement, parameters).rows,
    close: () => undefined,
  }),
});
const queries = new MonitoringQueries(async <Row>(query: { compile(database: typeof compiler): Compiled }) => {
  const { sql, parameters } = query.compile(compiler);
  return sqlite.run(sql, parameters).rows as Row[];
}, 'sqlite');

interface Compiled {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

async function answer({ id, name, values }: WorkerQuestion): Promise<WorkerAnswer> {
  try {
    sqlite.run('begin');
    try {
      const result = await (queries[name] as (...values: unknown[]) => Promise<unknown>)(...values);
      return { id, result };
    } finally {
      // A damaged file ends the transaction by itself.
      if (sqlite.isInTransaction) sqlite.run('commit');
    }
  } catch (error) {
    // Between threads, an error keeps its text alone.
    const fault = error instanceof StorageError ? { detail: error.detail } : {};
    return { id, error: error instanceof Error ? error : new Error(String(error)), ...fault };
  }
}

let turn: Promise<void> = Promise.resolve();
parentPort?.on('message', (question: WorkerQuestion) => {
  turn = turn.then(async () => parentPort?.postMessage(await answer(question)));
});
