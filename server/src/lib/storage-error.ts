/** Why the database, or the store of the files, refused, as far as it matters to a program or an operator. */
export type StorageFault =
  // Unavailable: the same call may succeed later.
  | 'disk_full'
  | 'read_only'
  | 'io'
  | 'corrupt'
  | 'locked'
  | 'unreachable'
  | 'overloaded'
  | 'conflict'
  | 'cancelled'
  | 'undone'
  | 'closed'
  | 'not_owner'
  | 'files_unreachable'
  // Other: the same call fails again.
  | 'constraint'
  | 'invalid';

/** Failures of the store itself, independent of the data. */
const unavailable: ReadonlySet<StorageFault> = new Set<StorageFault>([
  'disk_full',
  'read_only',
  'io',
  'corrupt',
  'locked',
  'unreachable',
  'overloaded',
  'conflict',
  'cancelled',
  'undone',
  'closed',
  'not_owner',
  'files_unreachable',
]);

/**
 * A call to the database or the file store failed. `message` is the engine's own text, `cause` the engine's error.
 *
 * `kind` decides what happens to the work: `unavailable` means that the store is down at present and the same call may
 * succeed later; `other` means that the call itself is wrong and fails again (constraint, invalid data, syntax).
 */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly kind: 'unavailable' | 'other';
  readonly detail: StorageFault;
  /** The engine's own code: an SQLSTATE (`23505`), a code of SQLite (`13`) or of the operating system (`ENOSPC`). */
  readonly code: string | number | undefined;

  constructor(detail: StorageFault, message: string, options: { cause?: unknown; code?: string | number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = unavailable.has(detail) ? 'unavailable' : 'other';
    this.detail = detail;
    this.code = options.code;
  }
}

/** The storage error in the causes of an error; null when there is none. Searches `cause` and `errors`. */
export function findStorageError(error: unknown): StorageError | null {
  const seen = new Set<unknown>();
  const waiting = [error];
  while (waiting.length > 0) {
    const next = waiting.shift();
    if (next instanceof StorageError) return next;
    if (!(next instanceof Error) || seen.has(next)) continue;
    seen.add(next);
    if (next instanceof AggregateError) waiting.push(...next.errors);
    waiting.push(next.cause);
  }
  return null;
}

/** True when an error is, or was caused by, a store that cannot be used at present. */
export function isStorageUnavailable(error: unknown): boolean {
  return findStorageError(error)?.kind === 'unavailable';
}
