import { queryOptions, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api } from './api.ts';
import { renewSession } from './renew-session.ts';
import { session } from './session.ts';

/** Who is signed in. Asking for it renews the session. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => {
    await renewSession();
    return api.get('/api/v1/user/info');
  },
  // After signing out, what is still on the screen does not ask again.
  enabled: () => session.current() !== null,
  staleTime: 10 * 60_000,
});

/** Whether who is signed in may do everything; false until that is known. */
export function useIsAdmin(): boolean {
  return useQuery(accountQuery).data?.role === 'admin';
}

/** Tells of a page, by its path as the router names it, whether who is signed in may open it. */
export function useMayOpen(): (path: string) => boolean {
  const isAdmin = useIsAdmin();
  const routes: Record<string, { options: { staticData?: { adminsOnly?: true } } } | undefined> =
    useRouter().routesByPath;
  return (path) => isAdmin || routes[path]?.options.staticData?.adminsOnly !== true;
}
