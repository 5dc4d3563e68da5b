import { ParleyApiError } from '@parley/client';
import i18next, { type TFunction } from 'i18next';
import type { english } from '../locales/en/index.ts';

type KnownReason = keyof typeof english.errors;

/** What a reason word means, in the reader's language; null for reasons the dictionaries do not know. */
export function reasonText(reason: string, t: TFunction): string | null {
  return i18next.exists(`errors.${reason}`) ? t(`errors.${reason as KnownReason}`) : null;
}

/** What went wrong, in the reader's language where the reason is known, else as the server put it. */
export function errorText(error: unknown, t: TFunction): string {
  if (error instanceof ParleyApiError) return reasonText(error.reason, t) ?? error.message;
  return t('errors.unknown');
}
