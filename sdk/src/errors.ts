import { type Conflict, type ConflictCode, conflicts } from './conflicts.ts';
import type { Hint } from './hints.ts';
import type { Reason } from './reasons.ts';

export {
  type ErrorReason,
  errorReasons,
  type OutcomeReason,
  outcomeReasons,
  type Reason,
  reasons,
} from './reasons.ts';

/** One invalid field: `path` is its place in the body (`message_chain[0].text`), `message` the problem. */
export interface ErrorDetail {
  path: string;
  message: string;
  /** The broken rule, as JSON Schema calls it (`required`, `maxLength`), for texts in other languages. */
  rule?: string;
  /** What the rule allows: a number, or the allowed values. */
  limit?: number | string | readonly string[];
}

/** What a provider, a platform or a service returned instead of a result. Contains no secrets. */
export interface RemoteResponse {
  /** HTTP status; null if there was none, such as for an error within a stream. */
  status: number | null;
  /** Its error message, at most 500 characters; empty if it sent none. */
  text: string;
}

export interface ParleyErrorOptions {
  details?: ErrorDetail[];
  cause?: unknown;
  /** Seconds to wait before a retry, a whole number. */
  retryAfterSeconds?: number | undefined;
  response?: RemoteResponse | undefined;
  /** The cause, where it can be named. */
  hint?: Hint | undefined;
  /** Of the reason `conflict`. */
  conflict?: Conflict | undefined;
}

/** Marks errors of this kind, also those of another copy of this package. */
const brand = Symbol.for('@parley/sdk/error');

/**
 * The one error that Parley throws on purpose. `message` is safe to show to the caller. `instanceof ParleyError` holds
 * for errors of any copy of this package.
 */
export class ParleyError extends Error {
  readonly reason: Reason;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly response: RemoteResponse | undefined;
  readonly hint: Hint | undefined;
  readonly conflict: Conflict | undefined;

  constructor(reason: Reason, message: string, options: ParleyErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ParleyError';
    this.reason = reason;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.response = options.response;
    this.hint = options.hint;
    this.conflict = options.conflict;
  }

  get [brand](): true {
    return true;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the class may be one that extends this one
    if (this !== ParleyError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && brand in value;
  }
}

/** The error of a request that the current state does not allow, with a text that the console translates. */
export function conflictError(
  code: ConflictCode,
  parameters: Readonly<Record<string, string>> = {},
  options: Pick<ParleyErrorOptions, 'details' | 'cause'> = {},
): ParleyError {
  const text = conflicts[code].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parameters[name] ?? '');
  return new ParleyError('conflict', text, { ...options, conflict: { code, parameters } });
}

/**
 * The error of a request with invalid fields; its message is the first fault, its details list all.
 * @param whole the message when there are no details
 */
export function invalidFields(details: ErrorDetail[], whole = ''): ParleyError {
  const { path, message } = details[0] ?? { path: whole, message: 'is invalid' };
  return new ParleyError('invalid_request', path === '' ? message : `${path}: ${message}`, { details });
}
