import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Textarea } from '../../components/ui/textarea.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { notify } from '../../lib/notify.ts';
import { parseQuestions } from './parse-questions.ts';

/** Maximum number per request. */
const atOnce = 500;
const shownFaults = 5;
const example =
  '{"question": "When does the office open?", "expected": [{"file_name": "handbook.md", "quote": "at nine"}]}';

/** Imports golden questions from pasted text. */
export function ImportDialog({ base, onClose }: { base: string; onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const field = useId();
  const input = useKeptInput(`question-import:${base}`, () => ({ text: '' }));
  const { text } = input.value;
  const close = () => {
    input.forget();
    onClose();
  };
  const { questions, faults } = useMemo(() => parseQuestions(text), [text]);
  /** Questions stored before a request failed; they are not sent again. */
  const [written, setWritten] = useState(0);
  const save = useMutation({
    mutationFn: async () => {
      for (let from = written; from < questions.length; from += atOnce) {
        await api.post('/api/v1/knowledge/bases/{knowledge_base_uuid}/questions', {
          params: { path: { knowledge_base_uuid: base } },
          body: { questions: questions.slice(from, from + atOnce) },
        });
        setWritten(from + atOnce);
      }
    },
    onSuccess: () => {
      notify.done(t('knowledge.imported', { count: questions.length }));
      close();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['knowledge', base, 'questions'] }),
  });
  const isReady = questions.length > 0 && faults.length === 0;
  return (
    <Dialog title={t('knowledge.importTitle')} width="wide" onClose={close}>
      <form
        className="mt-2 space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !save.isPending) save.mutate();
        }}
      >
        <p className="text-sm text-pretty text-muted-foreground">{t('knowledge.importText')}</p>
        <pre className="rounded-xl bg-muted p-3 text-xs break-words whitespace-pre-wrap">{example}</pre>
        <div className="space-y-2">
          <Label htmlFor={field}>{t('knowledge.importField')}</Label>
          <Textarea
            id={field}
            rows={8}
            className="min-h-40 font-mono text-sm"
            spellCheck={false}
            value={text}
            disabled={written > 0}
            aria-describedby={`${field}-found`}
            onChange={(event) => {
              input.change({ text: event.target.value });
              save.reset();
            }}
          />
          <div id={`${field}-found`} role="status" className="space-y-0.5 text-sm">
            {questions.length > 0 && (
              <p className="text-muted-foreground">{t('knowledge.importFound', { count: questions.length })}</p>
            )}
            {faults.slice(0, shownFaults).map(({ line, kind }) => (
              <p key={line} className="text-destructive">
                {t('knowledge.lineFault', { line, fault: t(`knowledge.lineFaults.${kind}`) })}
              </p>
            ))}
            {faults.length > shownFaults && (
              <p className="text-destructive">{t('knowledge.moreFaults', { count: faults.length - shownFaults })}</p>
            )}
          </div>
        </div>
        {save.isError && <FailureAlert error={save.error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="outline" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={!isReady || save.isPending}>
            {t('knowledge.import')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
