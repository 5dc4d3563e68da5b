import { ParleyApiError, type ParleyApiErrorDetail } from '@parley/client';
import i18next, { type TFunction } from 'i18next';
import type { english } from '../locales/en/index.ts';
import { errorText, reasonWords } from './error-text.ts';

/** What is known of a failure, of a request or in the trace of a message. */
export interface Failure {
  /** In the user's language. */
  text: string;
  /** Null if it never reached the server. */
  reason: string | null;
  /** In English, from the server. */
  message: string | null;
  response: { status: number | null; text: string } | null;
  hint: { code: string; parameters: Record<string, string> } | null;
  details: readonly ParleyApiErrorDetail[];
  requestId: string | null;
}

/** The failure of a request. */
export function failureOfRequest(error: unknown, t: TFunction): Failure {
  const none = { message: null, response: null, hint: null, details: [], requestId: null };
  const text = errorText(error, t);
  if (!(error instanceof ParleyApiError)) return { ...none, text, reason: null };
  const { reason, message, response = null, hint = null, details, requestId = null } = error;
  return { text, reason, message: reason === 'unreachable' ? null : message, response, hint, details, requestId };
}

/** A failure in the trace of a message. */
export function failureOfRecord(
  { reason, error, response, hint }: { reason: string; error: string | null } & Pick<Failure, 'response' | 'hint'>,
  t: TFunction,
): Failure {
  return { text: reasonWords(reason, t), reason, message: error, response, hint, details: [], requestId: null };
}

/** Why a background task failed, as far as it is recorded. */
export function failureOfTask(task: {
  task_context: { metadata: Record<string, unknown> };
}): { reason: string } & Pick<Failure, 'response' | 'hint'> {
  const { failure } = task.task_context.metadata as {
    failure?: { reason: string } & Pick<Failure, 'response' | 'hint'>;
  };
  return failure ?? { reason: 'internal', response: null, hint: null };
}

type Next = keyof typeof english.errors.next;

/** What to do about it; null if nothing is known. */
export function nextStep({ reason, hint }: Pick<Failure, 'reason' | 'hint'>, t: TFunction): string | null {
  if (hint !== null && i18next.exists(`hints.${hint.code}`)) {
    return (t as (key: string, options: object) => string)(`hints.${hint.code}`, { replace: hint.parameters });
  }
  return reason !== null && i18next.exists(`errors.next.${reason}`) ? t(`errors.next.${reason as Next}`) : null;
}
