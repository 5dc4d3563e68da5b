import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { Task, TaskList, TaskParams, TaskQuery } from './schema.ts';

export async function taskRoutes(server: TypedServer, { tasks }: Pick<RouteServices, 'tasks'>) {
  server.get(
    '/api/v1/system/tasks',
    {
      config: { access: { credential: 'either', scope: 'read', role: 'member' } },
      schema: {
        summary: 'List running tasks, and the latest finished ones',
        description: 'Finished tasks are stored for seven days, at most the newest thousand.',
        querystring: TaskQuery,
        response: answers(TaskList, 400, 401, 403),
      },
    },
    async ({ query: { cursor: after, limit, ...filter } }) => success(await tasks.list(filter, { after, limit })),
  );

  server.get(
    '/api/v1/system/tasks/:id',
    {
      config: { access: { credential: 'either', scope: 'read', role: 'member' } },
      schema: { summary: 'Read a task', params: TaskParams, response: answers(Task, 401, 403, 404) },
    },
    async (request) => success(await tasks.get(request.params.id)),
  );

  server.post(
    '/api/v1/system/tasks/:id/cancel',
    {
      config: { access: { credential: 'either', scope: 'write', role: 'member' }, audit: 'task.cancel' },
      schema: {
        summary: 'Request cancellation of a task',
        params: TaskParams,
        response: answers(Task, 401, 403, 404, 409),
      },
    },
    async (request) => success(await tasks.cancel(request.params.id)),
  );
}
