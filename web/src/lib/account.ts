import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { renewSession } from './renew-session.ts';

/** Who is signed in. Asking for it renews the session. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => {
    await renewSession();
    return api.get('/api/v1/user/info');
  },
  staleTime: 10 * 60_000,
});
