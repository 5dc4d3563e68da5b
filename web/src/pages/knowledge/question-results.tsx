import { Link } from '@tanstack/react-router';
import { Check, CircleAlert, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/ui/button.tsx';
import type { Evaluation } from './knowledge-queries.ts';

// Answers are rare, and their renderer is large.
const Markdown = lazy(async () => ({ default: (await import('../../components/markdown.tsx')).Markdown }));

type QuestionResult = Evaluation['results'][number];

/** Rendered rows. */
const rowsAtOnce = 10;

/** The result of each question, failures first. */
export function QuestionResults({ base, results }: { base: string; results: readonly QuestionResult[] }) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(rowsAtOnce);
  const worstFirst = results.toSorted((one, other) => badness(other) - badness(one));
  return (
    <>
      <h3 className="mb-2 text-sm font-medium">{t('knowledge.results')}</h3>
      <ul className="divide-y rounded-2xl border bg-card">
        {worstFirst.slice(0, limit).map((result) => (
          <li key={result.question_uuid}>
            <Result base={base} result={result} />
          </li>
        ))}
      </ul>
      {results.length > limit && (
        <div className="mt-4 text-center">
          <Button variant="outline" onClick={() => setLimit(limit + rowsAtOnce)}>
            {t('common.more')}
          </Button>
        </div>
      )}
    </>
  );
}

/** Failed ones first, then those without a hit, then by rank. */
function badness({ error, rank }: QuestionResult): number {
  if (error !== null) return 100;
  return rank ?? 50;
}

function Result({ base, result }: { base: string; result: QuestionResult }) {
  const { t } = useTranslation();
  const { question, rank, found, answer, error, milliseconds } = result;
  return (
    <details>
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 rounded-2xl px-4 py-3 text-sm">
        <span className="min-w-0 flex-1 basis-60 break-words">{question}</span>
        {answer !== null && (
          <Badge tone={answer.citations > 0 && answer.right_citations === answer.citations ? 'good' : 'warning'}>
            {t('knowledge.citations', { right: answer.right_citations, count: answer.citations })}
          </Badge>
        )}
        {error !== null ? (
          <Badge tone="warning">
            <CircleAlert aria-hidden className="size-3.5" />
            {t('knowledge.notCounted')}
          </Badge>
        ) : rank === null ? (
          <Badge tone="bad">
            <X aria-hidden className="size-3.5" />
            {t('knowledge.missed')}
          </Badge>
        ) : (
          <Badge tone={rank === 1 ? 'good' : 'neutral'}>
            <Check aria-hidden className="size-3.5" />
            {t('knowledge.rank', { rank })}
          </Badge>
        )}
      </summary>
      <div className="space-y-3 px-4 pb-4 text-sm">
        {error !== null && <p className="text-notice">{error}</p>}
        {found.length > 0 && (
          <ol className="list-decimal space-y-0.5 pl-6">
            {found.map((passage, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same document may be found several times
              <li key={index} className={passage.is_expected ? 'font-medium' : 'text-muted-foreground'}>
                {passage.document_uuid === null ? (
                  (passage.file_name ?? t('knowledge.noSource'))
                ) : (
                  <Link
                    to="/knowledge/$uuid/files/$file"
                    params={{ uuid: base, file: passage.document_uuid }}
                    className="rounded break-all underline-offset-4 hover:underline"
                  >
                    {passage.file_name ?? passage.document_uuid}
                  </Link>
                )}
                {passage.page !== null && ` · ${t('knowledge.page', { page: passage.page })}`}
                {passage.is_expected && ` · ${t('knowledge.isExpected')}`}
              </li>
            ))}
          </ol>
        )}
        {found.length === 0 && error === null && <p>{t('knowledge.nothingFound')}</p>}
        {answer !== null && (
          <div className="rounded-xl bg-muted p-3">
            <Suspense fallback={null}>
              <Markdown text={answer.text} />
            </Suspense>
          </div>
        )}
        <p className="text-xs text-muted-foreground tabular-nums">{t('knowledge.took', { milliseconds })}</p>
      </div>
    </details>
  );
}
