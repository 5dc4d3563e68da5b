import { Statistics } from '../../../core/statistics/statistics.ts';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';

export async function statisticsRoutes(server: TypedServer, { statistics }: Pick<RouteServices, 'statistics'>) {
  server.get(
    '/api/v1/stats/basic',
    {
      config: { access: { credential: 'either', scope: 'read', role: 'member' } },
      schema: {
        summary: 'Number of sessions, conversations and messages',
        response: answers(Statistics, 401, 403),
      },
    },
    async () => success(await statistics.read()),
  );
}
