import { userOf } from '../../access.ts';
import { answers, Nothing, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { SessionList, SessionParams } from './schema.ts';

const tags = ['accounts'];
const reads = { credential: 'user', scope: 'read', role: 'member' } as const;
const writes = { credential: 'user', scope: 'write', role: 'member' } as const;

export async function sessionRoutes(server: TypedServer, { sessions }: Pick<RouteServices, 'sessions'>) {
  server.get(
    '/api/v1/user/sessions',
    {
      config: { access: reads },
      schema: {
        tags,
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
        tags,
        summary: 'End all other sessions of the caller',
        response: answers(Nothing, 401, 403),
      },
    },
    async (request) => {
      await sessions.endOthers(userOf(request).session);
      return success({});
    },
  );

  server.delete(
    '/api/v1/user/sessions/:session_uuid',
    {
      config: { access: writes, audit: 'session.end' },
      schema: {
        tags,
        summary: 'End a session of the caller, immediately',
        params: SessionParams,
        response: answers(Nothing, 401, 403, 404),
      },
    },
    async (request) => {
      await sessions.end(userOf(request).account.uuid, request.params.session_uuid);
      return success({});
    },
  );
}
