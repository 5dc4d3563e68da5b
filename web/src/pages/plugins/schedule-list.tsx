import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time.tsx';
import { reasonWords } from '../../lib/error-text.ts';
import type { PluginActivity } from './plugin-queries.ts';

/** The schedules of a plugin: when they run next, and how the last run ended. */
export function ScheduleList({ schedules }: { schedules: PluginActivity['schedules'] }) {
  const { t } = useTranslation();
  return (
    <ul className="space-y-2 border-t pt-3 text-sm">
      {schedules.map(({ name, cron, time_zone, is_running, next_at, last_run }) => (
        <li key={name}>
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium break-all">{name}</span>
            <code className="font-mono text-xs">{cron}</code>
            <span className="text-muted-foreground">{time_zone}</span>
          </p>
          <p className="text-muted-foreground">
            {is_running && t('plugins.schedule.running')}
            {!is_running && next_at !== null && (
              <>
                {t('plugins.schedule.next')} <RelativeTime timestamp={next_at} />
              </>
            )}
            {last_run?.ended_at && (
              <>
                {' · '}
                {t('plugins.schedule.last')} <RelativeTime timestamp={last_run.ended_at} />
              </>
            )}
          </p>
          {last_run?.failure && (
            <p className="break-words text-destructive">
              {reasonWords(last_run.failure.reason, t)}{' '}
              <span lang="en" className="text-muted-foreground">
                {last_run.failure.message}
              </span>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
