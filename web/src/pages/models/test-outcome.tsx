import type { UseMutationResult } from '@tanstack/react-query';
import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { FailureContent } from '../../components/failure/failure-content.tsx';
import { failureOfRequest } from '../../lib/failure.ts';
import type { TestedModel } from './model-queries.ts';

interface TestOutcomeProps {
  // biome-ignore lint/suspicious/noExplicitAny: whatever is tested
  test: Pick<UseMutationResult<TestedModel, Error, any>, 'isPending' | 'data' | 'error'>;
}

/** The state of a model test: in progress, response with duration, or error. */
export function TestOutcome({ test: { isPending, data, error } }: TestOutcomeProps) {
  const { t } = useTranslation();
  return (
    <div role="status" className="text-sm empty:hidden">
      {isPending && (
        <p className="flex items-center gap-2 text-muted-foreground">
          <LoaderCircle aria-hidden className="size-4 shrink-0 motion-safe:animate-spin" />
          {t('models.testing')}
        </p>
      )}
      {!isPending && data !== undefined && (
        <p className="flex items-start gap-2 text-good">
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>
            {t('models.answered', { milliseconds: data.latency_ms })}
            {data.dimension !== undefined && ` · ${t('models.dimension', { count: data.dimension })}`}
            {data.usage?.input_tokens != null &&
              ` · ${t('models.tokens', { input: data.usage.input_tokens, output: data.usage.output_tokens ?? 0 })}`}
          </span>
        </p>
      )}
      {!isPending && error !== null && (
        <div className="flex items-start gap-2 text-destructive">
          <CircleX aria-hidden className="mt-0.5 size-4 shrink-0" />
          <FailureContent failure={failureOfRequest(error, t)} title={t('models.failed')} />
        </div>
      )}
    </div>
  );
}
