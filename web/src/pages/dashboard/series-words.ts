import { dateFormat } from '../../lib/formats.ts';

/** An hour in local time, or a UTC day. Short for an axis. */
export function timestampText(timestamp: string, interval: 'hour' | 'day', language: string, isShort = false): string {
  const date = new Date(timestamp);
  if (interval === 'day') {
    return dateFormat(language, {
      timeZone: 'UTC',
      ...(isShort ? { day: 'numeric', month: 'short' } : { dateStyle: 'full' }),
    }).format(date);
  }
  return dateFormat(
    language,
    isShort ? { hour: 'numeric', minute: '2-digit' } : { dateStyle: 'medium', timeStyle: 'short' },
  ).format(date);
}
