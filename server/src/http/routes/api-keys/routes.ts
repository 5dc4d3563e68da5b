import type { ApiKey, ApiKeyFilter } from '../../../core/accounts/api-key.ts';
import { accountOf } from '../../../core/accounts/authenticator.ts';
import type { RecordListing } from '../../../core/records/record-listing.ts';
import { principalOf } from '../../access.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import { queryTimestamp } from '../../query-timestamp.ts';
import { bulkRoute, changed, exportRoute, listingOf, numberId } from '../../record-lists.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  ApiKeyAnswer,
  ApiKeyId,
  ApiKeyList,
  ApiKeyParams,
  ApiKeyQuery,
  ApiKeyUsageList,
  ApiKeyUsageQuery,
  apiKeyFilters,
  apiKeyOrders,
  CreateApiKey,
  UpdateApiKey,
} from './schema.ts';

const managesKeys = { credential: 'either', scope: 'admin', role: 'admin' } as const;
const readOnly = [
  ...['id', 'key', 'scopes', 'account_uuid', 'account_name', 'account_role', 'expires_at'],
  ...['last_used_at', 'created_at', 'updated_at'],
];

export async function apiKeyRoutes(
  server: TypedServer,
  { apiKeys, monitoring, isServing }: Pick<RouteServices, 'apiKeys' | 'monitoring' | 'isServing'>,
) {
  const many = { url: '/api/v1/apikeys', name: 'API keys', access: managesKeys, filters: apiKeyFilters };

  server.get(
    '/api/v1/apikeys',
    {
      config: { access: managesKeys },
      schema: {
        summary: 'List API keys, masked',
        querystring: ApiKeyQuery,
        response: answers(ApiKeyList, 400, 401, 403),
      },
    },
    async ({ query }) => {
      const listing = listingOf(query, apiKeyFilters, numberId);
      if (listing === null) return success({ keys: await apiKeys.list() });
      const { records, total } = await apiKeys.page(listing);
      return success({ keys: records, total });
    },
  );

  exportRoute(server, {
    ...many,
    file: 'api-keys',
    idOf: numberId,
    orders: apiKeyOrders,
    page: (listing: RecordListing & ApiKeyFilter) => apiKeys.page(listing),
    columns: {
      id: ({ id }: ApiKey) => id,
      name: ({ name }) => name,
      description: ({ description }) => description,
      scopes: ({ scopes }) => scopes.join(' '),
      account_name: ({ account_name }) => account_name,
      expires_at: ({ expires_at }) => expires_at,
      last_used_at: ({ last_used_at }) => last_used_at,
      created_at: ({ created_at }) => created_at,
    },
  });

  bulkRoute(server, {
    ...many,
    id: ApiKeyId,
    isServing,
    targets: (filter: RecordListing & ApiKeyFilter) => apiKeys.names(filter),
    actions: { delete: { audit: 'api-key.revoke', change: (id: number) => changed(apiKeys.revoke(id)) } },
  });

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
    '/api/v1/apikeys/usage',
    {
      config: { access: managesKeys },
      schema: {
        summary: 'What each API key used through the model API',
        querystring: ApiKeyUsageQuery,
        response: answers(ApiKeyUsageList, 400, 401, 403),
      },
    },
    async ({ query }) =>
      success({ usage: await monitoring.apiKeyUsage({ from: queryTimestamp('since', query.since) }) }),
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
