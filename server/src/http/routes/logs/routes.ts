import { LogPage } from '../../../core/logs/log-page.ts';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { LogQuery } from './schema.ts';

export async function logRoutes(server: TypedServer, { recentLogs }: Pick<RouteServices, 'recentLogs'>) {
  server.get(
    '/api/v1/logs',
    {
      config: { access: { credential: 'either', scope: 'admin', role: 'admin' } },
      schema: {
        summary: 'Recent log lines of this server; the end of a response is the start of the next',
        querystring: LogQuery,
        response: answers(LogPage, 400, 401, 403),
      },
    },
    async ({ query }) => success(recentLogs.read(query.start_page_number, query.start_offset)),
  );
}
