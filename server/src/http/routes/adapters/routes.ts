import Type from 'typebox';
import { authorOf, callerOf } from '../../access.ts';
import { answers, Nothing, success } from '../../envelope.ts';
import { IconAnswer, sendIcon } from '../../icon-answer.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  AdapterAnswer,
  AdapterList,
  AdapterLogin,
  AdapterLoginParams,
  AdapterParams,
  StartAdapterLogin,
  TestAdapterConfig,
  TestedAdapterConfig,
} from './schema.ts';

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const writes = { credential: 'either', scope: 'write', role: 'admin' } as const;

type AdapterServices = Pick<RouteServices, 'adapters' | 'bots' | 'logins'>;

export async function adapterRoutes(server: TypedServer, { adapters, bots, logins }: AdapterServices) {
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
        response: answers(TestedAdapterConfig, 400, 401, 403, 404, 409, 502, 503),
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

  server.post(
    '/api/v1/platform/adapters/:adapter_name/login',
    {
      config: { access: writes, audit: 'adapter.sign-in' },
      schema: {
        summary: 'Start a sign-in with a platform, which obtains credentials',
        description:
          'It is forgotten after ten minutes. A bot that is created or changed with its id as `login_id` gets the secrets; no response contains them.',
        params: AdapterParams,
        body: StartAdapterLogin,
        response: answers(AdapterLogin, 400, 401, 403, 404, 409, 429),
      },
    },
    async (request) => {
      const { adapter_name } = request.params;
      const about = (address: string[]) => {
        request.auditNote = { attempt: { address } };
      };
      return success(
        await bots.startLogin(adapter_name, request.body.adapter_config, { author: authorOf(request), about }),
      );
    },
  );

  server.get(
    '/api/v1/platform/adapters/:adapter_name/login/:login_id',
    {
      config: { access: writes },
      schema: {
        summary: 'Get the state of a sign-in with a platform',
        params: AdapterLoginParams,
        response: answers(AdapterLogin, 401, 403, 404, 502, 503),
      },
    },
    async (request) => {
      const { adapter_name, login_id } = request.params;
      return success(await logins.get(adapter_name, login_id, callerOf(request)));
    },
  );

  server.delete(
    '/api/v1/platform/adapters/:adapter_name/login/:login_id',
    {
      config: { access: writes, audit: false },
      schema: {
        summary: 'Cancel a sign-in with a platform, or discard its result',
        params: AdapterLoginParams,
        response: answers(Nothing, 401, 403, 404, 502, 503),
      },
    },
    async (request) => {
      await logins.cancel(request.params.adapter_name, request.params.login_id, callerOf(request));
      return success({});
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
    async (request, reply) => sendIcon(reply, await adapters.icon(request.params.adapter_name)),
  );
}
