import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { reasonWords } from '../../lib/error-text.ts';
import { duration, exactTime, number } from '../../lib/number-text.ts';
import { Badge } from '../badge.tsx';
import { outcomeWords } from './explain-words.ts';
import { type Explanation, usageOf } from './explanation.ts';

const tones: Record<string, 'neutral' | 'good' | 'busy' | 'warning' | 'bad'> = {
  answered: 'good',
  sent: 'good',
  finished: 'good',
  processing: 'busy',
  writing: 'busy',
  sending: 'busy',
  pending: 'busy',
  stopped: 'warning',
  uncertain: 'warning',
  failed: 'bad',
};

/** Outcome, reason for waiting, and totals. */
export function ExplainFacts({ explanation }: { explanation: Explanation }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language;
  const { reason, waiting, attempts, total_milliseconds, model_calls, pipeline } = explanation;
  const outcome = explanation.message.failure === null ? explanation.outcome : 'failed';
  const usage = usageOf(explanation);
  // A failure is shown by itself.
  const isExplained = reason === 'answered' || waiting !== null || explanation.failure !== null;
  const cause = reason === null || isExplained ? null : reasonWords(reason, t);
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
      <Fact name={t('explain.outcome')}>
        <Badge tone={tones[outcome] ?? 'neutral'}>{outcomeWords(outcome, t)}</Badge>
      </Fact>
      {cause !== null && <Fact name={t('explain.reason')}>{cause}</Fact>}
      {waiting !== null && (
        <Fact name={t('explain.waits')}>
          {waiting.until === null
            ? t('explain.waitsTurn')
            : t('explain.waitsUntil', { timestamp: exactTime(waiting.until, language) })}
          {waiting.reason !== null && <p>{reasonWords(waiting.reason, t)}</p>}
        </Fact>
      )}
      {pipeline !== null && (
        <Fact name={t('explain.pipelineVersion')}>
          {pipeline.draft === null
            ? t('explain.publishedVersion', { number: pipeline.version })
            : t('explain.draftVersion', {
                number: pipeline.version,
                time: exactTime(pipeline.draft.updated_at, language),
              })}
        </Fact>
      )}
      {attempts > 1 && <Fact name={t('explain.attempts')}>{number(attempts, language)}</Fact>}
      <Fact name={t('explain.total')}>{duration(total_milliseconds, language)}</Fact>
      {model_calls.length > 0 && (
        <Fact name={t('explain.tokens')}>
          {t('explain.tokensInOut', { input: number(usage.input, language), output: number(usage.output, language) })}
        </Fact>
      )}
      {usage.cost !== null && <Fact name={t('explain.cost')}>{number(usage.cost, language, 6)}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 break-words tabular-nums">{children}</dd>
    </>
  );
}
