/** What the operator is told when there is no connection to the database. The address, which holds a password, is not in it. */
export function unreachableError(error: unknown): Error {
  return new Error(`The database cannot be reached: ${messageOf(error)}`, { cause: error });
}

/** A name with several addresses fails with one error for each, and no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
