import { queryOptions, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { accountStorage } from './account-storage.ts';
import { api } from './api.ts';
import { renewSession } from './renew-session.ts';
import { session } from './session.ts';

/** The signed-in account. Fetching it renews the session, and opens what the browser keeps for the account. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => {
    const begun = session.current();
    await renewSession();
    const account = await api.get('/api/v1/user/info');
    // Not if the user signed out meanwhile.
    if (begun !== null && session.current() === begun) {
      accountStorage.use(account.user);
      session.show();
    }
    return account;
  },
  // After signing out, mounted components must not fetch again.
  enabled: () => session.current() !== null,
  staleTime: 10 * 60_000,
});

/** Whether the user is an admin; false until loaded. */
export function useIsAdmin(): boolean {
  return useQuery(accountQuery).data?.role === 'admin';
}

/** Returns whether the user may open a page, by its route path. */
export function useMayOpen(): (path: string) => boolean {
  const isAdmin = useIsAdmin();
  const routes: Record<string, { options: { staticData?: { adminsOnly?: true } } } | undefined> =
    useRouter().routesByPath;
  return (path) => isAdmin || routes[path]?.options.staticData?.adminsOnly !== true;
}
