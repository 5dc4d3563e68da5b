import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { api } from '../../lib/api.ts';

/** Polling interval, milliseconds. */
const interval = 5000;

/** Duties that have a name in the console. Replicas of other versions may have others. */
const duties = ['housekeeping', 'roll-ups', 'alerts', 'plugin schedules', 'collections'] as const;

const tones = { waiting: 'neutral', live: 'good', draining: 'warning', ended: 'neutral' } as const;

/** The processes that share the database; nothing while there is only one. */
export function ReplicasSection() {
  const { t, i18n } = useTranslation();
  const { data } = useQuery({
    queryKey: ['system', 'replicas'],
    queryFn: () => api.get('/api/v1/system/replicas'),
    refetchInterval: interval,
  });
  const living = data?.replicas.filter(({ state }) => state !== 'ended') ?? [];
  if (data === undefined || living.length < 2) return null;
  const seconds = new Intl.NumberFormat(i18n.language, { style: 'unit', unit: 'second', maximumFractionDigits: 1 });
  const dutyName = (name: string) => {
    const known = duties.find((duty) => duty === name);
    return known === undefined ? name : t(`systemPage.dutyNames.${known}`);
  };
  const list = new Intl.ListFormat(i18n.language, { type: 'unit' });
  const { connections } = data;
  return (
    <Section title={t('systemPage.replicas')} text={t('systemPage.replicasText')}>
      {connections !== null && connections.needed > connections.available && (
        <p role="alert" className="mb-3 text-sm text-notice">
          {t('systemPage.tooFewConnections', connections)}
        </p>
      )}
      <ul aria-label={t('systemPage.replicas')} className="divide-y rounded-2xl border bg-card text-sm">
        {living.map((one) => (
          <li key={one.id} className="grid gap-1.5 px-4 py-3">
            <div className="flex flex-wrap items-baseline gap-2">
              <Badge tone={tones[one.state]}>{t(`systemPage.replicaStates.${one.state}`)}</Badge>
              {one.is_self && <Badge tone="neutral">{t('systemPage.thisReplica')}</Badge>}
              {one.is_reachable === false && <Badge tone="bad">{t('systemPage.unreachable')}</Badge>}
              <span className="min-w-0 break-all">{one.address ?? one.id}</span>
            </div>
            <div className="flex flex-wrap gap-x-4 gap-y-1 text-muted-foreground tabular-nums">
              <span>{t('systemPage.replicaVersion', { version: one.version })}</span>
              <span>
                {t('systemPage.started')} <RelativeTime timestamp={one.started_at} />
              </span>
              {one.beat_age_ms !== null && (
                <span>{t('systemPage.beatAge', { age: seconds.format(one.beat_age_ms / 1000) })}</span>
              )}
              <span>{t('systemPage.heldBots', { count: one.bots })}</span>
              {one.takeovers > 0 && <span>{t('systemPage.takeovers', { count: one.takeovers })}</span>}
            </div>
            {one.duties.length > 0 && (
              <p className="text-muted-foreground">
                {t('systemPage.duties', { duties: list.format(one.duties.map(dutyName)) })}
              </p>
            )}
            {one.differing_settings.length > 0 && (
              <div className="flex flex-wrap items-baseline gap-2">
                <Badge tone="warning">{t('systemPage.differingSettings')}</Badge>
                <span className="min-w-0 break-words">{one.differing_settings.join(', ')}</span>
              </div>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
