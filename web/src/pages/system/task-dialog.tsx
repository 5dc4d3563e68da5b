import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FailureContent } from '../../components/failure/failure-content.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { api } from '../../lib/api.ts';
import { failureOfRecord, failureOfTask } from '../../lib/failure.ts';
import { isUnderWay, TaskState } from './task-state.tsx';

/** A task with its log, and its result or error. */
export function TaskDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['tasks', id],
    queryFn: () => api.get('/api/v1/system/tasks/{id}', { params: { path: { id } } }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? 2000 : false),
  });
  return (
    <Dialog title={t('tasks.number', { id })} width="wide" onClose={onClose}>
      <Loaded query={query} rows={3}>
        {(task) => {
          const { runtime, task_context, created_at, finished_at } = task;
          return (
            <div className="mt-2 space-y-4 text-sm">
              <p className="break-words">{task.label}</p>
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted-foreground">
                <TaskState task={task} />
                <span>
                  {t('tasks.began')} <RelativeTime timestamp={created_at} />
                </span>
                {finished_at !== null && (
                  <span>
                    {t('tasks.ended')} <RelativeTime timestamp={finished_at} />
                  </span>
                )}
              </div>
              {runtime.exception !== null && (
                <Alert variant={runtime.state === 'CANCELLED' ? 'notice' : 'error'}>
                  {task_context.metadata.failure === undefined ? (
                    runtime.exception
                  ) : (
                    <FailureContent
                      failure={failureOfRecord({ error: runtime.exception, ...failureOfTask(task) }, t)}
                    />
                  )}
                </Alert>
              )}
              {task_context.log !== '' && <Output title={t('tasks.log')} text={task_context.log} />}
              {runtime.result !== null && (
                <Output title={t('tasks.result')} text={JSON.stringify(runtime.result, null, 2)} />
              )}
            </div>
          );
        }}
      </Loaded>
      <div className="mt-6 flex justify-end">
        <Button variant="outline" onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
    </Dialog>
  );
}

function Output({ title, text }: { title: string; text: string }) {
  return (
    <section>
      <h3 className="mb-1.5 font-medium">{title}</h3>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        className="max-h-72 overflow-auto rounded-xl bg-muted p-3 font-mono text-xs leading-5 break-words whitespace-pre-wrap"
      >
        {text}
      </pre>
    </section>
  );
}
