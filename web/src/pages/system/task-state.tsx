import type { components } from '@parley/client';
import i18next from 'i18next';
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

const connectionTones: Record<string, 'neutral' | 'good' | 'busy' | 'warning' | 'bad'> = {
  running: 'good',
  reconnecting: 'warning',
  error: 'bad',
};

/** The task of a connected bot runs as long as the bot is enabled, whatever the state of its connection. */
function ConnectionState({ state }: { state: string }) {
  const { t } = useTranslation();
  const key = `botStates.${state}`;
  const text = i18next.exists(key) ? (t as (key: string) => string)(key) : t('tasks.running');
  return <Badge tone={connectionTones[state] ?? 'busy'}>{text}</Badge>;
}

/** Progress or result of a task. */
export function TaskState({ task }: { task: Task }) {
  const { t } = useTranslation();
  const { runtime, task_context, label } = task;
  if (runtime.state === 'CANCELLED') return <Badge tone="warning">{t('tasks.cancelled')}</Badge>;
  if (runtime.exception !== null) return <Badge tone="bad">{t('tasks.failed')}</Badge>;
  if (runtime.done) return <Badge tone="good">{t('tasks.finished')}</Badge>;
  if (!isUnderWay(task)) return <ConnectionState state={task_context.current_action} />;
  const { done, total } = task_context.metadata;
  const isCounted = typeof done === 'number' && typeof total === 'number' && total > 0;
  return (
    <div className="min-w-32 space-y-1.5">
      <Badge tone="busy">{isCounted ? t('tasks.runningOf', { done, total }) : t('tasks.running')}</Badge>
      <ProgressBar label={label} part={isCounted ? done / total : null} />
    </div>
  );
}
