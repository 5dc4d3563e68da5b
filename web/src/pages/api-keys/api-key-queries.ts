import type { components } from '@parley/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export type ApiKey = components['schemas']['ApiKey'];
export type Scope = ApiKey['scopes'][number];

/** By increasing permissions. */
export const scopes: readonly Scope[] = ['read', 'write', 'send', 'admin'];

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async () => (await api.get('/api/v1/apikeys')).keys,
});
