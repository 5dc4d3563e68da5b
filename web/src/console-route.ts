import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import type { GuideName } from './components/guides/guide-list.ts';
import { PageFailure } from './components/states/page-failure.tsx';
import { loadPageTexts } from './lib/i18n.ts';
import { notes } from './lib/notify.ts';
import { session } from './lib/session.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** A page for admins; the API rejects members as well. */
    adminsOnly?: true;
    /** The guide of the page, which its header links to. */
    guide?: GuideName;
  }
}

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()();

/** Whether a page uses the texts of {@link loadPageTexts}. The dashboard loads faster without them. */
export const hasPageTexts = (path: string) => path !== '/';

/** Parent of all signed-in pages. Redirects to the sign-in page, and back afterwards. */
export const consoleRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'console',
  async beforeLoad({ location }) {
    if (session.current() === null) throw redirect({ to: '/sign-in', search: { to: location.href } });
    if (!hasPageTexts(location.pathname)) return;
    notes.need();
    await loadPageTexts();
  },
  component: lazyRouteComponent(() => import('./components/shell/console-shell.tsx'), 'ConsoleShell'),
  errorComponent: PageFailure,
});
