import Type from 'typebox';
import { authorOf } from '../../access.ts';
import { answers, success } from '../../envelope.ts';
import { IconAnswer, sendIcon } from '../../icon-answer.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { AdapterAnswer, AdapterList, AdapterParams, TestAdapterConfig, TestedAdapterConfig } from './schema.ts';

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const writes = { credential: 'either', scope: 'write', role: 'admin' } as const;

export async function adapterRoutes(server: TypedServer, { adapters, bots }: Pick<RouteServices, 'adapters' | 'bots'>) {
  server.get(
    '/api/v1/platform/adapters',
    {
      config: { access: reads },
      schema: {
        summary: 'List the platforms',
        response: answers(AdapterList, 401, 403),
      },
    },
    async () => success({ adapters: adapters.list() }),
  );

  server.get(
    '/api/v1/platform/adapters/:adapter_name',
    {
      config: { access: reads },
      schema: {
        summary: 'Get a platform',
        params: AdapterParams,
        response: answers(AdapterAnswer, 401, 403, 404),
      },
    },
    async (request) => success({ adapter: adapters.get(request.params.adapter_name) }),
  );

  server.post(
    '/api/v1/platform/adapters/:adapter_name/test',
    {
      config: { access: writes, audit: 'adapter.test' },
      schema: {
        summary: 'Test a configuration of a platform before it is stored',
        description: 'Nothing is stored or sent, and connected bots are not affected.',
        params: AdapterParams,
        body: TestAdapterConfig,
        response: answers(TestedAdapterConfig, 400, 401, 403, 404, 409, 502),
      },
    },
    async (request) => {
      const {
        id,
        name,
        findings = [],
      } = await bots.test(request.params.adapter_name, request.body, {
        author: authorOf(request),
        about: (address) => {
          request.auditNote = { attempt: { address } };
        },
      });
      return success({ account_id: id, account_name: name, findings: [...findings] });
    },
  );

  server.get(
    '/api/v1/platform/adapters/:adapter_name/icon',
    {
      config: { access: 'open' },
      schema: {
        summary: 'The icon of a platform',
        params: AdapterParams,
        response: { 200: IconAnswer, 404: Type.Ref('ErrorResponse') },
      },
    },
    async (request, reply) => sendIcon(reply, adapters.icon(request.params.adapter_name)),
  );
}
