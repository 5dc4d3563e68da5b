/** One fault of a refused request: `path` is the place in the body, `message` what is wrong there. */
export interface ParleyApiErrorDetail {
  path: string;
  message: string;
}

/** The server refused a request or could not be reached. `message` is safe to show. */
export class ParleyApiError extends Error {
  /** HTTP status; 0 when no answer came at all. */
  readonly status: number;
  /** Stable word to branch on (`invalid_credentials`, …); `unreachable` when no answer came, `unknown` for foreign ones. */
  readonly reason: string;
  /** One entry per fault of an invalid body, else empty. */
  readonly details: ParleyApiErrorDetail[];
  /** Whole seconds after which another attempt makes sense, when the server said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    fields: {
      status: number;
      reason: string;
      details?: ParleyApiErrorDetail[];
      retryAfterSeconds?: number | undefined;
    },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ParleyApiError';
    this.status = fields.status;
    this.reason = fields.reason;
    this.details = fields.details ?? [];
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

/** Reads the error out of a refused answer, whatever sent it: a proxy in between may answer HTML or nothing. */
export function apiErrorOf(response: Response, body: unknown): ParleyApiError {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ParleyApiError(typeof fields.msg === 'string' ? fields.msg : `The server answered ${response.status}.`, {
    status: response.status,
    reason: typeof fields.reason === 'string' ? fields.reason : 'unknown',
    details: Array.isArray(fields.details) ? (fields.details as ParleyApiErrorDetail[]) : [],
    retryAfterSeconds: Number.isFinite(retryAfter) ? Math.max(0, Math.ceil(retryAfter)) : undefined,
  });
}
