import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Select } from '../../components/ui/select.tsx';
import { duration, number } from '../../lib/number-text.ts';
import { useMoney } from '../../lib/price-currency.ts';
import { drawingQuery, type LineNames } from './dashboard-queries.ts';
import { charts, type DashboardSearch, divisions, divisionsOf } from './dashboard-search.ts';
import { SeriesTable } from './series-table.tsx';

const SeriesChart = lazy(async () => ({ default: (await import('./series-chart.tsx')).SeriesChart }));

/** One metric over time, in total or by bot or model. */
export function SeriesSection({ search }: { search: DashboardSearch }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const { chart = 'messages' } = search;
  const names = useMemo<LineNames>(
    () => ({
      messages: t('dashboard.charts.messages'),
      failures: t('dashboard.charts.failures'),
      median: t('dashboard.series.median'),
      p95: t('dashboard.series.p95'),
      input: t('dashboard.series.input'),
      output: t('dashboard.series.output'),
      cost: t('dashboard.charts.cost'),
      others: t('dashboard.series.others'),
    }),
    [t],
  );
  const money = useMoney();
  const query = useQuery(drawingQuery(search, names));
  const change = (part: Pick<DashboardSearch, 'chart'> | { by: DashboardSearch['by'] | undefined }) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== undefined);
    void navigate({ to: '/', search: Object.fromEntries(next), replace: true, resetScroll: false });
  };
  const format = (value: number, isShort = false) => {
    if (chart === 'latency') return duration(value, i18n.language);
    if (chart === 'cost') return money(value);
    return isShort
      ? new Intl.NumberFormat(i18n.language, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
      : number(value, i18n.language);
  };
  const possible = divisionsOf(chart);
  const by = search.by !== undefined && possible.includes(search.by) ? search.by : '';
  const label = t(`dashboard.charts.${chart}`);

  return (
    <Section
      title={t('dashboard.series.title')}
      actions={
        <div className="flex flex-wrap gap-2">
          <Select
            aria-label={t('dashboard.series.what')}
            value={chart}
            onChange={({ target }) => {
              const next = charts.find((one) => one === target.value);
              if (next !== undefined) change({ chart: next });
            }}
            className="min-w-40"
          >
            {charts.map((one) => (
              <option key={one} value={one}>
                {t(`dashboard.charts.${one}`)}
              </option>
            ))}
          </Select>
          <Select
            aria-label={t('dashboard.series.by')}
            value={by}
            onChange={({ target }) => change({ by: divisions.find((one) => one === target.value) })}
            className="min-w-36"
          >
            <option value="">{t('dashboard.series.whole')}</option>
            {possible.map((one) => (
              <option key={one} value={one}>
                {t(`dashboard.series.divisions.${one}`)}
              </option>
            ))}
          </Select>
        </div>
      }
    >
      <div className="rounded-2xl border bg-card p-4">
        <Loaded query={query} rows={4}>
          {(drawing) =>
            drawing.lines.every(({ values }) => values.every((value) => !value)) ? (
              <p className="py-16 text-center text-muted-foreground">{t('dashboard.series.nothing')}</p>
            ) : (
              <>
                <Suspense fallback={<div className="h-64" />}>
                  <SeriesChart drawing={drawing} kind={chart === 'latency' ? 'lines' : 'bars'} format={format} />
                </Suspense>
                <SeriesTable label={label} drawing={drawing} format={format} />
              </>
            )
          }
        </Loaded>
      </div>
    </Section>
  );
}
