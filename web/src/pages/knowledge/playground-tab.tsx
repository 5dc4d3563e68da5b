import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Search, SlidersHorizontal } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CitationDrawer } from '../../components/explain/citation-drawer.tsx';
import { passageKey } from '../../components/explain/passage.ts';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { defaultsOf, type FormField, type FormValue } from '../../components/forms/form-field.ts';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Textarea } from '../../components/ui/textarea.tsx';
import { api } from '../../lib/api.ts';
import { reasonText } from '../../lib/error-text.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { notify } from '../../lib/notify.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { enginesQuery, type KnowledgeBase } from './knowledge-queries.ts';
import { type Passage, PassageCard } from './passage-card.tsx';
import { QuestionDialog } from './question-dialog.tsx';
import { usedRetrievalFields } from './retrieval-fields.ts';

const route = getRouteApi('/console/knowledge/$uuid');

/** A query; the number distinguishes repetitions. */
interface Asked {
  query: string;
  settings: FormValue;
  number: number;
}

/** Runs queries on a base, to see the results and their ranking. */
export function PlaygroundTab({ base }: { base: KnowledgeBase }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const { q = '' } = route.useSearch();
  const engines = useQuery(enginesQuery);
  // An address with a question opens with it.
  const input = useKeptInput(`playground:${base.uuid}:${q}`, () => ({ question: q, settings: {} as FormValue }));
  const { question, settings } = input.value;
  const [asked, setAsked] = useState<Asked | null>(q === '' ? null : { query: q, settings: {}, number: 0 });
  const engine = engines.data?.find(({ plugin_id }) => plugin_id === base.knowledge_engine_plugin_id);
  const fields = engine === undefined ? [] : usedRetrievalFields(engine, base.creation_settings ?? {});
  const found = useQuery({
    // Not below `knowledge`: queries run on request, not on changes.
    queryKey: ['retrieval', base.uuid, asked],
    enabled: asked !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      input.requireValues();
      const { results } = await api.post('/api/v1/knowledge/bases/{knowledge_base_uuid}/retrieve', {
        params: { path: { knowledge_base_uuid: base.uuid } },
        body: { query: asked?.query ?? '', retrieval_settings: asked?.settings ?? {} },
        signal,
      });
      return { results, query: asked?.query ?? '' };
    },
  });

  const results = useRef<HTMLDivElement>(null);
  const isAnswered = found.isSuccess && !found.isPlaceholderData && (asked?.number ?? 0) > 0;
  useEffect(() => {
    // On a phone they are below the settings.
    if (isAnswered && found.dataUpdatedAt > 0) results.current?.scrollIntoView({ block: 'nearest' });
  }, [isAnswered, found.dataUpdatedAt]);

  const ask = () => {
    const query = question.trim();
    if (query === '') return;
    input.drop();
    setAsked({ query, settings, number: (asked?.number ?? 0) + 1 });
    void navigate({ search: { tab: 'playground', q: query }, replace: true });
  };

  return (
    <div className="grid gap-x-6 gap-y-5 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr]">
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <div>
          <label htmlFor="question" className="mb-2 block text-sm font-medium">
            {t('knowledge.question')}
          </label>
          <div className="flex flex-wrap items-end gap-2">
            <Textarea
              id="question"
              className="min-h-11 flex-1 basis-72"
              rows={1}
              maxLength={10_000}
              value={question}
              placeholder={t('knowledge.questionPlaceholder')}
              onChange={(event) => input.change({ ...input.value, question: event.target.value })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
                event.preventDefault();
                ask();
              }}
            />
            <Button type="submit" disabled={question.trim() === '' || found.isFetching}>
              <Search aria-hidden />
              {t('knowledge.find')}
            </Button>
          </div>
        </div>
        {fields.length > 0 && (
          <SettingsPanel
            base={base}
            fields={fields}
            settings={settings}
            onChange={(next) => input.change({ ...input.value, settings: next })}
            input={input}
            faults={faultsOf(found.error)}
          />
        )}
      </form>
      <div ref={results} className="min-w-0 scroll-my-4 lg:col-start-1" aria-live="polite" aria-busy={found.isFetching}>
        {found.isError && <FailureAlert error={found.error} />}
        {!found.isError && found.isLoading && <Loading rows={3} />}
        {!found.isError && found.data && <Results base={base} {...found.data} />}
        {asked === null && <p className="text-pretty text-muted-foreground">{t('knowledge.playgroundText')}</p>}
      </div>
    </div>
  );
}

interface SettingsPanelProps {
  base: KnowledgeBase;
  fields: readonly FormField[];
  settings: FormValue;
  onChange: (settings: FormValue) => void;
  input: Pick<ReturnType<typeof useKeptInput>, 'typed' | 'requireValues'>;
  faults: ReturnType<typeof faultsOf>;
}

