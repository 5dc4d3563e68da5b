import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { api } from '../../lib/api.ts';
import { fileSize } from '../../lib/file-size.ts';
import { serverAddress } from '../../lib/server-address.ts';
import { ReplicasSection } from './replicas-section.tsx';
import { type StorageSize, type SystemStatus, useSystemStatus } from './use-system-status.ts';

/** Polling interval, milliseconds. */
const interval = 15_000;

/** Version, state, storage and limits of the server. */
export function OverviewTab() {
  const { t, i18n } = useTranslation();
  const info = useQuery({ queryKey: ['system', 'info'], queryFn: () => api.get('/api/v1/system/info') });
  const counts = useQuery({
    queryKey: ['system', 'counts'],
    queryFn: () => api.get('/api/v1/stats/basic'),
    refetchInterval: interval,
  });
  const status = useSystemStatus();
  const health = useProbe('/healthz');
  const readiness = useProbe('/readyz');
  const number = new Intl.NumberFormat(i18n.language);
  const limit = (most: number) => (most < 0 ? t('systemPage.unlimited') : number.format(most));
  return (
    <>
      <Section title={t('common.state')}>
        <Facts>
          <Fact name={t('systemPage.health')}>
            <Probe query={health} good={t('systemPage.alive')} />
          </Fact>
          <Fact name={t('systemPage.readiness')}>
            <Probe query={readiness} good={t('systemPage.ready')} />
          </Fact>
          <Fact name={t('systemPage.address')}>
            <span className="break-all">{serverAddress}</span>
          </Fact>
        </Facts>
      </Section>
      <Section title={t('systemPage.server')}>
        <Loaded query={status} rows={5}>
          {(data) => (
            <Facts>
              <Fact name={t('systemPage.version')}>{data.version}</Fact>
              {info.data && <Fact name={t('systemPage.apiVersion')}>{info.data.version}</Fact>}
              <Fact name={t('systemPage.started')}>
                <RelativeTime timestamp={data.started_at} />
              </Fact>
              <Fact name={t('systemPage.memory')}>{fileSize(data.memory_bytes, i18n.language)}</Fact>
              <Fact name={t('systemPage.node')}>{data.node_version}</Fact>
              <Fact name={t('systemPage.platform')}>{data.platform}</Fact>
            </Facts>
          )}
        </Loaded>
      </Section>
      <ReplicasSection />
      <Section title={t('systemPage.storage')}>
        <Loaded query={status} rows={4}>
          {({ engine, storage }) => (
            <Facts>
              <Fact name={t('systemPage.engine')}>{t(`systemPage.engines.${engine}`)}</Fact>
              {storage.map(({ name, bytes }) => (
                <Fact key={name} name={t(`systemPage.sizes.${nameOfSize(name, engine)}`)}>
                  {bytes === null ? t('common.unknown') : fileSize(bytes, i18n.language)}
                </Fact>
              ))}
            </Facts>
          )}
        </Loaded>
      </Section>
      {status.data !== undefined && status.data.extensions.length > 0 && (
        <Section title={t('systemPage.extensions')} text={t('systemPage.extensionsText')}>
          <Facts>
            {status.data.extensions.map(({ source, error, provides }) => (
              <Fact key={source} name={<span className="break-all">{source}</span>}>
                {error === null ? (
                  provides.join(', ')
                ) : (
                  <span className="flex flex-wrap items-baseline gap-2">
                    <Badge tone="bad">{t('systemPage.notLoaded')}</Badge>
                    <span className="min-w-0 break-words">{error}</span>
                  </span>
                )}
              </Fact>
            ))}
          </Facts>
        </Section>
      )}
      <Section title={t('systemPage.activity')} text={t('systemPage.activityText')}>
        <Loaded query={counts} rows={2}>
          {(data) => (
            <Facts>
              <Fact name={t('systemPage.activeSessions')}>{number.format(data.active_session_count)}</Fact>
              <Fact name={t('systemPage.conversations')}>{number.format(data.conversation_count)}</Fact>
              <Fact name={t('systemPage.messages')}>{number.format(data.query_count)}</Fact>
            </Facts>
          )}
        </Loaded>
      </Section>
      <Section title={t('systemPage.limits')}>
        <Loaded query={info} rows={4}>
          {({ limitation, allow_modify_login_info: mayChange }) => (
            <Facts>
              <Fact name={t('systemPage.maxBots')}>{limit(limitation.max_bots)}</Fact>
              <Fact name={t('systemPage.maxPipelines')}>{limit(limitation.max_pipelines)}</Fact>
              <Fact name={t('systemPage.maxExtensions')}>{limit(limitation.max_extensions)}</Fact>
              <Fact name={t('systemPage.passwords')}>{t(mayChange ? 'common.yes' : 'common.no')}</Fact>
            </Facts>
          )}
        </Loaded>
      </Section>
    </>
  );
}

/** PostgreSQL reports the size of the database, which includes more than records. */
function nameOfSize(name: StorageSize['name'], engine: SystemStatus['engine']) {
  return name === 'ledger' && engine === 'postgres' ? 'database' : name;
}

/** Calls the readiness check. */
function useProbe(path: '/healthz' | '/readyz') {
  return useQuery({
    queryKey: ['system', path],
    queryFn: async () => {
      await api.get(path);
      return true;
    },
    retry: false,
    refetchInterval: interval,
  });
}

function Probe({ query, good }: { query: UseQueryResult<boolean>; good: string }) {
  const { t } = useTranslation();
  if (query.isError) return <Badge tone="bad">{t('systemPage.notServing')}</Badge>;
  return query.data === undefined ? t('common.loading') : <Badge tone="good">{good}</Badge>;
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y rounded-2xl border bg-card text-sm">{children}</dl>;
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 py-2.5">
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 tabular-nums">{children}</dd>
    </div>
  );
}
