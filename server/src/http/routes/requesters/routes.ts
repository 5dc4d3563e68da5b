import Type from 'typebox';
import { answers, success } from '../../envelope.ts';
import { IconAnswer, sendIcon } from '../../icon-answer.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { RequesterAnswer, RequesterList, RequesterParams, RequesterQuery } from './schema.ts';

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;

export async function requesterRoutes(server: TypedServer, { requesters }: Pick<RouteServices, 'requesters'>) {
  server.get(
    '/api/v1/provider/requesters',
    {
      config: { access: reads },
      schema: {
        summary: 'List the requesters',
        querystring: RequesterQuery,
        response: answers(RequesterList, 401, 403),
      },
    },
    async (request) => success({ requesters: requesters.list(request.query.type) }),
  );

  server.get(
    '/api/v1/provider/requesters/:requester_name',
    {
      config: { access: reads },
      schema: {
        summary: 'Get a requester',
        params: RequesterParams,
        response: answers(RequesterAnswer, 401, 403, 404),
      },
    },
    async (request) => success({ requester: requesters.get(request.params.requester_name) }),
  );

  server.get(
    '/api/v1/provider/requesters/:requester_name/icon',
    {
      config: { access: 'open' },
      schema: {
        summary: 'The icon of a requester',
        params: RequesterParams,
        response: { 200: IconAnswer, 404: Type.Ref('ErrorResponse') },
      },
    },
    async (request, reply) => sendIcon(reply, await requesters.icon(request.params.requester_name)),
  );
}
