import { parentPort, workerData } from 'node:worker_threads';
import { DirectSqlite } from '../../direct-sqlite.ts';
import { NodeSqlite } from '../../node-sqlite.ts';
import { connectWriter } from '../../sqlite-database.ts';
import { type StatementWork, storageWork } from '../../storage-work.ts';
import { createLedger } from '../open-ledger.ts';
import { LedgerSets } from './ledger-sets.ts';
import {
  carryError,
  type LedgerOperation,
  type LedgerSet,
  type LedgerThreadData,
  type SetAnswer,
} from './set-messages.ts';

/*
 * The thread that writes messages and answers to a SQLite file. It is lent the right to write for one set at a time.
 */

/** How long one attempt waits for another process that has locked the file, milliseconds. The main thread tries again. */
const lockTimeout = 100;

const { file, owner, webhookWaitMs } = workerData as LedgerThreadData;

let mayTellWebhooks = true;
const connection = connectWriter(file);
connection.exec(`pragma busy_timeout = ${lockTimeout}`);
const database = new DirectSqlite(new NodeSqlite(connection));
const ledger = createLedger(database, 'sqlite', {
  claimant: { id: owner },
  webhookWaitMs,
  mayTellWebhooks: () => mayTellWebhooks,
});
const sets = new LedgerSets(database, run);

let statements: string[] = [];
const observe = (work: unknown) => void statements.push((work as StatementWork).sql);
let isObserved = false;

function run({ part, method, values }: LedgerOperation): Promise<unknown> {
  const methods = ledger[part] as unknown as Record<string, (...values: unknown[]) => Promise<unknown>>;
  const called = methods[method];
  if (called === undefined) throw new Error(`The ledger has no method ${part}.${method}`);
  return called.apply(methods, [...values]);
}

async function answer(set: LedgerSet): Promise<SetAnswer> {
  mayTellWebhooks = set.mayTellWebhooks;
  setObserved(set.isObserved);
  statements = [];
  try {
    const operations = JSON.parse(set.operations) as LedgerOperation[];
    return { answers: JSON.stringify(await sets.store(operations)), statements };
  } catch (error) {
    return { error: carryError(error), statements };
  }
}

function setObserved(value: boolean): void {
  if (value === isObserved) return;
  isObserved = value;
  storageWork.statement[value ? 'subscribe' : 'unsubscribe'](observe);
}

parentPort?.on('message', (message: LedgerSet | 'close') => {
  if (message === 'close') {
    void database.destroy().finally(() => process.exit());
    return;
  }
  void answer(message).then((answered) => parentPort?.postMessage(answered));
});
parentPort?.postMessage('ready');
