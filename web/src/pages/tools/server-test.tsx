import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, PlugZap } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { FailureContent } from '../../components/failure/failure-content.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ProgressBar } from '../../components/ui/progress-bar.tsx';
import { api } from '../../lib/api.ts';
import { failureOfRecord, failureOfTask } from '../../lib/failure.ts';
import { notify } from '../../lib/notify.ts';
import { requestOf, type ServerEntry } from './server-entry.ts';
import { type McpTool, type Task, taskQuery } from './server-queries.ts';
import { ServerRefusal } from './server-refusal.tsx';

interface ServerTestProps {
  /** As it is typed; it need not be stored. */
  entry: ServerEntry;
  /** Throws while a field has an unfinished text. */
  requireValues: () => void;
}

const actions = ['connecting', 'listing tools', 'disconnecting'] as const;

/** Tries to connect a server as it is typed. That is work of its own, which goes on when the page is left. */
export function ServerTest({ entry, requireValues }: ServerTestProps) {
  const { t } = useTranslation();
  const begin = useMutation({
    mutationFn: async () => {
      requireValues();
      const params = { path: { name: '_' } };
      return (await api.post('/api/v1/mcp/servers/{name}/test', { params, body: requestOf(entry) })).task_id;
    },
  });
  const task = useQuery({
    ...taskQuery(begin.data ?? 0),
    enabled: begin.data !== undefined,
    // The end of a short task may be told before this page knows its number.
    refetchInterval: (query) => (query.state.data?.runtime.done ? false : 2000),
  });
  const isUnderWay = begin.isPending || (begin.data !== undefined && task.data?.runtime.done !== true);
  return (
    <div className="space-y-3">
      <Button variant="outline" disabled={isUnderWay} onClick={() => begin.mutate()}>
        <PlugZap aria-hidden />
        {t('tools.test')}
      </Button>
      {begin.isError && <ServerRefusal error={begin.error} />}
      <div role="status" className="text-sm empty:hidden">
        {isUnderWay && <UnderWay task={task.data} />}
        {!isUnderWay && task.data !== undefined && <Ended task={task.data} />}
      </div>
    </div>
  );
}

function UnderWay({ task }: { task: Task | undefined }) {
  const { t } = useTranslation();
  const action = actions.find((one) => one === task?.task_context.current_action) ?? 'connecting';
  return (
    <div className="max-w-md space-y-2">
      <div className="flex items-center justify-between gap-3">
        <span>{t(`tools.actions.${action}`)}</span>
        {task !== undefined && (
          <Button
            variant="ghost"
            size="small"
            onClick={() =>
              void api
                .post('/api/v1/system/tasks/{id}/cancel', { params: { path: { id: task.id } } })
                .catch(notify.failed)
            }
          >
            {t('tools.stop')}
          </Button>
        )}
      </div>
      <ProgressBar label={t('tools.testUnderWay')} part={null} />
    </div>
  );
}

function Ended({ task }: { task: Task }) {
  const { t } = useTranslation();
  const { exception, result } = task.runtime;
  const { log } = task.task_context;
  const tools = (result as { tools?: McpTool[] } | null)?.tools ?? [];
  return (
    <div className="space-y-2">
      {exception === null ? (
        <>
          <p className="flex items-start gap-2 text-good">
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
            {t('tools.testWorks', { count: tools.length })}
          </p>
          <ul className="flex flex-wrap gap-1.5">
            {tools.map(({ name }) => (
              <li key={name} className="rounded-md bg-muted px-1.5 py-0.5 font-mono text-xs break-all">
                {name}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <div className="flex items-start gap-2 text-destructive">
          <CircleX aria-hidden className="mt-0.5 size-4 shrink-0" />
          <FailureContent
            title={t('tools.testFailed')}
            failure={failureOfRecord({ error: exception, ...failureOfTask(task) }, t)}
          />
        </div>
      )}
      {log !== '' && (
        <details>
          <summary className="w-fit cursor-pointer rounded py-0.5 text-muted-foreground">{t('tools.testLog')}</summary>
          <pre className="mt-1 max-h-48 overflow-auto rounded-xl border bg-muted p-3 text-xs whitespace-pre-wrap">
            {log}
          </pre>
        </details>
      )}
    </div>
  );
}
