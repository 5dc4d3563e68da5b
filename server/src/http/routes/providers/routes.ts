import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { CreatedProvider, CreateProvider, ProviderAnswer, ProviderList, ProviderParams } from './schema.ts';

const tags = ['model providers'];
const reads = { credential: 'either', scope: 'read' } as const;
const writes = { credential: 'either', scope: 'write' } as const;
const readOnly = ['uuid', 'llm_count', 'embedding_count', 'created_at', 'updated_at'];

export async function providerRoutes(server: TypedServer, { providers }: Pick<RouteServices, 'providers'>) {
  server.get(
    '/api/v1/provider/providers',
    {
      config: { access: reads },
      schema: { tags, summary: 'List model providers', response: answers(ProviderList, 401, 403) },
    },
    async () => success({ providers: await providers.list() }),
  );

  server.post(
    '/api/v1/provider/providers',
    {
      config: { access: writes, readOnly },
      schema: {
        tags,
        summary: 'Create a model provider',
        body: CreateProvider,
        response: answers(CreatedProvider, 400, 401, 403),
      },
    },
    async (request) => success({ uuid: await providers.create(request.body) }),
  );

  server.get(
    '/api/v1/provider/providers/:provider_uuid',
    {
      config: { access: reads },
      schema: {
        tags,
        summary: 'Get a model provider; its keys are masked',
        params: ProviderParams,
        response: answers(ProviderAnswer, 401, 403, 404),
      },
    },
    async (request) => success({ provider: await providers.get(request.params.provider_uuid) }),
  );
}
