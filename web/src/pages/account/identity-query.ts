import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** The identity provider for signing in. */
export const identityProviderQuery = queryOptions({
  queryKey: ['identity-provider'],
  queryFn: () => api.get('/api/v1/user/oidc'),
  staleTime: Number.POSITIVE_INFINITY,
});
