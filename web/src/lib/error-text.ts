import { ParleyApiError } from '@parley/client';
import i18next, { type TFunction } from 'i18next';
import type { english } from '../locales/en/index.ts';
import { inWords } from './in-words.ts';

type KnownReason = keyof typeof english.errors;
type KnownCause = keyof typeof english.reasons;

/** What a reason word means, in the reader's language; null for reasons the dictionaries do not know. */
export function reasonText(reason: string, t: TFunction): string | null {
  return i18next.exists(`errors.${reason}`) ? t(`errors.${reason as KnownReason}`) : null;
}

/** Why something happened to a message, as a sentence. */
export function reasonWords(reason: string, t: TFunction): string {
  if (i18next.exists(`reasons.${reason}`)) return t(`reasons.${reason as KnownCause}`);
  return reasonText(reason, t) ?? inWords(reason);
}

/** What went wrong, in the reader's language where the reason is known, else as the server put it. */
export function errorText(error: unknown, t: TFunction): string {
  if (error instanceof ParleyApiError) return reasonText(error.reason, t) ?? error.message;
  return t('errors.unknown');
}
