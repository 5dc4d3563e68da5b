import type { components } from '@parley/client';
import { Link } from '@tanstack/react-router';
import { BookmarkPlus, TextSearch } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { numberFormat } from '../../lib/formats.ts';
import { MarkedText } from './marked-text.tsx';
import { placeText } from './place-text.ts';

export type Passage = components['schemas']['RetrievalResult'];

interface PassageCardProps {
  base: string;
  passage: Passage;
  rank: number;
  question: string;
  onOpen: () => void;
  /** Missing if the source is not a document of the base. */
  onExpect?: (() => void) | undefined;
}

/** A passage: source, text, and rank in each kind of search. */
export function PassageCard({ base, passage, rank, question, onOpen, onExpect }: PassageCardProps) {
  const { t } = useTranslation();
  const { content, metadata, score } = passage;
  const { document_id, file_name, heading_path, scores } = metadata;
  const text = content.map((element) => element.text ?? '').join('\n');
  const place = placeText(metadata, t);
  return (
    <article className="rounded-2xl border bg-card p-4" aria-label={t('knowledge.passage', { rank })}>
      <header className="mb-2 flex flex-wrap items-start gap-x-3 gap-y-1">
        <span aria-hidden className="mt-0.5 text-sm font-medium text-muted-foreground tabular-nums">
          {rank}
        </span>
        <div className="min-w-0 flex-1 basis-52 text-sm">
          <h3 className="font-medium break-all">
            {document_id !== null && file_name !== null ? (
              <Link
                to="/knowledge/$uuid/files/$file"
                params={{ uuid: base, file: document_id }}
                className="rounded underline-offset-4 hover:underline"
              >
                {file_name}
              </Link>
            ) : (
              (file_name ?? t('knowledge.noSource'))
            )}
          </h3>
          {(place !== '' || heading_path.length > 0) && (
            <p className="break-words text-muted-foreground">
              {[place, heading_path.join(' › ')].filter((part) => part !== '').join(' · ')}
            </p>
          )}
        </div>
        <Button variant="ghost" size="small" className="max-sm:-ml-2.5" aria-haspopup="dialog" onClick={onOpen}>
          <TextSearch aria-hidden />
          {t('knowledge.showPassage')}
        </Button>
        {onExpect && (
          <Button variant="ghost" size="small" className="max-sm:-ml-2.5" onClick={onExpect}>
            <BookmarkPlus aria-hidden />
            {t('knowledge.expectThis')}
          </Button>
        )}
      </header>
      <MarkedText text={text} question={question} />
      <dl className="mt-3 flex flex-wrap gap-x-5 gap-y-1 border-t pt-2.5 text-xs">
        <Score label={t('knowledge.scores.final')} score={score} />
        <Score label={t('knowledge.scores.keyword')} {...scores.keyword} />
        <Score label={t('knowledge.scores.vector')} {...scores.vector} />
        <Score label={t('knowledge.scores.rerank')} {...scores.rerank} />
      </dl>
    </article>
  );
}

/** Searches that did not find the passage have no score. */
function Score({ label, score, rank }: { label: string; score?: number | null; rank?: number }) {
  const { t, i18n } = useTranslation();
  if (score === undefined || score === null) return null;
  const number = numberFormat(i18n.language, { maximumSignificantDigits: 3 }).format(score);
  return (
    <div className="flex gap-1.5">
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="font-medium tabular-nums">
        {rank === undefined ? number : t('knowledge.scoreAndRank', { score: number, rank })}
      </dd>
    </div>
  );
}
