import { useTranslation } from 'react-i18next';
import { relativeFormat } from '../lib/formats.ts';
import { exactTime } from '../lib/number-text.ts';

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** A timestamp as "3 minutes ago", with the exact time on hover. */
export function RelativeTime({ timestamp }: { timestamp: string }) {
  const { i18n } = useTranslation();
  return (
    <time dateTime={timestamp} title={exactTime(timestamp, i18n.language)}>
      {inWords((Date.parse(timestamp) - Date.now()) / 1000, i18n.language)}
    </time>
  );
}

function inWords(seconds: number, language: string): string {
  const format = relativeFormat(language, { numeric: 'auto' });
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return format.format(Math.round(seconds / length), unit);
  }
  return format.format(Math.round(seconds), 'second');
}
