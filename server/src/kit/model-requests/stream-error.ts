/** Messages of overloaded services that come without a status. */
const statusesByMessage: Partial<Record<string, number>> = {
  overloaded: 503,
  'overloaded error': 503,
  'model overloaded': 503,
  'service unavailable': 503,
  'internal server error': 500,
};

/** An error that a provider reported in its stream, with the status that the same error has as a response. */
class ReportedError extends Error {
  // Errors with such names carry the provider's message, which is then shown.
  override readonly name = 'AI_StreamProviderError';
  readonly statusCode: number | undefined;
  /** Absent, the status decides. */
  readonly isRetryable: boolean | undefined;

  constructor(message: string, statusCode: number | undefined, isRetryable: boolean | undefined) {
    super(message);
    this.statusCode = statusCode;
    this.isRetryable = isRetryable;
  }
}

/** The error in a part of a model's stream. Providers pass on the payload of their protocol, or an error of their own. */
export function streamError(reported: unknown): unknown {
  const outer = fieldsOf(reported);
  if (outer === null || reported instanceof Error) return reported;
  const inner = fieldsOf(fieldsOf(outer.response)?.error) ?? fieldsOf(outer.error) ?? outer;
  if (typeof inner.message !== 'string') return reported;
  const places = [inner, outer];
  const status = ['statusCode', 'status_code', 'status', 'code']
    .flatMap((name) => places.map((place) => statusOf(place[name])))
    .find((found) => found !== undefined);
  const isRetryable = ['isRetryable', 'is_retryable']
    .flatMap((name) => places.map((place) => place[name]))
    .find((value) => typeof value === 'boolean');
  return new ReportedError(
    inner.message,
    status ?? statusesByMessage[inner.message.trim().toLowerCase()],
    typeof isRetryable === 'boolean' ? isRetryable : undefined,
  );
}

function fieldsOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

/** A status of HTTP that reports an error, as a number or as a text. */
function statusOf(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}
