import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { TaskDialog } from './task-dialog.tsx';
import { isUnderWay, type Task, TaskState } from './task-state.tsx';

/** Maximum number of finished tasks. */
const shown = 200;
/** Polling interval for running tasks, milliseconds: the event stream does not contain their progress. */
const interval = 2000;

/** Background tasks, latest first. */
export function TasksTab({ open, onOpen }: { open: number | undefined; onOpen: (task: number | null) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ['tasks', 'latest'],
    queryFn: latestTasks,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? interval : false),
  });
  const cancel = useMutation({
    mutationFn: (id: number) => api.post('/api/v1/system/tasks/{id}/cancel', { params: { path: { id } } }),
    onError: notify.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['tasks'] }),
  });
  return (
    <>
      <Loaded query={query}>
        {(tasks) =>
          tasks.length === 0 ? (
            <Empty icon={ListChecks} title={t('tasks.empty')} text={t('tasks.emptyText')} />
          ) : (
            <DataTable
              label={t('systemPage.tasks')}
              rows={tasks}
              rowKey={({ id }) => String(id)}
              columns={[
                {
                  key: 'label',
                  heading: t('tasks.task'),
                  isTitle: true,
                  cell: (task: Task) => (
                    <button
                      type="button"
                      className="min-h-6 rounded text-left break-words underline-offset-4 hover:underline"
                      onClick={() => onOpen(task.id)}
                    >
                      {task.label}
                    </button>
                  ),
                },
                { key: 'state', heading: t('common.state'), cell: (task) => <TaskState task={task} /> },
                {
                  key: 'began',
                  heading: t('tasks.began'),
                  className: 'whitespace-nowrap',
                  cell: ({ created_at }) => <RelativeTime timestamp={created_at} />,
                },
              ]}
              actions={(task) =>
                isUnderWay(task) && (
                  <Button
                    variant="outline"
                    size="small"
                    disabled={cancel.isPending && cancel.variables === task.id}
                    aria-label={`${t('common.cancel')}: ${task.label}`}
                    onClick={() => cancel.mutate(task.id)}
                  >
                    {t('common.cancel')}
                  </Button>
                )
              }
            />
          )
        }
      </Loaded>
      {open !== undefined && <TaskDialog id={open} onClose={() => onOpen(null)} />}
    </>
  );
}

/** The API list starts with the oldest; ids increase, so the latest are those before the next id. */
async function latestTasks(): Promise<Task[]> {
  const { id_index } = await api.get('/api/v1/system/tasks', { params: { query: { limit: 1 } } });
  const cursor = Math.max(0, id_index - 1 - shown);
  const { tasks } = await api.get('/api/v1/system/tasks', { params: { query: { limit: 2 * shown, cursor } } });
  return tasks.toReversed();
}
