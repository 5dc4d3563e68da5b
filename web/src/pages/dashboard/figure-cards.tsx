import { useQuery } from '@tanstack/react-query';
import { Minus, TrendingDown, TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../components/states/loaded.tsx';
import { classNames } from '../../lib/class-names.ts';
import { numberFormat } from '../../lib/formats.ts';
import { duration, number } from '../../lib/number-text.ts';
import { useMoney } from '../../lib/price-currency.ts';
import { figuresQuery, pricesQuery, sharesQuery } from './dashboard-queries.ts';
import type { DashboardSearch } from './dashboard-search.ts';
import { type Change, directionOf, modelsWithoutPrice, pointsOfChange, shareOfChange } from './figures.ts';

/** The metrics of a range, each with its change. */
export function FigureCards({ search }: { search: DashboardSearch }) {
  const { t, i18n } = useTranslation();
  const query = useQuery(figuresQuery(search));
  const shares = useQuery(sharesQuery(search, 'model')).data ?? [];
  const prices = useQuery(pricesQuery).data;
  const unpriced = prices === undefined ? [] : modelsWithoutPrice(shares, prices);
  const language = i18n.language;
  const money = useMoney();
  const count = (value: number) => number(value, language);
  const time = (value: number | undefined) => (value === undefined ? null : duration(value, language));

  return (
    <Loaded query={query} rows={2}>
      {({ now, before }) => {
        const tokens = now.input_tokens + now.output_tokens;
        const isPriced = now.cost > 0 || unpriced.length === 0;
        return (
          <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
            <Figure
              name={t('dashboard.figures.received')}
              value={count(now.received)}
              change={shareOfChange(now.received, before.received)}
            />
            <Figure
              name={t('dashboard.figures.sent')}
              value={count(now.sent)}
              change={shareOfChange(now.sent, before.sent)}
            />
            <Figure
              name={t('dashboard.figures.success')}
              value={now.success_rate === null ? null : percent(now.success_rate / 100, language)}
              change={pointsOfChange(now.success_rate, before.success_rate)}
              better="up"
              note={t('dashboard.figures.successNote')}
            />
            <Figure
              name={t('dashboard.figures.errors')}
              value={count(now.errors)}
              change={shareOfChange(now.errors, before.errors)}
              better="down"
              note={t('dashboard.figures.errorsNote')}
            />
            <Figure
              name={t('dashboard.figures.median')}
              value={time(now.latency?.median)}
              change={shareOfChange(now.latency?.median ?? null, before.latency?.median ?? null)}
              better="down"
            />
            <Figure
              name={t('dashboard.figures.p95')}
              value={time(now.latency?.p95)}
              change={shareOfChange(now.latency?.p95 ?? null, before.latency?.p95 ?? null)}
              better="down"
            />
            <Figure
              name={t('dashboard.figures.tokens')}
              value={count(tokens)}
              change={shareOfChange(tokens, before.input_tokens + before.output_tokens)}
              note={t('dashboard.figures.inOut', { input: count(now.input_tokens), output: count(now.output_tokens) })}
            />
            <Figure
              name={t('dashboard.figures.cost')}
              value={isPriced ? money(now.cost) : null}
              nothing={t('dashboard.figures.noPrice')}
              change={isPriced ? shareOfChange(now.cost, before.cost) : null}
              note={
                isPriced && unpriced.length > 0
                  ? t('dashboard.figures.without', { models: unpriced.join(', ') })
                  : undefined
              }
            />
          </dl>
        );
      }}
    </Loaded>
  );
}

interface FigureProps {
  name: string;
  /** Null if unknown. */
  value: string | null;
  /** Text if unknown. */
  nothing?: string;
  change: Change | null;
  /** Which direction is good, if any. */
  better?: 'up' | 'down';
  note?: ReactNode;
}

function Figure({ name, value, nothing, change, better, note }: FigureProps) {
  const { t } = useTranslation();
  return (
    <div className="flex min-w-0 flex-col gap-1 rounded-2xl border bg-card px-4 py-3.5">
      <dt className="text-sm text-muted-foreground">{name}</dt>
      <dd className="flex flex-1 flex-col gap-1">
        <span
          className={
            value === null
              ? 'py-1 text-sm text-pretty text-muted-foreground'
              : 'text-2xl font-semibold tracking-tight break-words tabular-nums'
          }
        >
          {value ?? nothing ?? t('dashboard.figures.nothing')}
        </span>
        {note !== undefined && <span className="text-xs break-words text-muted-foreground">{note}</span>}
        <span className="mt-auto">{change !== null && <ChangeNote change={change} better={better} />}</span>
      </dd>
    </div>
  );
}

function ChangeNote({ change, better }: { change: Change; better: FigureProps['better'] }) {
  const { t, i18n } = useTranslation();
  const direction = directionOf(change);
  const Icon = direction === 0 ? Minus : direction > 0 ? TrendingUp : TrendingDown;
  const isGood = direction !== 0 && better !== undefined && direction > 0 === (better === 'up');
  const isBad = direction !== 0 && better !== undefined && !isGood;
  return (
    <span
      className={classNames(
        'flex items-center gap-1.5 text-xs text-muted-foreground',
        isGood && 'text-good',
        isBad && 'text-destructive',
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {change.kind === 'same'
        ? t('dashboard.change.same')
        : change.kind === 'new'
          ? t('dashboard.change.new')
          : change.kind === 'points'
            ? t('dashboard.change.points', { value: signed(change.by, i18n.language) })
            : percent(change.by, i18n.language, true)}
      <span className="sr-only">{t('dashboard.change.against')}</span>
    </span>
  );
}

function percent(share: number, language: string, isChange = false): string {
  return numberFormat(language, {
    style: 'percent',
    maximumFractionDigits: isChange ? 0 : 1,
    signDisplay: isChange ? 'exceptZero' : 'auto',
  }).format(share);
}

function signed(value: number, language: string): string {
  return numberFormat(language, { maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(value);
}
