import { ParleyApiError } from '@parley/client';
import i18next, { type TFunction } from 'i18next';
import type { english } from '../locales/en/index.ts';
import { inWords } from './in-words.ts';

type Reason = keyof typeof english.reasons;

/** Reasons for which the server's message is more specific than the general text. */
const detailed = new Set<Reason>([
  'invalid_request',
  'unauthorized',
  'user_token_required',
  'scope_required',
  'forbidden',
  'unknown_host',
  'not_found',
  'method_not_allowed',
  'conflict',
  'default_pipeline',
  'idempotency_mismatch',
  'idempotency_running',
  'idempotency_interrupted',
  'unsupported_media_type',
  'webhook_unsupported',
  'invalid_signature',
  'private_address',
  'runner_not_found',
  'invalid_pattern',
  'stage_failed',
]);

/** The text of a reason in the user's language; null without a translation. */
export function reasonText(reason: string, t: TFunction): string | null {
  return i18next.exists(`reasons.${reason}`) ? t(`reasons.${reason as Reason}`) : null;
}

/** The reason of a message as a sentence. */
export function reasonWords(reason: string, t: TFunction): string {
  return reasonText(reason, t) ?? inWords(reason);
}

/** An error text: in the user's language, unless the server's English message is more specific. */
export function errorText(error: unknown, t: TFunction): string {
  if (!(error instanceof ParleyApiError)) return t('errors.unknown');
  const { reason } = error;
  if (reason === 'in_use' || reason === 'unreachable') return t(`errors.${reason}`);
  return (detailed.has(reason as Reason) ? null : reasonText(reason, t)) ?? error.message;
}
