/**
 * An error that `p-retry` retries. It takes a TypeError for a bug and stops, while HTTP clients throw one when a connection
 * fails.
 */
export function retryableError(error: unknown): unknown {
  return error instanceof TypeError ? new Error(error.message, { cause: error }) : error;
}
