import { useQuery } from '@tanstack/react-query';
import { ListChecks, Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Button } from '../../components/ui/button.tsx';
import { useRowDialog } from '../../lib/use-row-dialog.ts';
import { EvaluationPanel } from './evaluation-panel.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { type GoldenQuestion, type KnowledgeBase, questionsQuery } from './knowledge-queries.ts';
import { QuestionDialog } from './question-dialog.tsx';
import { useDeleteQuestion } from './use-delete-question.ts';

/** Rendered rows. */
const rowsAtOnce = 50;

/** Golden questions and evaluations. */
export function QuestionsTab({ base }: { base: KnowledgeBase }) {
  const { t } = useTranslation();
  const questions = useQuery(questionsQuery(base.uuid));
  const [dialog, setDialog] = useState<'add' | 'import' | null>(null);
  const close = () => setDialog(null);
  const buttons = (
    <>
      <Button variant="outline" size="small" onClick={() => setDialog('import')}>
        <Upload aria-hidden />
        {t('knowledge.import')}
      </Button>
      <Button size="small" onClick={() => setDialog('add')}>
        <Plus aria-hidden />
        {t('knowledge.newQuestion')}
      </Button>
    </>
  );
  return (
    <>
      <Loaded query={questions}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={ListChecks} title={t('knowledge.noQuestions')} text={t('knowledge.noQuestionsText')}>
              {buttons}
            </Empty>
          ) : (
            <>
              <EvaluationPanel base={base} />
              <Section
                title={t('knowledge.questionCount', { count: all.length })}
                text={t('knowledge.questionsText')}
                actions={<div className="flex flex-wrap gap-2">{buttons}</div>}
              >
                <QuestionList base={base.uuid} questions={all} />
              </Section>
            </>
          )
        }
      </Loaded>
      {dialog === 'add' && <QuestionDialog base={base.uuid} onClose={close} />}
      {dialog === 'import' && <ImportDialog base={base.uuid} onClose={close} />}
    </>
  );
}

function QuestionList({ base, questions }: { base: string; questions: readonly GoldenQuestion[] }) {
  const { t } = useTranslation();
  const deleteQuestion = useDeleteQuestion(base);
  const [editing, setEditing] = useState<GoldenQuestion | null>(null);
  const [leaving, setLeaving, endLeaving] = useRowDialog<GoldenQuestion>();
  const [limit, setLimit] = useState(rowsAtOnce);
  const columns: Column<GoldenQuestion>[] = [
    {
      key: 'question',
      heading: t('knowledge.question'),
      isTitle: true,
      cell: ({ question }) => <span className="line-clamp-3 break-words">{question}</span>,
    },
    {
      key: 'expected',
      heading: t('knowledge.expected'),
      className: 'md:max-w-md',
      cell: ({ expected }) => (
        <ul className="space-y-1">
          {expected.map((passage, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a document may be expected twice, with two quotes
            <li key={index} className="break-words">
              {passage.file_name ?? <span className="text-notice">{t('knowledge.documentGone')}</span>}
              {passage.grade > 1 && (
                <span className="text-muted-foreground"> · {t('knowledge.gradeOf', { grade: passage.grade })}</span>
              )}
              {passage.quote !== null && <q className="block line-clamp-2 text-muted-foreground">{passage.quote}</q>}
            </li>
          ))}
        </ul>
      ),
    },
  ];
  return (
    <>
      <DataTable
        label={t('knowledge.tabs.questions')}
        columns={columns}
        rows={questions.slice(0, limit)}
        rowKey={({ uuid }) => uuid}
        actions={(question) => (
          <ActionMenu
            subject={question.question}
            onEdit={() => setEditing(question)}
            onDelete={() => setLeaving(question)}
          />
        )}
      />
      {questions.length > limit && (
        <div className="mt-4 text-center">
          <Button variant="outline" onClick={() => setLimit(limit + rowsAtOnce)}>
            {t('common.more')}
          </Button>
        </div>
      )}
      {editing && <QuestionDialog base={base} stored={editing} onClose={() => setEditing(null)} />}
      {leaving && (
        <ConfirmDialog
          title={t('knowledge.deleteQuestion')}
          text={leaving.question}
          confirm={t('common.delete')}
          action={() => deleteQuestion(leaving.uuid)}
          onClose={endLeaving}
        />
      )}
    </>
  );
}
