import type { Hint } from './hints.ts';
import { knownProblems, type Problem, type ProblemCode } from './problems.ts';
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
  /** The broken rule, for texts in other languages: a key of `fieldRules`, or another keyword of JSON Schema. */
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
  /** What exactly is wrong, where that has a code. */
  problem?: Problem | undefined;
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
  readonly problem: Problem | undefined;

  constructor(reason: Reason, message: string, options: ParleyErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ParleyError';
    this.reason = reason;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.response = options.response;
    this.hint = options.hint;
    this.problem = options.problem;
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

/** The error of a problem that has a code, by which the console translates it. Its reason is that of the code. */
export function problemError(
  code: ProblemCode,
  parameters: Readonly<Record<string, string>> = {},
  options: Omit<ParleyErrorOptions, 'problem'> = {},
): ParleyError {
  const { reason, text } = knownProblems[code];
  const message = text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parameters[name] ?? '');
  return new ParleyError(reason, message, { ...options, problem: { code, parameters } });
}

/**
 * The error of a request with invalid fields; its message is the first fault, its details list all.
 * @param whole the message when there are no details
 */
export function invalidFields(details: ErrorDetail[], whole = ''): ParleyError {
  const { path, message } = details[0] ?? { path: whole, message: 'is invalid' };
  return new ParleyError('invalid_request', path === '' ? message : `${path}: ${message}`, { details });
}
