import { StorageError, type StorageFault } from '../lib/storage-error.ts';

/** SQLite's primary result codes, https://www.sqlite.org/rescode.html */
const sqliteFaults: ReadonlyMap<number, StorageFault> = new Map([
  [4, 'cancelled'], // ABORT
  [5, 'locked'], // BUSY
  [6, 'locked'], // LOCKED
  [7, 'overloaded'], // NOMEM
  [8, 'read_only'], // READONLY
  [9, 'cancelled'], // INTERRUPT
  [10, 'io'], // IOERR
  [11, 'corrupt'], // CORRUPT
  [13, 'disk_full'], // FULL
  [14, 'io'], // CANTOPEN
  [15, 'locked'], // PROTOCOL, a race for the lock of the WAL
  [17, 'conflict'], // SCHEMA, changed by another connection
  [18, 'invalid'], // TOOBIG
  [19, 'constraint'], // CONSTRAINT
  [20, 'invalid'], // MISMATCH
  [22, 'io'], // NOLFS, the file is too large for its file system
  [25, 'invalid'], // RANGE
  [26, 'corrupt'], // NOTADB
]);

/** SQLSTATEs, by their whole text or else by their class, https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresFaults: ReadonlyMap<string, StorageFault> = new Map([
  ['08', 'unreachable'], // connection exception
  ['22', 'invalid'], // data exception
  ['23', 'constraint'], // integrity constraint violation
  ['25006', 'read_only'], // read_only_sql_transaction, which a standby says
  ['25P03', 'unreachable'], // idle_in_transaction_session_timeout, which ends the connection
  ['25P04', 'unreachable'], // transaction_timeout, which ends the connection
  ['28', 'unreachable'], // invalid authorization
  ['3D000', 'unreachable'], // the database does not exist
  ['40', 'conflict'], // transaction rollback: serialization failure, deadlock
  ['53', 'overloaded'], // insufficient resources: memory, connections
  ['53100', 'disk_full'],
  ['55000', 'overloaded'], // object not in prerequisite state, for example while it recovers
  ['55006', 'locked'], // object in use
  ['55P03', 'locked'], // lock_not_available
  ['57', 'unreachable'], // operator intervention: shutdown, crash, starting up
  ['57014', 'cancelled'], // query_canceled
  ['58', 'io'], // system error
  ['58030', 'io'],
  ['XX001', 'corrupt'], // data_corrupted
  ['XX002', 'corrupt'], // index_corrupted
]);

/** Codes of Node.js and of the operating system, of connections and of files. */
const systemFaults: ReadonlyMap<string, StorageFault> = new Map([
  ['ENOSPC', 'disk_full'],
  ['EDQUOT', 'disk_full'],
  ['EFBIG', 'disk_full'],
  ['EROFS', 'read_only'],
  ['EACCES', 'read_only'],
  ['EPERM', 'read_only'],
  ['EIO', 'io'],
  ['ENXIO', 'io'],
  ['EMFILE', 'overloaded'],
  ['ENFILE', 'overloaded'],
  ['ENOMEM', 'overloaded'],
  ['ECONNREFUSED', 'unreachable'],
  ['ECONNRESET', 'unreachable'],
  ['ECONNABORTED', 'unreachable'],
  ['EPIPE', 'unreachable'],
  ['ETIMEDOUT', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['EHOSTDOWN', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['ENETDOWN', 'unreachable'],
  ['ENOTFOUND', 'unreachable'],
  ['EAI_AGAIN', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
]);

/** The faults that a file can have. */
const fileFaults: ReadonlySet<StorageFault> = new Set<StorageFault>(['disk_full', 'read_only', 'io', 'overloaded']);

/** Driver errors that have no code, by message. */
const driverFaults: readonly [RegExp, StorageFault][] = [
  [/connection terminated|connection error|client has encountered|connection ended|not queryable/i, 'unreachable'],
  [/timeout (exceeded )?when trying to connect|timeout expired/i, 'unreachable'],
  [/pool after calling end|client was closed|driver has already been destroyed/i, 'closed'],
  [/query read timeout/i, 'unreachable'],
  [/database is not open|statement has been finalized/i, 'closed'],
];

/**
 * The error of a database driver as a {@link StorageError}, with the same text. One that is of no engine (a fault of the
 * program) is returned as it is.
 */
export function classifyError(error: unknown): unknown {
  if (error instanceof StorageError || !(error instanceof Error)) return error;
  const detail = detailOf(error);
  if (detail === null) return error;
  const code = codeOf(error);
  return new StorageError(detail, messageOf(error), { cause: error, ...(code === undefined ? {} : { code }) });
}

/**
 * The error of a call to the file system of the store as a {@link StorageError} when the file system is full, read-only or
 * broken; any other (a missing file) as it is.
 */
export function classifyFileError(error: unknown): unknown {
  if (error instanceof StorageError || !(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  const detail = code === undefined ? undefined : systemFaults.get(code);
  if (code === undefined || detail === undefined || !fileFaults.has(detail)) return error;
  return new StorageError(detail, error.message, { cause: error, code });
}

/** Runs driver calls and rethrows their errors as {@link StorageError}. */
export async function classified<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw classifyError(error);
  }
}

function detailOf(error: Error): StorageFault | null {
  if (error instanceof AggregateError) return error.errors.map((inner) => detailOf(inner)).find(Boolean) ?? null;
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  // The upper bytes tell more about the same fault.
  if (typeof errcode === 'number') return sqliteFaults.get(errcode & 0xff) ?? 'invalid';
  if (typeof code === 'string') {
    const known = systemFaults.get(code);
    if (known !== undefined) return known;
    if (/^[0-9A-Z]{5}$/.test(code))
      return postgresFaults.get(code) ?? postgresFaults.get(code.slice(0, 2)) ?? 'invalid';
  }
  return driverFaults.find(([pattern]) => pattern.test(error.message))?.[1] ?? null;
}

function codeOf(error: Error): string | number | undefined {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  if (typeof errcode === 'number') return errcode;
  return typeof code === 'string' ? code : undefined;
}

/** A name with several addresses fails with one error for each, and no message of its own. */
function messageOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : error.message;
}
