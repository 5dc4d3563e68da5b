import { accountOf } from '../../../core/accounts/authenticator.ts';
import { principalOf } from '../../access.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { ApiKeyAnswer, ApiKeyList, ApiKeyParams, CreateApiKey, UpdateApiKey } from './schema.ts';

const managesKeys = { credential: 'either', scope: 'admin', role: 'admin' } as const;
const readOnly = [
  ...['id', 'key', 'scopes', 'account_uuid', 'account_name', 'account_role', 'expires_at'],
  ...['last_used_at', 'created_at', 'updated_at'],
];

export async function apiKeyRoutes(server: TypedServer, { apiKeys }: Pick<RouteServices, 'apiKeys'>) {
  server.get(
    '/api/v1/apikeys',
    {
      config: { access: managesKeys },
      schema: { summary: 'List API keys, masked', response: answers(ApiKeyList, 401, 403) },
    },
    async () => success({ keys: await apiKeys.list() }),
  );

  server.post(
    '/api/v1/apikeys',
    {
      config: { access: managesKeys, audit: 'api-key.create', idempotency: false },
      schema: {
        summary: 'Create an API key; the response contains the full key, once',
        body: CreateApiKey,
        response: answers(ApiKeyAnswer, 400, 401, 403),
      },
    },
    async (request) => success({ key: await apiKeys.create(request.body, accountOf(principalOf(request))) }),
  );

  server.get(
    '/api/v1/apikeys/:id',
    {
      config: { access: managesKeys },
      schema: {
        summary: 'Read an API key, masked',
        params: ApiKeyParams,
        response: taggedAnswers(ApiKeyAnswer, 401, 403, 404),
      },
    },
    async (request, reply) => success({ key: withTag(reply, await apiKeys.tagged(request.params.id)) }),
  );

  server.put(
    '/api/v1/apikeys/:id',
    {
      config: { access: managesKeys, audit: 'api-key.update', readOnly, conditional: true },
      schema: {
        summary: 'Rename an API key',
        params: ApiKeyParams,
        body: UpdateApiKey,
        response: taggedAnswers(ApiKeyAnswer, 400, 401, 403, 404),
      },
    },
    async ({ params, body, expectedTags }, reply) =>
      success({ key: withTag(reply, await apiKeys.update(params.id, body, expectedTags)) }),
  );

  server.delete(
    '/api/v1/apikeys/:id',
    {
      config: { access: managesKeys, audit: 'api-key.revoke' },
      schema: {
        summary: 'Revoke an API key, immediately',
        params: ApiKeyParams,
        response: answers(Nothing, 401, 403, 404),
      },
    },
    async (request) => done(apiKeys.revoke(request.params.id)),
  );
}
