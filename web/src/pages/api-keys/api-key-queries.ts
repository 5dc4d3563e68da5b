import type { components, paths } from '@parley/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { recentSince } from '../../lib/recent-use.ts';

export type ApiKey = components['schemas']['ApiKey'];
export type Scope = ApiKey['scopes'][number];

/** By increasing permissions. */
export const scopes: readonly Scope[] = ['read', 'write', 'send', 'admin'];

type ApiKeysQuery = NonNullable<paths['/api/v1/apikeys']['get']['parameters']['query']>;
/** The filters of the list, as the API takes them. */
export type ApiKeyFilter = Pick<ApiKeysQuery, 'search' | 'state' | 'scope'>;

/** What each key was used for through the model API in the last 30 days, by id. */
export const apiKeyUsageQuery = queryOptions({
  queryKey: ['api-keys', 'usage'],
  staleTime: 60_000,
  queryFn: async () => {
    const { usage } = await api.get('/api/v1/apikeys/usage', { params: { query: { since: recentSince() } } });
    return new Map(usage.map((one) => [one.id, one]));
  },
});

/** A page of the list. */
export function apiKeysPageQuery(query: ApiKeysQuery) {
  return queryOptions({
    queryKey: ['api-keys', 'page', query],
    queryFn: async () => {
      const { keys: rows, total = rows.length } = await api.get('/api/v1/apikeys', { params: { query } });
      return { rows, total };
    },
    placeholderData: keepPreviousData,
  });
}
