import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { type Failure, failureOfRecord, failureOfRequest, failureOfTask } from '../../lib/failure.ts';

/** How often a task is fetched until it ends, milliseconds. */
const pace = 400;

/** What an installation led to. */
export interface Installed {
  id: string;
  version: string;
  /** `waiting`: the update needs consent. Undefined where there was nothing to update. */
  state?: 'enabled' | 'disabled' | 'consent_required' | 'waiting';
}

interface InstallationOptions {
  installed: (outcome: Installed) => unknown;
}

/** Starts tasks that install plugins, and follows them to their end. */
export function useInstallation({ installed }: InstallationOptions) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const installation = useMutation({
    /** @param start returns the id of the task */
    mutationFn: async (start: () => Promise<number>) => {
      const task = await taskEnd(await start());
      await queries.invalidateQueries({ queryKey: ['plugins'] });
      const { exception, result } = task.runtime;
      if (exception !== null) return failureOfRecord({ error: exception, ...failureOfTask(task) }, t);
      // The task has this result.
      await installed(result as unknown as Installed);
      return null;
    },
  });
  return {
    start: installation.mutate,
    isPending: installation.isPending,
    reset: installation.reset,
    /** Why the request or its task failed; null if neither did. */
    failure: (installation.isError
      ? failureOfRequest(installation.error, t)
      : (installation.data ?? null)) satisfies Failure | null,
  };
}

/** Waits until a task has ended. @throws ParleyApiError when it cannot be read */
export async function taskEnd(id: number) {
  for (;;) {
    const task = await api.get('/api/v1/system/tasks/{id}', { params: { path: { id } } });
    if (task.runtime.done) return task;
    await new Promise((resolve) => setTimeout(resolve, pace));
  }
}
