import { type ErrorDetail, type ErrorReason, errorReasons, ParleyError } from '@parley/sdk/errors';
import { ResponseError } from 'vscode-jsonrpc';
import { listOf, objectOf, textOf } from '../../lib/loose-values.ts';
import { storableText } from '../../lib/storable-text.ts';

/** Longest text of an error, characters. */
const longestText = 2000;
const mostDetails = 20;

/** Code of errors that carry a reason, of those that JSON-RPC leaves to servers. */
const codeWithReason = -32_000;
/** The request was cancelled, as the Language Server Protocol numbers it. */
export const codeCancelled = -32_800;

/** An error as the other side gets it; one that was not thrown on purpose is `internal`. */
export function errorToSend(error: unknown): ResponseError<unknown> {
  if (error instanceof ResponseError) return error;
  const known = error instanceof ParleyError ? error : new ParleyError('internal', errorReasons.internal);
  const { reason, message, details } = known;
  return new ResponseError(codeWithReason, boundedText(message), {
    reason,
    ...(details === undefined ? {} : { details: boundedDetails(details) }),
  });
}

/**
 * An error that the other side sent. Only reasons that there are, are taken from it.
 * @param error unchecked
 */
export function receivedError(error: unknown): ParleyError {
  const { message, data } = objectOf(error);
  const { reason, details } = objectOf(data);
  const text = boundedText(textOf(message));
  return new ParleyError(
    isErrorReason(reason) ? reason : 'plugin_failed',
    text.trim() === '' ? errorReasons.plugin_failed : text,
    Array.isArray(details) ? { details: boundedDetails(details) } : {},
  );
}

export function isErrorReason(reason: unknown): reason is ErrorReason {
  return typeof reason === 'string' && Object.hasOwn(errorReasons, reason);
}

export function boundedText(text: string): string {
  return storableText(text.slice(0, longestText));
}

function boundedDetails(details: readonly unknown[]): ErrorDetail[] {
  return details.slice(0, mostDetails).map((detail) => {
    const { path, message, rule, limit } = objectOf(detail);
    return {
      path: boundedText(textOf(path)),
      message: boundedText(textOf(message)),
      ...(typeof rule === 'string' ? { rule: boundedText(rule) } : {}),
      ...boundedLimit(limit),
    };
  });
}

function boundedLimit(limit: unknown): Pick<ErrorDetail, 'limit'> {
  if (typeof limit === 'number') return { limit };
  if (typeof limit === 'string') return { limit: boundedText(limit) };
  if (!Array.isArray(limit)) return {};
  return { limit: listOf(limit).slice(0, mostDetails).map(textOf).map(boundedText) };
}
