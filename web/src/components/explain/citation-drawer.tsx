import type { components } from '@parley/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, ExternalLink, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../lib/error-text.ts';
import { number } from '../../lib/number-text.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Drawer } from '../ui/drawer.tsx';
import { Facts } from './explain-part.tsx';
import { sourceWords } from './explain-words.ts';
import { PassagePages } from './page-picture.tsx';
import { type Passage, quotedParts } from './passage.ts';
import { contextQuery, pageImageQuery } from './passage-queries.ts';

type Context = components['schemas']['PassageContext'];

interface CitationDrawerProps {
  passages: readonly Passage[];
  index: number;
  onIndex: (index: number) => void;
  onClose: () => void;
}

const legs = ['keyword', 'vector', 'rerank'] as const;

/** Passages one by one: the text in its document, the page, and why it was found. */
export function CitationDrawer({ passages, index, onIndex, onClose }: CitationDrawerProps) {
  const { t } = useTranslation();
  const passage = passages[index];
  const go = (step: number) => {
    if (passages[index + step] !== undefined) onIndex(index + step);
  };
  return (
    <Drawer
      label={t('citations.title')}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        if (event.key === 'ArrowLeft') go(-1);
        if (event.key === 'ArrowRight') go(1);
      }}
      header={(close) => (
        <header className="flex items-center gap-1 border-b py-2 pr-2 pl-4 sm:pl-6">
          <h2 className="min-w-0 flex-1 font-semibold">{t('citations.title')}</h2>
          {passages.length > 1 && (
            <div className="flex items-center gap-0.5">
              <StepButton label={t('citations.previous')} disabled={index === 0} onClick={() => go(-1)}>
                <ChevronLeft aria-hidden />
              </StepButton>
              <span role="status" className="min-w-12 text-center text-sm text-muted-foreground tabular-nums">
                {t('citations.position', { index: index + 1, count: passages.length })}
              </span>
              <StepButton label={t('citations.next')} disabled={index === passages.length - 1} onClick={() => go(1)}>
                <ChevronRight aria-hidden />
              </StepButton>
            </div>
          )}
          <Button
            variant="ghost"
            size="icon"
            aria-label={t('citations.close')}
            title={t('citations.close')}
            onClick={close}
          >
            <X aria-hidden />
          </Button>
        </header>
      )}
    >
      {passage !== undefined && <PassageView key={passage.key} passage={passage} />}
    </Drawer>
  );
}

interface StepButtonProps {
  label: string;
  disabled: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** Stays in the tab order at both ends, so that it does not lose the focus there. */
function StepButton({ label, disabled, onClick, children }: StepButtonProps) {
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label={label}
      title={label}
      aria-disabled={disabled}
      className="aria-disabled:opacity-40"
      onClick={() => {
        if (!disabled) onClick();
      }}
    >
      {children}
    </Button>
  );
}

