import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { AlertNotice } from './alert-queries.ts';

const tones = {
  pending: undefined,
  sending: undefined,
  delivered: 'good',
  failed: 'bad',
  uncertain: 'warning',
} as const;

/** Deliveries of the notices of an alert: failures with their reason, the rest on demand. */
export function Notices({ notices }: { notices: readonly AlertNotice[] }) {
  const { t } = useTranslation();
  if (notices.length === 0) return <span className="text-muted-foreground">{t('alerts.noNotices')}</span>;
  const delivered = notices.filter(({ state }) => state === 'delivered').length;
  return (
    <details open={notices.some(({ error }) => error !== null)}>
      <summary className="w-fit cursor-pointer rounded py-0.5">
        {t('alerts.delivered', { count: delivered, total: notices.length })}
      </summary>
      <ul className="mt-1 space-y-1.5 text-left">
        {notices.map(({ uuid, event, state, target_name, error, next_attempt_at }) => {
          const tone = tones[state];
          return (
            <li key={uuid}>
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <Badge {...(tone === undefined ? {} : { tone })}>{t(`alerts.noticeStates.${state}`)}</Badge>
                <span className="break-words">
                  {target_name} · {t(`alerts.events.${event}`)}
                </span>
              </span>
              {error !== null && <span className="block max-w-96 break-words text-destructive">{error}</span>}
              {error !== null && next_attempt_at !== null && (
                <span className="block text-muted-foreground">
                  {t('alerts.nextTry')} <RelativeTime timestamp={next_attempt_at} />
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
