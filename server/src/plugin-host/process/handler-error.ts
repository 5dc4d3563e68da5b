import { ParleyError } from '@parley/sdk/errors';
import { objectOf, textOf } from '../../lib/loose-values.ts';
import { boundedText, isErrorReason } from '../channel/crossing-errors.ts';

/** What a handler threw, as the server gets it: `{ reason, message }` keeps a reason that there is. */
export function handlerError(thrown: unknown): ParleyError {
  if (thrown instanceof ParleyError) return thrown;
  const { reason, message } = objectOf(thrown);
  const text = boundedText(textOf(message) || safeText(thrown));
  return new ParleyError(isErrorReason(reason) ? reason : 'plugin_failed', text, { cause: thrown });
}

/** Why the process of a plugin ends, for its log: an error that no handler caught. */
export function crashText(kind: 'unhandledRejection' | 'uncaughtException', thrown: unknown): string {
  const { stack } = objectOf(thrown);
  const what = { unhandledRejection: 'Unhandled rejection', uncaughtException: 'Uncaught exception' }[kind];
  return `${what}: ${boundedText(textOf(stack) || safeText(thrown))}`;
}

/** Even making a text of what was thrown may throw. */
function safeText(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'something that has no text';
  }
}
