import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { MessageCircle, Plus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { botsQuery } from '../../components/bots/bot-queries.ts';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { TimeRangeSelect } from '../../components/time-range/time-range-select.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { Select } from '../../components/ui/select.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { anyMessageQuery, figuresQuery } from './dashboard-queries.ts';
import type { DashboardSearch } from './dashboard-search.ts';
import { FigureCards } from './figure-cards.tsx';
import { BotsTable, ModelsTable } from './share-tables.tsx';

const route = getRouteApi('/console/');
// Below what is seen first.
const SeriesSection = lazy(async () => ({ default: (await import('./series-section.tsx')).SeriesSection }));
const LatestErrors = lazy(async () => ({ default: (await import('./latest-errors.tsx')).LatestErrors }));
const StartChecklist = lazy(() => import('../guided-start/start-checklist.tsx'));

/** Metrics of the service. */
export function DashboardPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const any = useQuery(anyMessageQuery);
  // Not only once it is known that there are messages.
  usePrefetchQuery(figuresQuery(search));
  const isAdmin = useIsAdmin();
  return (
    <Page title={t('dashboard.title')} actions={any.data === true && <Choice search={search} />}>
      <Suspense>{isAdmin && <StartChecklist />}</Suspense>
      <Loaded query={any}>
        {(isUsed) =>
          isUsed ? (
            <>
              <FigureCards search={search} />
              <p className="mt-2 text-xs text-muted-foreground">{t('dashboard.change.explained')}</p>
              <div className="mt-8 min-h-112">
                <Suspense>
                  <SeriesSection search={search} />
                </Suspense>
              </div>
              <div className="mt-8 grid gap-8 xl:grid-cols-2">
                <div className="min-w-0 space-y-8">
                  <Suspense>
                    <LatestErrors search={search} />
                  </Suspense>
                </div>
                <div className="min-w-0">
                  <BotsTable search={search} />
                  <ModelsTable search={search} />
                </div>
              </div>
            </>
          ) : (
            <>
              <Empty icon={MessageCircle} title={t('dashboard.empty.title')} text={t('dashboard.empty.text')}>
                <ButtonLink to="/chat">
                  <MessageCircle aria-hidden />
                  {t('dashboard.empty.chat')}
                </ButtonLink>
                {isAdmin && (
                  <ButtonLink to="/bots/new" variant="outline">
                    <Plus aria-hidden />
                    {t('dashboard.empty.bot')}
                  </ButtonLink>
                )}
              </Empty>
              <BotsTable search={{}} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** Time range and bot. */
function Choice({ search }: { search: DashboardSearch }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const bots = useQuery(botsQuery).data?.bots ?? [];
  const change = (part: { [Name in keyof DashboardSearch]?: DashboardSearch[Name] | undefined }) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== undefined);
    void navigate({ to: '/', search: Object.fromEntries(next), replace: true });
  };
  return (
    <>
      <Select
        aria-label={t('dashboard.bots.bot')}
        value={search.bot ?? ''}
        onChange={({ target }) => change({ bot: target.value || undefined })}
        className="min-w-40 flex-1 sm:max-w-60"
      >
        <option value="">{t('dashboard.bots.all')}</option>
        {bots.map(({ uuid, name }) => (
          <option key={uuid} value={uuid}>
            {name}
          </option>
        ))}
        {search.bot !== undefined && !bots.some(({ uuid }) => uuid === search.bot) && (
          <option value={search.bot}>{t('common.gone')}</option>
        )}
      </Select>
      <TimeRangeSelect value={search} onChange={change} />
    </>
  );
}
