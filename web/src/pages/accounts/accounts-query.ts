import type { components } from '@parley/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export type Account = components['schemas']['Account'];
export type Role = Account['role'];

export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: async () => (await api.get('/api/v1/accounts')).accounts,
});
