import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/**
 * Whether the first account exists, whether creating it requires the set-up token, and whether the browser is signed
 * in.
 */
export const initialization = queryOptions({
  queryKey: ['initialization'],
  queryFn: () => api.get('/api/v1/user/init'),
});
