/** The operator's error for a failed database connection, without the address, which contains a password. */
export function unreachableError(error: unknown): Error {
  return new Error(`The database cannot be reached: ${messageOf(error)}`, { cause: error });
}

/** A name with several addresses fails with one error for each, and no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
