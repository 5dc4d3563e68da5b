import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { ConflictNotice } from '../../components/forms/conflict-notice.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { Textarea } from '../../components/ui/textarea.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { notify } from '../../lib/notify.ts';
import { faultsOf, useDraft } from '../../lib/use-draft.ts';
import { documentsQuery, type GoldenQuestion, readTaggedQuestion } from './knowledge-queries.ts';

interface QuestionDialogProps {
  base: string;
  /** The question to change; missing for a new one. */
  stored?: GoldenQuestion;
  /** Initial values of a new one. */
  initial?: { question: string; documents: readonly string[] } | undefined;
  onClose: () => void;
}

interface Row {
  document_uuid: string;
  quote: string;
  grade: number;
}

const most = 20;
const grades = Array.from({ length: 10 }, (_, index) => index + 1);
const emptyRow: Row = { document_uuid: '', quote: '', grade: 1 };

/** A golden question with its expected documents. */
export function QuestionDialog({ stored, initial, ...shared }: QuestionDialogProps) {
  return stored === undefined ? (
    <NewQuestion {...shared} initial={initial} />
  ) : (
    <StoredQuestion {...shared} stored={stored} />
  );
}

interface Entry {
  question: string;
  rows: Row[];
}

function NewQuestion({ base, initial, onClose }: Omit<QuestionDialogProps, 'stored'>) {
  const { t } = useTranslation();
  const saved = useSavedQuestion(base, t('knowledge.questionAdded'));
  const input = useKeptInput<Entry>(`question:${base}:${initial?.question ?? ''}`, () => ({
    question: initial?.question ?? '',
    rows: documentsOf(initial).map((document_uuid) => ({ ...emptyRow, document_uuid })),
  }));
  const close = () => {
    input.forget();
    onClose();
  };
  const add = useMutation({
    mutationFn: () => {
      const path = { knowledge_base_uuid: base };
      const body = bodyOf(input.value);
      return api.post('/api/v1/knowledge/bases/{knowledge_base_uuid}/questions', { params: { path }, body });
    },
    onSuccess: async () => {
      await saved();
      close();
    },
  });
  return (
    <QuestionForm
      base={base}
      title={t('knowledge.newQuestion')}
      label={t('common.add')}
      value={input.value}
      onChange={input.change}
      error={add.error}
      isSaving={add.isPending}
      onSave={add.mutate}
      onClose={close}
    />
  );
}

function StoredQuestion({
  base,
  stored,
  onClose,
}: Omit<QuestionDialogProps, 'stored' | 'initial'> & { stored: GoldenQuestion }) {
  const { t } = useTranslation();
  const saved = useSavedQuestion(base, t('common.saved'));
  const { data: documents = [] } = useQuery(documentsQuery(base));
  const path = { knowledge_base_uuid: base, question_uuid: stored.uuid };
  const draft = useDraft({
    name: `question:${base}:${stored.uuid}`,
    stored,
    contentOf: entryOf,
    read: () => readTaggedQuestion(base, stored.uuid),
    save: (value: Entry, headers) =>
      api.put('/api/v1/knowledge/bases/{knowledge_base_uuid}/questions/{question_uuid}', {
        params: { path },
        headers,
        body: bodyOf(value),
      }),
    onSaved: () => {
      void saved();
      close();
    },
  });
  const close = () => {
    draft.forget();
    onClose();
  };
  /** Expected documents by their names, one a line. */
  const inWords = (rows: string | null) =>
    (JSON.parse(rows ?? '[]') as Row[])
      .map(({ document_uuid, quote, grade }) => {
        const name = documents.find(({ uuid }) => uuid === document_uuid)?.file_name ?? t('knowledge.documentGone');
        return [name, t('knowledge.gradeOf', { grade }), quote].filter(Boolean).join(' · ');
      })
      .join('\n');
  const differences = draft.conflict?.map((one) =>
    one.path === 'rows' ? { ...one, mine: inWords(one.mine), theirs: inWords(one.theirs) } : one,
  );
  return (
    <QuestionForm
      base={base}
      title={t('knowledge.editQuestion')}
      label={t('common.save')}
      stored={stored}
      value={draft.value}
      onChange={draft.change}
      error={draft.error}
      isSaving={draft.isSaving}
      onSave={draft.save}
      onClose={close}
      notice={
        differences !== undefined && (
          <ConflictNotice
            differences={differences}
            labelOf={(field) => t(field === 'rows' ? 'knowledge.expected' : 'knowledge.question')}
            isSaving={draft.isSaving}
            onOverwrite={draft.overwrite}
            onTakeTheirs={draft.takeTheirs}
          />
        )
      }
    />
  );
}

function useSavedQuestion(base: string, text: string): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    notify.done(text);
    await queries.invalidateQueries({ queryKey: ['knowledge', base, 'questions'] });
  };
}

interface QuestionFormProps {
  base: string;
  title: string;
  label: string;
  stored?: GoldenQuestion;
  value: Entry;
  onChange: (value: Entry) => void;
  error: Error | null;
  isSaving: boolean;
  onSave: () => void;
  onClose: () => void;
  /** Shown in place of the button that saves. */
  notice?: ReactNode;
}

