import { answers, success } from '../../envelope.ts';
import { queryTimestamp } from '../../query-timestamp.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { AuditPage, AuditQuery } from './schema.ts';

export async function auditRoutes(server: TypedServer, { auditLog }: Pick<RouteServices, 'auditLog'>) {
  server.get(
    '/api/v1/audit',
    {
      config: { access: { credential: 'either', scope: 'admin', role: 'admin' } },
      schema: {
        summary: 'Who changed what, newest first',
        querystring: AuditQuery,
        response: answers(AuditPage, 400, 401, 403),
      },
    },
    async (request) => {
      const { limit, cursor, record_kind, record_id, action, actor_id, since, until } = request.query;
      const exact = { record_kind, record_id, action, actor_id };
      const filter = { ...exact, since: queryTimestamp('since', since), until: queryTimestamp('until', until) };
      const { entries, next } = await auditLog.list(filter, limit, cursor === undefined ? null : Number(cursor));
      return success({ entries, next_cursor: next === null ? null : String(next) });
    },
  );
}
