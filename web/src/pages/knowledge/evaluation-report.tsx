import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Select } from '../../components/ui/select.tsx';
import { classNames } from '../../lib/class-names.ts';
import { differenceText, figuresThere, figureText } from './figures.ts';
import { type Evaluation, type EvaluationSummary, evaluationQuery, type KnowledgeBase } from './knowledge-queries.ts';
import { QuestionResults } from './question-results.tsx';
import { useRunName } from './use-run-name.ts';

interface EvaluationReportProps {
  base: KnowledgeBase;
  run: string;
  /** All stored ones, newest first. */
  runs: readonly EvaluationSummary[];
}

/** The result of an evaluation, compared with an earlier one. */
export function EvaluationReport({ base, run, runs }: EvaluationReportProps) {
  const evaluation = useQuery(evaluationQuery(base.uuid, run));
  return (
    <Loaded query={evaluation} rows={3}>
      {(loaded) => <Report key={loaded.uuid} base={base} evaluation={loaded} runs={runs} />}
    </Loaded>
  );
}

interface ReportProps {
  base: KnowledgeBase;
  evaluation: Evaluation;
  runs: readonly EvaluationSummary[];
}

function Report({ base, evaluation, runs }: ReportProps) {
  const { t } = useTranslation();
  const runName = useRunName();
  const { uuid, state, figures, error, results, created_at } = evaluation;
  const others = runs.filter((one) => one.uuid !== uuid && one.figures !== null);
  const earlier = others.find((one) => one.created_at < created_at);
  const [chosen, setChosen] = useState<string | null>(null);
  const compared = others.find((one) => one.uuid === (chosen ?? earlier?.uuid));
  if (state === 'running') return null;
  return (
    <Section
      title={t('knowledge.report')}
      text={runName(evaluation)}
      actions={
        others.length > 0 && (
          <Select
            className="w-64 max-w-full"
            aria-label={t('knowledge.compareWith')}
            value={compared?.uuid ?? ''}
            onChange={(event) => setChosen(event.target.value)}
          >
            <option value="">{t('knowledge.compareWithNone')}</option>
            {others.map((one) => (
              <option key={one.uuid} value={one.uuid}>
                {t('knowledge.comparedWith', { run: runName(one) })}
              </option>
            ))}
          </Select>
        )
      }
    >
      {evaluation.collection_id !== base.collection_id && (
        <p className="mb-3 flex">
          <Badge>{t('knowledge.otherCollection')}</Badge>
        </p>
      )}
      {error !== null && <Alert className="mb-4">{error}</Alert>}
      {state === 'cancelled' && <p className="text-muted-foreground">{t('knowledge.runStates.cancelled')}</p>}
      {figures !== null && (
        <>
          <FigureCards figures={figures} compared={compared?.figures ?? null} />
          <FigureMeanings figures={figures} />
        </>
      )}
      {results.length > 0 && <QuestionResults base={base.uuid} results={results} />}
    </Section>
  );
}

interface FigureCardsProps {
  figures: NonNullable<EvaluationSummary['figures']>;
  compared: EvaluationSummary['figures'];
}

function FigureCards({ figures, compared }: FigureCardsProps) {
  const { t, i18n } = useTranslation();
  return (
    <dl className="mb-3 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
      {figuresThere(figures).map((name) => {
        const difference = differenceText(compared?.[name], figures[name], i18n.language);
        const isLower = (figures[name] ?? 0) < (compared?.[name] ?? 0);
        return (
          <div key={name} className="rounded-2xl border bg-card p-3.5">
            <dt className="text-xs text-muted-foreground">{t(`knowledge.figures.${name}`)}</dt>
            <dd className="mt-0.5 flex flex-wrap items-baseline gap-x-2">
              <span className="text-lg font-semibold tabular-nums">{figureText(figures[name], i18n.language)}</span>
              {difference !== '' && (
                <span
                  className={classNames('text-xs font-medium tabular-nums', isLower ? 'text-destructive' : 'text-good')}
                >
                  {difference}
                </span>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function FigureMeanings({ figures }: Pick<FigureCardsProps, 'figures'>) {
  const { t } = useTranslation();
  return (
    <details className="mb-6 text-sm">
      <summary className="w-fit cursor-pointer rounded py-0.5 text-muted-foreground">{t('knowledge.meanings')}</summary>
      <dl className="mt-2 space-y-1">
        {figuresThere(figures).map((name) => (
          <div key={name} className="flex flex-wrap gap-x-2">
            <dt className="font-medium">{t(`knowledge.figures.${name}`)}</dt>
            <dd className="text-muted-foreground">{t(`knowledge.figureHelp.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