/** Settings to try; those of the base are unchanged until the user saves them. */
function SettingsPanel({ base, fields, settings, onChange, input, faults }: SettingsPanelProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  // Expanded where there is space next to the results.
  const [isOpen, setOpen] = useState(() => matchMedia('(min-width: 64rem)').matches);
  const reset = () => {
    onChange({});
    input.typed.drop();
  };
  const isChanged = Object.keys(settings).length > 0 || !input.typed.isEmpty;
  const keep = useMutation({
    mutationFn: async () => {
      input.requireValues();
      return api.put('/api/v1/knowledge/bases/{knowledge_base_uuid}', {
        params: { path: { knowledge_base_uuid: base.uuid } },
        body: { retrieval_settings: { ...base.retrieval_settings, ...settings } },
      });
    },
    onSuccess: () => {
      notify.done(t('common.saved'));
      reset();
    },
    onError: notify.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['knowledge', base.uuid], exact: true }),
  });
  const shown = { ...defaultsOf(fields), ...base.retrieval_settings, ...settings };
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="self-start rounded-2xl border bg-card lg:row-span-2"
    >
      <summary className="flex cursor-pointer items-center gap-2 rounded-2xl px-4 py-3 text-sm font-medium select-none">
        <SlidersHorizontal aria-hidden className="size-4 text-muted-foreground" />
        {t('knowledge.retrievalSettings')}
        {isChanged && <span className="font-normal text-muted-foreground">{t('knowledge.triedHere')}</span>}
      </summary>
      <div className="border-t p-4">
        <SchemaForm
          fields={fields}
          value={shown}
          onChange={(value) => {
            const before = { ...defaultsOf(fields), ...base.retrieval_settings } as FormValue;
            onChange(Object.fromEntries(Object.entries(value).filter(([name, one]) => one !== before[name])));
          }}
          typed={input.typed}
          faults={faults}
          path="retrieval_settings"
        />
        {isChanged && (
          <div className="mt-5 flex flex-wrap gap-2">
            <Button variant="outline" size="small" disabled={keep.isPending} onClick={() => keep.mutate()}>
              {t('knowledge.keepSettings')}
            </Button>
            <Button variant="ghost" size="small" onClick={reset}>
              {t('knowledge.resetSettings')}
            </Button>
          </div>
        )}
      </div>
    </details>
  );
}

function Results({ base, results, query }: { base: KnowledgeBase; results: readonly Passage[]; query: string }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<number | null>(null);
  const passages = useMemo(() => results.map((result) => shownPassage(base, result, query)), [base, results, query]);
  const [expected, setExpected] = useState<Passage | null>(null);
  const notes = noteTexts(results[0], t);
  if (results.length === 0) {
    return (
      <>
        <p className="font-medium">{t('knowledge.nothingFound')}</p>
        <p className="mt-1 text-pretty text-muted-foreground">{t('knowledge.nothingFoundText')}</p>
      </>
    );
  }
  return (
    <>
      {notes.map((note) => (
        <Alert key={note} variant="notice" className="mb-4">
          {note}
        </Alert>
      ))}
      <h2 className="mb-3 text-sm text-muted-foreground">{t('knowledge.found', { count: results.length })}</h2>
      <ol className="space-y-3">
        {results.map((passage, index) => (
          <li key={passage.id}>
            <PassageCard
              base={base.uuid}
              passage={passage}
              rank={index + 1}
              question={query}
              onOpen={() => setOpened(index)}
              onExpect={passage.metadata.document_id === null ? undefined : () => setExpected(passage)}
            />
          </li>
        ))}
      </ol>
      {opened !== null && (
        <CitationDrawer passages={passages} index={opened} onIndex={setOpened} onClose={() => setOpened(null)} />
      )}
      {expected?.metadata.document_id && (
        <QuestionDialog
          base={base.uuid}
          initial={{ question: query, documents: [expected.metadata.document_id] }}
          onClose={() => setExpected(null)}
        />
      )}
    </>
  );
}

function shownPassage(base: KnowledgeBase, { id, content, metadata, score, distance }: Passage, query: string) {
  const { document_id, file_id, file_name, page, page_end, heading_path, start, end, scores } = metadata;
  return {
    key: passageKey(base.uuid, id),
    number: null,
    base: base.uuid,
    baseName: base.name,
    chunk: id,
    text: content.map((element) => element.text ?? '').join('\n'),
    quotes: [],
    source:
      document_id === null || file_name === null
        ? null
        : {
            document_id,
            file_id: file_id ?? '',
            file_name,
            page,
            page_end,
            heading_path,
            start: start ?? 0,
            end: end ?? 0,
          },
    score,
    distance,
    legs: scores,
    question: query,
    askedBy: null,
  };
}

/** Skipped steps, with reasons. */
function noteTexts(passage: Passage | undefined, t: TFunction): string[] {
  const notes: Record<string, unknown> = passage?.metadata ?? {};
  const reasonOf = (reason: unknown) => reasonText(String(reason), t) ?? String(reason);
  return [
    ...(notes.keyword_only === undefined ? [] : [t('knowledge.keywordOnly', { reason: reasonOf(notes.keyword_only) })]),
    ...(notes.not_reranked === undefined ? [] : [t('knowledge.notReranked', { reason: reasonOf(notes.not_reranked) })]),
  ];
}
