import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { reasonWords } from '../../lib/error-text.ts';
import { duration, number } from '../../lib/number-text.ts';
import { Badge } from '../badge.tsx';
import { Facts, Nothing } from './explain-part.tsx';
import { sourceWords } from './explain-words.ts';
import type { Explanation, Passage, Retrieval } from './explanation.ts';

const legs = ['keyword', 'vector', 'rerank'] as const;

/** Queries to knowledge bases, with their results. */
export function ExplainRetrievals({ retrievals }: { retrievals: readonly Retrieval[] }) {
  return (
    <ul className="space-y-3">
      {retrievals.map((retrieval) => (
        <li key={retrieval.uuid} className="rounded-xl border p-3">
          <RetrievalView retrieval={retrieval} />
        </li>
      ))}
    </ul>
  );
}

function RetrievalView({ retrieval }: { retrieval: Retrieval }) {
  const { t, i18n } = useTranslation();
  const { passages, failures } = retrieval;
  return (
    <>
      <div className="flex items-baseline gap-2">
        <p className="min-w-0 flex-1 text-sm font-medium break-words">“{retrieval.question}”</p>
        <span className="shrink-0 text-xs text-muted-foreground tabular-nums">
          {duration(retrieval.milliseconds, i18n.language)}
        </span>
      </div>
      <p className="mt-0.5 text-xs text-muted-foreground">
        {t(retrieval.asked_by === 'model' ? 'explain.askedByModel' : 'explain.askedByRunner')}
        {' · '}
        {passages.length === 0 ? t('explain.nothingFound') : t('explain.passages', { count: passages.length })}
      </p>
      {failures.map((failure) => (
        <div key={failure.knowledge_base_uuid} className="mt-2 text-sm text-destructive">
          <p>{t('explain.baseFailed', { cause: reasonWords(failure.reason, t) })}</p>
          {failure.error !== '' && <p className="font-mono text-xs break-words">{failure.error}</p>}
        </div>
      ))}
      {passages.length > 0 && (
        <ol className="mt-2 divide-y">
          {passages.map((passage) => (
            <PassageView key={`${passage.knowledge_base_uuid} ${passage.id}`} passage={passage} />
          ))}
        </ol>
      )}
    </>
  );
}

function PassageView({ passage }: { passage: Passage }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language;
  const scores = legs.flatMap((name) => {
    const leg = passage.legs[name];
    if (leg === undefined) return [];
    const rank = t('explain.rank', { rank: leg.rank, score: number(leg.score, language, 3) });
    return [[t(`explain.legs.${name}`), rank] as const];
  });
  return (
    <li className={classNames('py-2.5 last:pb-0', passage.number === null && 'text-muted-foreground')}>
      <div className="mb-1 flex flex-wrap items-center gap-1.5">
        <Badge tone={passage.number === null ? 'neutral' : 'busy'}>
          {passage.number === null ? t('explain.notShown') : t('explain.shownAs', { number: passage.number })}
        </Badge>
        {passage.number !== null && (
          <Badge tone={passage.cited_as === null ? 'neutral' : 'good'}>
            {passage.cited_as === null ? t('explain.notCited') : t('explain.citedAs', { number: passage.cited_as })}
          </Badge>
        )}
      </div>
      <p className="text-xs break-words">
        <span className="font-medium">{passage.knowledge_base_name}</span>
        {' · '}
        {passage.source === null ? t('explain.noSource') : sourceWords(passage.source, t)}
      </p>
      <p className="mt-1 line-clamp-4 text-sm break-words whitespace-pre-wrap" title={passage.text}>
        {passage.text}
      </p>
      <div className="mt-1.5">
        <Facts
          facts={[
            ...scores,
            passage.score === null
              ? [t('explain.distance'), number(passage.distance, language, 3)]
              : [t('explain.score'), number(passage.score, language, 3)],
          ]}
        />
      </div>
    </li>
  );
}

/** The citations of the answer, and the number of removed ones. */
export function ExplainCitations({ citations }: { citations: NonNullable<Explanation['citations']> }) {
  const { t } = useTranslation();
  return (
    <div className="space-y-2">
      {citations.cited.length === 0 && <Nothing>{t('explain.noCitations')}</Nothing>}
      {citations.cited.length > 0 && (
        <ol className="space-y-2">
          {citations.cited.map((citation, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one passage can be cited twice, with other quotes
            <li key={index} className="flex gap-2.5 rounded-xl border p-3">
              <span className="shrink-0 text-sm font-medium text-primary tabular-nums">[{citation.number}]</span>
              <div className="min-w-0">
                {citation.quote === null ? (
                  <p className="text-sm text-muted-foreground">{t('explain.noQuote')}</p>
                ) : (
                  <blockquote className="text-sm break-words whitespace-pre-wrap">“{citation.quote}”</blockquote>
                )}
                <p className="mt-1 text-xs break-words text-muted-foreground">
                  {citation.source === null ? t('explain.noSource') : sourceWords(citation.source, t)}
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
      {citations.dropped > 0 && (
        <p className="text-sm text-notice">{t('explain.dropped', { count: citations.dropped })}</p>
      )}
    </div>
  );
}