function QuestionForm({
  base,
  title,
  label,
  stored,
  value,
  onChange,
  error,
  isSaving,
  onSave,
  onClose,
  notice,
}: QuestionFormProps) {
  const { t } = useTranslation();
  const field = useId();
  const { question, rows } = value;
  const setRows = (next: Row[]) => onChange({ ...value, rows: next });
  const change = (index: number, part: Partial<Row>) =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const isComplete = question.trim() !== '' && rows.some(({ document_uuid }) => document_uuid !== '');
  return (
    <Dialog title={title} width="wide" onClose={onClose}>
      <form
        className="mt-4 space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete && !isSaving && !notice) onSave();
        }}
      >
        <div className="space-y-2">
          <Label htmlFor={field}>{t('knowledge.question')}</Label>
          <Textarea
            id={field}
            rows={2}
            className="min-h-16"
            maxLength={2000}
            value={question}
            onChange={(event) => onChange({ ...value, question: event.target.value })}
          />
        </div>
        <fieldset className="space-y-3">
          <legend className="mb-2 text-sm font-medium">{t('knowledge.expected')}</legend>
          {rows.map((row, index) => (
            <ExpectedRow
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity than their place
              key={index}
              base={base}
              row={row}
              number={index + 1}
              gone={stored?.expected.find(({ document_uuid }) => document_uuid === row.document_uuid)}
              error={faultsOf(error).find(({ path }) => path.startsWith(`expected[${index}]`))?.message}
              onChange={(part) => change(index, part)}
              onRemove={rows.length === 1 ? undefined : () => setRows(rows.filter((_, at) => at !== index))}
            />
          ))}
          {rows.length < most && (
            <Button variant="outline" size="small" onClick={() => setRows([...rows, emptyRow])}>
              <Plus aria-hidden />
              {t('knowledge.addExpected')}
            </Button>
          )}
        </fieldset>
        {error !== null && <FailureAlert error={error} />}
        {notice}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          {!notice && (
            <Button type="submit" disabled={!isComplete || isSaving}>
              {label}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

interface ExpectedRowProps {
  base: string;
  row: Row;
  number: number;
  /** As stored; the document may be deleted. */
  gone: GoldenQuestion['expected'][number] | undefined;
  error: string | undefined;
  onChange: (part: Partial<Row>) => void;
  onRemove: (() => void) | undefined;
}

function ExpectedRow({ base, row, number, gone, error, onChange, onRemove }: ExpectedRowProps) {
  const { t } = useTranslation();
  const { data: documents = [] } = useQuery(documentsQuery(base));
  const isKnown = row.document_uuid === '' || documents.some(({ uuid }) => uuid === row.document_uuid);
  const label = (text: string) => `${text} ${number}`;
  return (
    <div className="space-y-2 rounded-xl border p-3">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          className="min-w-0 flex-1 basis-48"
          aria-label={label(t('knowledge.document'))}
          aria-invalid={error !== undefined || undefined}
          value={row.document_uuid}
          onChange={(event) => onChange({ document_uuid: event.target.value })}
        >
          <option value="">{t('knowledge.chooseDocument')}</option>
          {!isKnown && <option value={row.document_uuid}>{gone?.file_name ?? t('knowledge.documentGone')}</option>}
          {documents.map(({ uuid, file_name }) => (
            <option key={uuid} value={uuid}>
              {file_name}
            </option>
          ))}
        </Select>
        <Select
          className="w-44"
          aria-label={label(t('knowledge.grade'))}
          value={String(row.grade)}
          onChange={(event) => onChange({ grade: Number(event.target.value) })}
        >
          {grades.map((grade) => (
            <option key={grade} value={grade}>
              {t('knowledge.gradeOf', { grade })}
            </option>
          ))}
        </Select>
        {onRemove && (
          <Button variant="ghost" size="icon" aria-label={label(t('common.remove'))} onClick={onRemove}>
            <Trash2 />
          </Button>
        )}
      </div>
      <Input
        aria-label={label(t('knowledge.quote'))}
        placeholder={t('knowledge.quotePlaceholder')}
        maxLength={2000}
        value={row.quote}
        onChange={(event) => onChange({ quote: event.target.value })}
      />
      {error !== undefined && <p className="text-sm text-destructive">{error}</p>}
    </div>
  );
}

function entryOf({ question, expected }: GoldenQuestion): Entry {
  return {
    question,
    rows: expected.map(({ document_uuid, quote, grade }) => ({ document_uuid, quote: quote ?? '', grade })),
  };
}

function bodyOf({ question, rows }: Entry) {
  const expected = rows
    .filter(({ document_uuid }) => document_uuid !== '')
    .map(({ quote, ...row }) => ({ ...row, quote: quote.trim() === '' ? null : quote }));
  return { question: question.trim(), expected };
}

function documentsOf(initial: QuestionDialogProps['initial']): readonly string[] {
  return initial === undefined || initial.documents.length === 0 ? [''] : initial.documents;
}
