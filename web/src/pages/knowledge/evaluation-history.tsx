import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { figureText } from './figures.ts';
import type { EvaluationSummary, KnowledgeBase } from './knowledge-queries.ts';
import { useRunName } from './use-run-name.ts';

const FiguresChart = lazy(() => import('./figures-chart.tsx').then((module) => ({ default: module.FiguresChart })));

interface EvaluationHistoryProps {
  base: KnowledgeBase;
  runs: readonly EvaluationSummary[];
  shown: string | undefined;
  onChoose: (uuid: string) => void;
}

const tones = { running: 'busy', finished: 'good', failed: 'bad', cancelled: 'neutral' } as const;

/** The stored evaluations, as a chart and as a table. */
export function EvaluationHistory({ base, runs, shown, onChoose }: EvaluationHistoryProps) {
  const { t, i18n } = useTranslation();
  const runName = useRunName();
  const counted = runs.filter(({ figures }) => figures !== null);
  const figure = (name: 'hit_at_5' | 'ndcg_at_10' | 'mrr'): Column<EvaluationSummary> => ({
    key: name,
    heading: t(`knowledge.figures.${name}`),
    align: 'end',
    cell: ({ figures }) => figureText(figures?.[name], i18n.language),
  });
  const columns: Column<EvaluationSummary>[] = [
    {
      key: 'run',
      heading: t('knowledge.theRun'),
      isTitle: true,
      cell: (run) => (
        <button
          type="button"
          aria-current={run.uuid === shown || undefined}
          className="rounded text-left underline-offset-4 hover:underline aria-[current]:font-semibold"
          onClick={() => onChoose(run.uuid)}
        >
          {runName(run)}
        </button>
      ),
    },
    {
      key: 'state',
      heading: t('common.state'),
      cell: ({ state, collection_id }) => (
        <span className="inline-flex flex-wrap gap-1.5">
          <Badge tone={tones[state]}>{t(`knowledge.runStates.${state}`)}</Badge>
          {collection_id !== base.collection_id && <Badge>{t('knowledge.otherCollection')}</Badge>}
        </span>
      ),
    },
    {
      key: 'questions',
      heading: t('knowledge.questionsAsked'),
      align: 'end',
      cell: ({ figures }) => figures?.questions ?? '–',
    },
    figure('hit_at_5'),
    figure('ndcg_at_10'),
    figure('mrr'),
  ];
  return (
    <Section title={t('knowledge.history')} text={t('knowledge.historyText')}>
      {counted.length > 1 && (
        <div className="relative mb-4 h-64 overflow-hidden rounded-2xl border bg-card">
          <Suspense fallback={null}>
            <FiguresChart runs={counted.toReversed()} />
          </Suspense>
        </div>
      )}
      <DataTable label={t('knowledge.history')} columns={columns} rows={runs} rowKey={({ uuid }) => uuid} />
    </Section>
  );
}
