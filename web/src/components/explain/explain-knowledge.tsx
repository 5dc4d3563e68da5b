import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { reasonWords } from '../../lib/error-text.ts';
import { duration, number } from '../../lib/number-text.ts';
import { Badge } from '../badge.tsx';
import { CitationDrawer } from './citation-drawer.tsx';
import { Facts, Nothing } from './explain-part.tsx';
import { sourceWords } from './explain-words.ts';
import type { Explanation, Passage, Retrieval } from './explanation.ts';
import { citedPassagesOf, passageKey, passagesOf } from './passage.ts';

const openButton = 'rounded py-0.5 text-left font-medium text-primary underline underline-offset-4';
const legs = ['keyword', 'vector', 'rerank'] as const;

/** Queries to knowledge bases, with their results. */
export function ExplainRetrievals({ explanation }: { explanation: Explanation }) {
  const passages = useMemo(() => passagesOf(explanation), [explanation]);
  const [opened, setOpened] = useState<number | null>(null);
  const open = (key: string) => setOpened(passages.findIndex((passage) => passage.key === key));
  return (
    <>
      <ul className="space-y-3">
        {explanation.retrievals.map((retrieval) => (
          <li key={retrieval.uuid} className="rounded-xl border p-3">
            <RetrievalView retrieval={retrieval} onOpen={open} />
          </li>
        ))}
      </ul>
      {opened !== null && (
        <CitationDrawer passages={passages} index={opened} onIndex={setOpened} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function RetrievalView({ retrieval, onOpen }: { retrieval: Retrieval; onOpen: (key: string) => void }) {
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
            <PassageView
              key={passageKey(passage.knowledge_base_uuid, passage.id)}
              passage={passage}
              onOpen={() => onOpen(passageKey(passage.knowledge_base_uuid, passage.id))}
            />
          ))}
        </ol>
      )}
    </>
  );
}

function PassageView({ passage, onOpen }: { passage: Passage; onOpen: () => void }) {
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
        <button type="button" aria-haspopup="dialog" onClick={onOpen} className={openButton}>
          {passage.source === null ? t('explain.noSource') : sourceWords(passage.source, t)}
        </button>
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

interface ExplainCitationsProps {
  explanation: Explanation;
  citations: NonNullable<Explanation['citations']>;
}

/** The citations of the answer, and the number of removed ones. */
export function ExplainCitations({ explanation, citations }: ExplainCitationsProps) {
  const { t } = useTranslation();
  const passages = useMemo(() => citedPassagesOf(explanation), [explanation]);
  const [opened, setOpened] = useState<number | null>(null);
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
                  <button
                    type="button"
                    aria-haspopup="dialog"
                    onClick={() => setOpened(passages.findIndex(({ number: one }) => one === citation.number))}
                    className={openButton}
                  >
                    {citation.source === null ? t('explain.noSource') : sourceWords(citation.source, t)}
                  </button>
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
      {citations.dropped > 0 && (
        <p className="text-sm text-notice">{t('explain.dropped', { count: citations.dropped })}</p>
      )}
      {opened !== null && (
        <CitationDrawer passages={passages} index={opened} onIndex={setOpened} onClose={() => setOpened(null)} />
      )}
    </div>
  );
}