function PassageView({ passage }: { passage: Passage }) {
  const { t, i18n } = useTranslation();
  const queries = useQueryClient();
  const context = useQuery(contextQuery(passage));
  const { source, score, distance, question, askedBy } = passage;
  const isThere = context.data?.state === 'current' || context.data?.state === 'reindexed';
  const document = isThere ? (context.data?.document ?? null) : null;
  const page = source?.page ?? null;
  const shownPage = document?.shows_pages && page !== null ? page : null;

  // The image takes longer than the words on it, and its page is known already.
  useEffect(() => {
    if (document !== null && shownPage !== null) {
      void queries.prefetchQuery(pageImageQuery(passage.base, document.uuid, shownPage));
    }
  }, [queries, passage.base, document, shownPage]);

  return (
    <article className="space-y-5">
      <header className="text-sm">
        <h3 className="font-medium break-words">
          {passage.number !== null && <span className="mr-1.5 text-primary tabular-nums">[{passage.number}]</span>}
          {source === null ? t('citations.noSource') : sourceWords(source, t)}
        </h3>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted-foreground">
          {passage.baseName}
          {document !== null && (
            <DocumentLink base={passage.base} document={document.uuid}>
              {t('citations.openDocument')}
            </DocumentLink>
          )}
        </p>
      </header>
      {context.isError && <Alert variant="notice">{errorText(context.error, t)}</Alert>}
      {context.isSuccess && <StateNotice passage={passage} context={context.data} />}
      <PassageText passage={passage} context={context.data ?? null} />
      {document !== null && shownPage !== null && <PassagePages passage={passage} document={document.uuid} />}
      <section aria-label={t('citations.why')}>
        <h4 className="mb-1.5 text-sm font-semibold">{t('citations.why')}</h4>
        {question !== '' && (
          <p className="mb-1.5 text-sm break-words">
            <span className="text-muted-foreground">
              {t(askedBy === 'model' ? 'citations.askedByModel' : 'citations.asked')}
            </span>{' '}
            “{question}”
          </p>
        )}
        <Facts
          facts={[
            score === null
              ? [t('explain.distance'), number(distance, i18n.language, 3)]
              : [t('explain.score'), number(score, i18n.language, 3)],
            ...legs.flatMap((name) => {
              const leg = passage.legs[name];
              if (leg === undefined) return [];
              const rank = t('explain.rank', { rank: leg.rank, score: number(leg.score, i18n.language, 3) });
              return [[t(`explain.legs.${name}`), rank] as const];
            }),
          ]}
        />
      </section>
    </article>
  );
}

function DocumentLink({ base, document, children }: { base: string; document: string; children: ReactNode }) {
  return (
    <Link
      to="/knowledge/$uuid/files/$file"
      params={{ uuid: base, file: document }}
      className="inline-flex items-center gap-1 rounded font-medium text-primary underline underline-offset-4"
    >
      {children}
      <ExternalLink aria-hidden className="size-3.5" />
    </Link>
  );
}

/** Says what happened to the document since the passage was found. */
function StateNotice({ passage, context }: { passage: Passage; context: Context | null }) {
  const { t } = useTranslation();
  const state = context?.state ?? 'baseDeleted';
  if (state === 'current' || state === 'external') return null;
  const replacement = state === 'replaced' ? (context?.document ?? null) : null;
  return (
    <Alert variant="notice">
      <p>{t(`citations.states.${state}`)}</p>
      {replacement !== null && (
        <p className="mt-1">
          <DocumentLink base={passage.base} document={replacement.uuid}>
            {t('citations.openReplacement')}
          </DocumentLink>
        </p>
      )}
    </Alert>
  );
}

/** The passage within the text of its document; the quoted words are marked. */
function PassageText({ passage, context }: { passage: Passage; context: Context | null }) {
  const { t } = useTranslation();
  const box = useRef<HTMLElement>(null);
  const { text, quotes } = passage;
  const { before = '', after = '' } = context ?? {};
  const parts = quotedParts(text, quotes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text before it moves the passage
  useEffect(() => {
    const frame = box.current;
    const target = frame?.querySelector<HTMLElement>('mark') ?? frame?.querySelector<HTMLElement>('[data-passage]');
    if (frame && target) frame.scrollTop = Math.max(0, target.offsetTop - frame.clientHeight / 3);
  }, [before]);
  return (
    <section
      ref={box}
      aria-label={t('citations.text')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
      tabIndex={0}
      className="relative max-h-[min(24rem,50dvh)] overflow-y-auto rounded-xl border bg-background px-4 py-3 text-[0.94rem] leading-relaxed break-words whitespace-pre-wrap"
    >
      {before.trim() !== '' && <p className="mb-2 text-muted-foreground">{before.trimEnd()}</p>}
      <p data-passage className="rounded-r-lg border-l-3 border-primary bg-bubble/50 py-1.5 pr-2 pl-3">
        {parts.map((part, index) =>
          part.isQuoted ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity than their place
            <mark key={index} className="rounded bg-notice-soft px-0.5 font-medium text-notice">
              {part.text}
            </mark>
          ) : (
            part.text
          ),
        )}
      </p>
      {after.trim() !== '' && <p className="mt-2 text-muted-foreground">{after.trimStart()}</p>}
    </section>
  );
}
