import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { Textarea } from '../../components/ui/textarea.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { notify } from '../../lib/notify.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { documentsQuery, type GoldenQuestion } from './knowledge-queries.ts';

interface QuestionDialogProps {
  base: string;
  /** The question to change; missing for a new one. */
  stored?: GoldenQuestion;
  /** Initial values of a new one. */
  initial?: { question: string; documents: readonly string[] };
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
export function QuestionDialog({ base, stored, initial, onClose }: QuestionDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const field = useId();
  const input = useKeptInput(`question:${base}:${stored?.uuid ?? initial?.question ?? ''}`, () => ({
    question: stored?.question ?? initial?.question ?? '',
    rows: rowsOf(stored, initial?.documents ?? []),
  }));
  const { question, rows } = input.value;
  const setRows = (next: Row[]) => input.change({ ...input.value, rows: next });
  const close = () => {
    input.forget();
    onClose();
  };
  const save = useMutation({
    mutationFn: async (): Promise<void> => {
      const expected = rows
        .filter(({ document_uuid }) => document_uuid !== '')
        .map(({ quote, ...row }) => ({ ...row, quote: quote.trim() === '' ? null : quote }));
      const body = { question: question.trim(), expected };
      if (stored === undefined) {
        const path = { knowledge_base_uuid: base };
        await api.post('/api/v1/knowledge/bases/{knowledge_base_uuid}/questions', { params: { path }, body });
        return;
      }
      const path = { knowledge_base_uuid: base, question_uuid: stored.uuid };
      await api.put('/api/v1/knowledge/bases/{knowledge_base_uuid}/questions/{question_uuid}', {
        params: { path },
        body,
      });
    },
    onSuccess: async () => {
      notify.done(t(stored === undefined ? 'knowledge.questionAdded' : 'common.saved'));
      await queries.invalidateQueries({ queryKey: ['knowledge', base, 'questions'] });
      close();
    },
  });
  const change = (index: number, part: Partial<Row>) =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const isComplete = question.trim() !== '' && rows.some(({ document_uuid }) => document_uuid !== '');
  return (
    <Dialog
      title={t(stored === undefined ? 'knowledge.newQuestion' : 'knowledge.editQuestion')}
      width="wide"
      onClose={close}
    >
      <form
        className="mt-4 space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete && !save.isPending) save.mutate();
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
            onChange={(event) => input.change({ ...input.value, question: event.target.value })}
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
              error={faultsOf(save.error).find(({ path }) => path.startsWith(`expected[${index}]`))?.message}
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
        {save.isError && <FailureAlert error={save.error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="outline" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={!isComplete || save.isPending}>
            {t(stored === undefined ? 'common.add' : 'common.save')}
          </Button>
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

function rowsOf(stored: GoldenQuestion | undefined, documents: readonly string[]): Row[] {
  if (stored !== undefined) {
    return stored.expected.map(({ document_uuid, quote, grade }) => ({ document_uuid, quote: quote ?? '', grade }));
  }
  return documents.length === 0 ? [emptyRow] : documents.map((document_uuid) => ({ ...emptyRow, document_uuid }));
}
