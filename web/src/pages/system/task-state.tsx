import type { components } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { ProgressBar } from '../../components/ui/progress-bar.tsx';

type Described = components['schemas']['Task'];

/** Display of a task. */
export type Task = Omit<Described, 'runtime'> & { runtime: Omit<Described['runtime'], 'exception_traceback'> };

/** Whether a task ends by itself and can be cancelled. Connections of bots run until they are disabled. */
export function isUnderWay({ kind, runtime }: Task): boolean {
  return !runtime.done && kind !== 'platform-adapter';
}

/** Progress or result of a task. */
export function TaskState({ task }: { task: Task }) {
  const { t } = useTranslation();
  const { runtime, task_context, label } = task;
  if (runtime.state === 'CANCELLED') return <Badge tone="warning">{t('tasks.cancelled')}</Badge>;
  if (runtime.exception !== null) return <Badge tone="bad">{t('tasks.failed')}</Badge>;
  if (runtime.done) return <Badge tone="good">{t('tasks.finished')}</Badge>;
  if (!isUnderWay(task)) return <Badge tone="busy">{t('tasks.running')}</Badge>;
  const { done, total } = task_context.metadata;
  const isCounted = typeof done === 'number' && typeof total === 'number' && total > 0;
  return (
    <div className="min-w-32 space-y-1.5">
      <Badge tone="busy">{isCounted ? t('tasks.runningOf', { done, total }) : t('tasks.running')}</Badge>
      <ProgressBar label={label} part={isCounted ? done / total : null} />
    </div>
  );
}
