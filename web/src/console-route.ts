import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { PageFailure } from './components/states/page-failure.tsx';
import { session } from './lib/session.ts';

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()();

/** Above every page of who is signed in. Who is not is sent to sign in, and back afterwards. */
export const consoleRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'console',
  beforeLoad({ location }) {
    if (session.token() === null) throw redirect({ to: '/sign-in', search: { to: location.href } });
  },
  component: lazyRouteComponent(() => import('./components/shell/console-shell.tsx'), 'ConsoleShell'),
  errorComponent: PageFailure,
});
