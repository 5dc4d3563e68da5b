import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { botsQuery } from '../../components/bots/bot-queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { number } from '../../lib/number-text.ts';
import { useMoney } from '../../lib/price-currency.ts';
import { BotState } from '../bots/bot-state.tsx';
import { pricesQuery, sharesQuery } from './dashboard-queries.ts';
import type { DashboardSearch } from './dashboard-search.ts';
import { type CostShare, modelsWithoutPrice } from './figures.ts';

/** Bots in the table; the list of bots has all. */
const mostBots = 10;
/** Models in the table, until all are asked for. */
const mostModels = 10;

/** State and usage of the bots that are used most. */
export function BotsTable({ search }: { search: DashboardSearch }) {
  const { t, i18n } = useTranslation();
  const bots = useQuery(botsQuery);
  const shares = useQuery(sharesQuery(search, 'bot')).data ?? [];
  const prices = usePrices();
  const shareOf = (uuid: string) => shares.find(({ id }) => id === uuid);
  return (
    <Section title={t('dashboard.bots.title')}>
      <Loaded query={bots} rows={3}>
        {({ bots: all }) => {
          const usageOf = ({ uuid }: (typeof all)[number]) => shareOf(uuid)?.total_tokens ?? 0;
          const chosen = search.bot === undefined ? all : all.filter(({ uuid }) => uuid === search.bot);
          const rows = chosen.toSorted((left, right) => usageOf(right) - usageOf(left)).slice(0, mostBots);
          if (rows.length === 0) return <p className="text-muted-foreground">{t('dashboard.bots.empty')}</p>;
          return (
            <>
              <DataTable
                label={t('dashboard.bots.title')}
                rows={rows}
                rowKey={({ uuid }) => uuid}
                columns={[
                  {
                    key: 'name',
                    heading: t('dashboard.bots.bot'),
                    isTitle: true,
                    cell: ({ uuid, name }) => (
                      <Link
                        to="/bots/$uuid"
                        params={{ uuid }}
                        className="rounded break-all underline-offset-4 hover:underline"
                      >
                        {name}
                      </Link>
                    ),
                  },
                  { key: 'state', heading: t('common.state'), cell: (bot) => <BotState bot={bot} /> },
                  {
                    key: 'tokens',
                    heading: t('dashboard.figures.tokens'),
                    align: 'end',
                    cell: ({ uuid }) => number(shareOf(uuid)?.total_tokens ?? 0, i18n.language),
                  },
                  {
                    key: 'cost',
                    heading: t('dashboard.figures.cost'),
                    align: 'end',
                    // The models of a bot are unknown; a bot without costs may have used some without a price.
                    cell: ({ uuid }) => (
                      <Cost share={shareOf(uuid)} isKnown={prices === undefined || prices.size > 0} />
                    ),
                  },
                ]}
              />
              {rows.length < chosen.length && (
                <p className="mt-3 text-sm">
                  <Link to="/bots" className="rounded underline-offset-4 hover:underline">
                    {t('dashboard.bots.showAll', { count: chosen.length })}
                  </Link>
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

/** Usage by model. */
export function ModelsTable({ search }: { search: DashboardSearch }) {
  const { t, i18n } = useTranslation();
  const query = useQuery(sharesQuery(search, 'model'));
  const [isWhole, setWhole] = useState(false);
  const prices = usePrices();
  return (
    <Section title={t('dashboard.models.title')}>
      <Loaded query={query} rows={3}>
        {(rows) => {
          if (rows.length === 0) return <p className="text-muted-foreground">{t('dashboard.models.empty')}</p>;
          const unpriced = new Set(prices === undefined ? [] : modelsWithoutPrice(rows, prices));
          const shown = isWhole ? rows : rows.slice(0, mostModels);
          return (
            <>
              <DataTable
                label={t('dashboard.models.title')}
                rows={shown}
                rowKey={({ id }) => id}
                columns={[
                  {
                    key: 'name',
                    heading: t('dashboard.models.model'),
                    isTitle: true,
                    cell: ({ name }) => <span className="break-all">{name}</span>,
                  },
                  {
                    key: 'calls',
                    heading: t('dashboard.models.calls'),
                    align: 'end',
                    cell: ({ llm_calls }) => number(llm_calls, i18n.language),
                  },
                  {
                    key: 'failures',
                    heading: t('dashboard.models.failures'),
                    align: 'end',
                    cell: ({ llm_failures }) => number(llm_failures, i18n.language),
                  },
                  {
                    key: 'tokens',
                    heading: t('dashboard.figures.tokens'),
                    align: 'end',
                    cell: ({ total_tokens }) => number(total_tokens, i18n.language),
                  },
                  {
                    key: 'cost',
                    heading: t('dashboard.figures.cost'),
                    align: 'end',
                    cell: (share) => <Cost share={share} isKnown={!unpriced.has(share.name)} />,
                  },
                ]}
              />
              {shown.length < rows.length && (
                <button
                  type="button"
                  onClick={() => setWhole(true)}
                  className="mt-3 rounded text-sm underline-offset-4 hover:underline"
                >
                  {t('dashboard.models.showAll', { count: rows.length })}
                </button>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function usePrices() {
  return useQuery(pricesQuery).data;
}

function Cost({ share, isKnown }: { share: CostShare | undefined; isKnown: boolean }) {
  const { t } = useTranslation();
  const money = useMoney();
  if (share !== undefined && share.cost === 0 && share.total_tokens > 0 && !isKnown) {
    return <span className="text-xs text-muted-foreground">{t('dashboard.figures.noPrice')}</span>;
  }
  return money(share?.cost ?? 0);
}
