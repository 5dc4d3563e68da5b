import type { components } from '@parley/client';
import type { TFunction } from 'i18next';
import { reasonWords } from '../../lib/error-text.ts';

/**
 * An entry of an event log in the user's language; null where its own text says it best: messages, and in English, which
 * has the words of the platform as well.
 */
export function eventText(
  { code, reason }: Pick<components['schemas']['BotEvent'], 'code' | 'reason'>,
  language: string,
  t: TFunction,
): string | null {
  if (code === null || language.startsWith('en')) return null;
  const event = t(`bots.events.${code}`);
  return reason === null ? event : t('bots.eventWithReason', { event, reason: reasonWords(reason, t) });
}
