const missingTable = '42P01';
const deadlock = '40P01';
const lockTimeout = '55P03';
const missingReference = '23503';

/** Whether a statement failed because a table is missing, such as that of a dropped collection. */
export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === missingTable;
}

/** Whether a statement lost a deadlock, for example against one that drops its tables. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === deadlock;
}

/** Whether a statement did not get a lock in the time that it was given. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === lockTimeout;
}

/** Whether a foreign key refers to a row that has been deleted. */
export function isMissingReference(error: unknown): boolean {
  return codeOf(error) === missingReference;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
