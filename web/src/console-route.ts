import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { PageFailure } from './components/states/page-failure.tsx';
import { loadPageTexts } from './lib/i18n.ts';
import { notes } from './lib/notify.ts';
import { session } from './lib/session.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** A page where members can do nothing; the API refuses them the same. */
    adminsOnly?: true;
  }
}

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()();

/** Above every page of who is signed in. Who is not is sent to sign in, and back afterwards. */
export const consoleRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'console',
  async beforeLoad({ location }) {
    if (session.current() === null) throw redirect({ to: '/sign-in', search: { to: location.href } });
    // The dashboard is there sooner without what only other pages need.
    if (location.pathname === '/') return;
    notes.need();
    await loadPageTexts();
  },
  component: lazyRouteComponent(() => import('./components/shell/console-shell.tsx'), 'ConsoleShell'),
  errorComponent: PageFailure,
});
