import { ParleyApiError, type ParleyApiErrorDetail, type ParleyApiErrorHint } from '@parley/client';
import i18next, { type TFunction } from 'i18next';
import type { english } from '../locales/en/index.ts';
import { sentence } from '../locales/sentence.ts';
import { inWords } from './in-words.ts';

type Reason = keyof typeof english.reasons;
type BasicRule = keyof typeof english.errors.rules;
type ParticularRule = keyof typeof english.fieldRules;

/** Reasons for which the server's message, which is in English, is more specific than the general text. */
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

/** What exactly is wrong, in the user's language; null if it has no code, or one of a newer server. */
export function problemText(problem: ParleyApiErrorHint | undefined, t: TFunction): string | null {
  if (problem === undefined || !i18next.exists(`problems.${problem.code}`)) return null;
  return (t as (key: string, options: object) => string)(`problems.${problem.code}`, { replace: problem.parameters });
}

/** An error text: in the user's language, unless that is English and the server's message is more specific. */
export function errorText(error: unknown, t: TFunction): string {
  if (!(error instanceof ParleyApiError)) return t('errors.unknown');
  const { reason, details, message } = error;
  if (reason === 'in_use' || reason === 'unreachable') return t(`errors.${reason}`);
  if (reason === 'invalid_request' && details.length > 0) return t('errors.fields');
  const exact = problemText(error.problem, t);
  if (exact !== null) return exact;
  const isSpecific = detailed.has(reason as Reason) && i18next.language.startsWith('en');
  return (isSpecific ? null : reasonText(reason, t)) ?? message;
}

/** What is wrong with a field, in the user's language, as far as the server names the broken rule. */
export function faultText({ rule, limit, message }: ParleyApiErrorDetail, t: TFunction): string {
  // An empty value is a missing one.
  const known = rule === 'minLength' && limit === 1 ? 'required' : rule;
  const allowed = { limit: Array.isArray(limit) ? limit.join(', ') : limit };
  if (known !== undefined && i18next.exists(`errors.rules.${known}`)) {
    return t(`errors.rules.${known as BasicRule}`, allowed);
  }
  if (known !== undefined && i18next.exists(`fieldRules.${known}`)) {
    return t(`fieldRules.${known as ParticularRule}`, allowed);
  }
  if (i18next.language.startsWith('en')) return message === '' ? t('common.invalid') : sentence(message);
  return message === '' ? t('common.invalid') : t('errors.rules.other', { message });
}
