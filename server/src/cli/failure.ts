/** The report of a failed command. */
export interface Failure {
  /** A stable word to branch on: one of `docs/errors.md`, or of the command line's own. */
  reason: string;
  message: string;
  /** One entry for each fault, as a text or with the place that it is at. */
  details?: unknown[];
}

/** The same as text: a line for each error. */
export function linesOf({ message, details = [] }: Failure): string[] {
  const lines = details.map((detail) => {
    if (typeof detail === 'string') return detail;
    const { path, message } = detail as { path?: unknown; message?: unknown };
    return path === '' ? String(message) : `${path}: ${message}`;
  });
  return lines.length > 1 ? lines : [message];
}

/** Exit codes: 1 when it failed, 2 for wrong usage, 130 after Ctrl-C. */
export function exitCodeOf({ reason }: Failure): number {
  if (reason === 'interrupted') return 130;
  return reason === 'invalid_usage' || reason === 'invalid_request' ? 2 : 1;
}

/** Reads errors by their shape: loading their classes would slow every command down. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { reason: 'failed', message: String(error) };
  const { reason, details, lines } = error as { reason?: unknown; details?: unknown; lines?: unknown };
  if (Array.isArray(lines)) return { reason: 'invalid_configuration', message: lines.join('; '), details: lines };
  return {
    reason: typeof reason === 'string' ? reason : 'failed',
    message: error.message,
    ...(Array.isArray(details) && details.length > 0 ? { details } : {}),
  };
}
