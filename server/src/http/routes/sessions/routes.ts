import { userOf } from '../../access.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { SessionList, SessionParams } from './schema.ts';

const reads = { credential: 'user', scope: 'read', role: 'member' } as const;
const writes = { credential: 'user', scope: 'write', role: 'member' } as const;

export async function sessionRoutes(server: TypedServer, { sessions }: Pick<RouteServices, 'sessions'>) {
  server.get(
    '/api/v1/user/sessions',
    {
      config: { access: reads },
      schema: {
        summary: 'The sessions of the caller: the 500 used last, latest first',
        response: answers(SessionList, 401, 403),
      },
    },
    async (request) => success({ sessions: await sessions.list(userOf(request).session) }),
  );

  server.delete(
    '/api/v1/user/sessions',
    {
      config: { access: writes, audit: 'session.end-others' },
      schema: {
        summary: 'End all other sessions of the caller',
        response: answers(Nothing, 401, 403),
      },
    },
    async (request) => done(sessions.endOthers(userOf(request).session)),
  );

  server.delete(
    '/api/v1/user/sessions/:session_uuid',
    {
      config: { access: writes, audit: 'session.end' },
      schema: {
        summary: 'End a session of the caller, immediately',
        params: SessionParams,
        response: answers(Nothing, 401, 403, 404),
      },
    },
    async (request) => done(sessions.end(userOf(request).account.uuid, request.params.session_uuid)),
  );
}
