import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModelSelect } from '../../components/forms/record-controls.tsx';
import { Section } from '../../components/page.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Label } from '../../components/ui/label.tsx';
import { ProgressBar } from '../../components/ui/progress-bar.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { EvaluationHistory } from './evaluation-history.tsx';
import { EvaluationReport } from './evaluation-report.tsx';
import { evaluationsQuery, evaluationTaskQuery, type KnowledgeBase } from './knowledge-queries.ts';

const route = getRouteApi('/console/knowledge/$uuid');

/** Runs evaluations, and shows their results. */
export function EvaluationPanel({ base }: { base: KnowledgeBase }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const { run } = route.useSearch();
  const { data: runs = [] } = useQuery(evaluationsQuery(base.uuid));
  const [model, setModel] = useState('');
  const choose = (uuid: string) => void navigate({ search: { tab: 'questions', run: uuid }, replace: true });
  const start = useMutation({
    mutationFn: () =>
      api.post('/api/v1/knowledge/bases/{knowledge_base_uuid}/evaluations', {
        params: { path: { knowledge_base_uuid: base.uuid } },
        body: { model_uuid: model === '' ? null : model },
      }),
    onSuccess: async ({ uuid }) => {
      await queries.invalidateQueries({ queryKey: ['knowledge', base.uuid, 'evaluations'] });
      choose(uuid);
    },
    onError: notify.failed,
  });
  const running = runs.find(({ state }) => state === 'running');
  const shown = run ?? runs.find(({ figures }) => figures !== null)?.uuid;
  return (
    <div className="mb-10">
      <Section title={t('knowledge.measure')} text={t('knowledge.measureText')}>
        <form
          className="flex flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (!start.isPending && running === undefined) start.mutate();
          }}
        >
          <div className="min-w-0 flex-1 basis-60 space-y-1.5 sm:max-w-sm">
            <Label htmlFor="answering-model">{t('knowledge.answeringModel')}</Label>
            <ModelSelect id="answering-model" kind="llm" value={model} onChange={setModel} />
          </div>
          <Button type="submit" disabled={start.isPending || running !== undefined}>
            <Play aria-hidden />
            {t('knowledge.run')}
          </Button>
        </form>
        <div role="status" className="mt-4">
          {running && <RunProgress base={base.uuid} run={running.uuid} />}
        </div>
      </Section>
      {shown !== undefined && <EvaluationReport base={base} run={shown} runs={runs} />}
      {runs.length > 0 && <EvaluationHistory base={base} runs={runs} shown={shown} onChoose={choose} />}
    </div>
  );
}

function RunProgress({ base, run }: { base: string; run: string }) {
  const { t } = useTranslation();
  const { data: task } = useQuery(evaluationTaskQuery(base, run));
  const cancel = useMutation({
    mutationFn: (id: number) => api.post('/api/v1/system/tasks/{id}/cancel', { params: { path: { id } } }),
    onError: notify.failed,
  });
  return (
    <div className="flex max-w-xl flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="mb-1 text-sm text-muted-foreground tabular-nums">
          {task ? t('knowledge.asking', { done: task.done, total: task.total }) : t('knowledge.running')}
        </p>
        <ProgressBar label={t('knowledge.running')} part={task && task.total > 0 ? task.done / task.total : null} />
      </div>
      {task && (
        <Button variant="outline" size="small" disabled={cancel.isPending} onClick={() => cancel.mutate(task.id)}>
          {t('common.cancel')}
        </Button>
      )}
    </div>
  );
}
