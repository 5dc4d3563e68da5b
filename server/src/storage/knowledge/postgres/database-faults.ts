const missingTable = '42P01';
const deadlock = '40P01';
const missingReference = '23503';

/** Whether a statement failed for a table that is not there, as those of a collection that was dropped meanwhile. */
export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === missingTable;
}

/** Whether a statement gave way to another one, such as one that removes the tables it wanted to read. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === deadlock;
}

/** Whether a row was to belong to one that went away meanwhile. */
export function isMissingReference(error: unknown): boolean {
  return codeOf(error) === missingReference;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
