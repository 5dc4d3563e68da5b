/** One fault of a refused request: `path` is the place in the body, `message` what is wrong there. */
export interface ParleyApiErrorDetail {
  path: string;
  message: string;
  /** The broken rule: a keyword of JSON Schema (`required`, `maxLength`), or a rule of docs/errors.md. */
  rule?: string;
  /** What the rule allows. */
  limit?: number | string | string[];
}

/** What a provider or another service returned instead of a result. */
export interface ParleyApiErrorResponse {
  /** HTTP status; null without one. */
  status: number | null;
  /** Its error message; may be empty. */
  text: string;
}

/** A cause or a problem that the server could name: a code of docs/errors.md, and the parameters of its text. */
export interface ParleyApiErrorHint {
  code: string;
  parameters: Record<string, string>;
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
  readonly response: ParleyApiErrorResponse | undefined;
  readonly hint: ParleyApiErrorHint | undefined;
  /** What exactly is wrong, for texts in other languages. */
  readonly problem: ParleyApiErrorHint | undefined;
  /** Identifies the request in the log of the server. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    fields: {
      status: number;
      reason: string;
      details?: ParleyApiErrorDetail[];
      retryAfterSeconds?: number | undefined;
      response?: ParleyApiErrorResponse | undefined;
      hint?: ParleyApiErrorHint | undefined;
      problem?: ParleyApiErrorHint | undefined;
      requestId?: string | undefined;
    },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ParleyApiError';
    this.status = fields.status;
    this.reason = fields.reason;
    this.details = fields.details ?? [];
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.response = fields.response;
    this.hint = fields.hint;
    this.problem = fields.problem;
    this.requestId = fields.requestId;
  }
}

/** Reads the error out of a refused answer, whatever sent it: a proxy in between may answer HTML or nothing. */
export function apiErrorOf(response: Response, body: unknown): ParleyApiError {
  const fields = isObject(body) ? body : {};
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ParleyApiError(typeof fields.msg === 'string' ? fields.msg : `The server answered ${response.status}.`, {
    status: response.status,
    reason: typeof fields.reason === 'string' ? fields.reason : 'unknown',
    details: Array.isArray(fields.details) ? (fields.details as ParleyApiErrorDetail[]) : [],
    retryAfterSeconds: Number.isFinite(retryAfter) ? Math.max(0, Math.ceil(retryAfter)) : undefined,
    response: isObject(fields.response) ? (fields.response as unknown as ParleyApiErrorResponse) : undefined,
    hint: isObject(fields.hint) ? (fields.hint as unknown as ParleyApiErrorHint) : undefined,
    problem: isObject(fields.problem) ? (fields.problem as unknown as ParleyApiErrorHint) : undefined,
    requestId: typeof fields.request_id === 'string' ? fields.request_id : undefined,
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
