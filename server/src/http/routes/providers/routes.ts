import { authorOf } from '../../access.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import { whileConnected } from '../../while-connected.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  AvailableModels,
  CreatedProvider,
  CreateProvider,
  NamedProvider,
  ProviderAnswer,
  ProviderList,
  ProviderParams,
  readOnlyProviderFields as readOnly,
  readOnlyNamedProviderFields,
  UpdateProvider,
} from './schema.ts';

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const writes = { credential: 'either', scope: 'write', role: 'admin' } as const;

export async function providerRoutes(
  server: TypedServer,
  { providers, modelCatalog }: Pick<RouteServices, 'providers' | 'modelCatalog'>,
) {
  server.get(
    '/api/v1/provider/providers',
    {
      config: { access: reads, fromMemory: true },
      schema: { summary: 'List model providers', response: answers(ProviderList, 401, 403) },
    },
    async () => success({ providers: await providers.list() }),
  );

  server.post(
    '/api/v1/provider/providers',
    {
      config: { access: writes, audit: 'provider.create', readOnly },
      schema: {
        summary: 'Create a model provider',
        body: CreateProvider,
        response: answers(CreatedProvider, 400, 401, 403),
      },
    },
    async (request) => success({ uuid: await providers.create(request.body, authorOf(request)) }),
  );

  server.get(
    '/api/v1/provider/providers/:provider_uuid',
    {
      config: { access: reads, fromMemory: true },
      schema: {
        summary: 'Get a model provider; its keys are masked',
        params: ProviderParams,
        response: taggedAnswers(ProviderAnswer, 401, 403, 404),
      },
    },
    async (request, reply) =>
      success({ provider: withTag(reply, await providers.tagged(request.params.provider_uuid)) }),
  );

  server.put(
    '/api/v1/provider/providers/:provider_uuid',
    {
      config: { access: writes, audit: 'provider.update', readOnly, conditional: true },
      schema: {
        summary: 'Change a model provider',
        params: ProviderParams,
        body: UpdateProvider,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    async (request) =>
      done(providers.update(request.params.provider_uuid, request.body, authorOf(request), request.expectedTags)),
  );

  server.delete(
    '/api/v1/provider/providers/:provider_uuid',
    {
      config: { access: writes, audit: 'provider.delete' },
      schema: {
        summary: 'Delete a model provider that no model uses',
        params: ProviderParams,
        response: answers(Nothing, 401, 403, 404, 409),
      },
    },
    async (request) => done(providers.delete(request.params.provider_uuid)),
  );

  server.get(
    '/api/v1/provider/providers/:provider_uuid/available-models',
    {
      // The call uses the stored key.
      config: { access: writes },
      schema: {
        summary: 'List the models of a provider',
        params: ProviderParams,
        response: answers(AvailableModels, 401, 403, 404, 409, 422, 502, 504),
      },
    },
    async (request, reply) => success(await modelCatalog.list(request.params.provider_uuid, whileConnected(reply))),
  );

  server.post(
    '/api/v1/provider/providers/_/available-models',
    {
      // Nothing is changed, so nothing is in the audit log.
      config: { access: writes, audit: false, readOnly: readOnlyNamedProviderFields },
      schema: {
        summary: 'List the models of a provider that is not stored',
        description:
          'Calls the provider that `provider` describes, or that it or `provider_uuid` names. Nothing is stored.',
        body: NamedProvider,
        response: answers(AvailableModels, 400, 401, 403, 404, 409, 422, 502, 504),
      },
    },
    async (request, reply) =>
      success(await modelCatalog.listUnsaved(request.body, authorOf(request), whileConnected(reply))),
  );
}
