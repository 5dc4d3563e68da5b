import { useTranslation } from 'react-i18next';

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
  const date = new Date(timestamp);
  const exact = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'medium' }).format(date);
  return (
    <time dateTime={timestamp} title={exact}>
      {inWords((date.getTime() - Date.now()) / 1000, i18n.language)}
    </time>
  );
}

function inWords(seconds: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return format.format(Math.round(seconds / length), unit);
  }
  return format.format(Math.round(seconds), 'second');
}
