import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { LoadFailure } from './components/load-failure.tsx';
import { NotFound, UnknownAddress } from './components/states/not-found.tsx';
import { consoleRoute, hasPageTexts, rootRoute } from './console-route.ts';
import { accountQuery } from './lib/account.ts';
import { loadPageTexts } from './lib/i18n.ts';
import { basePath } from './lib/server-address.ts';
import { session } from './lib/session.ts';
import { initialization } from './pages/account/initialization.ts';
import { accountRoutes } from './pages/account/routes.ts';
import { SignInPage } from './pages/account/sign-in-page.tsx';
import { accountsRoutes } from './pages/accounts/routes.ts';
import { alertRoutes } from './pages/alerts/routes.ts';
import { apiKeyRoutes } from './pages/api-keys/routes.ts';
import { auditRoutes } from './pages/audit/routes.ts';
import { botRoutes } from './pages/bots/routes.ts';
import { chatRoutes } from './pages/chat/routes.ts';
import { dashboardRoutes } from './pages/dashboard/routes.ts';
import { guidedStartRoutes } from './pages/guided-start/routes.ts';
import { guideRoutes } from './pages/guides/routes.ts';
import { knowledgeRoutes } from './pages/knowledge/routes.ts';
import { messageRoutes } from './pages/messages/routes.ts';
import { modelRoutes } from './pages/models/routes.ts';
import { pipelineRoutes } from './pages/pipelines/routes.ts';
import { pluginRoutes } from './pages/plugins/routes.ts';
import { referenceRoutes } from './pages/reference/routes.ts';
import { systemRoutes } from './pages/system/routes.ts';
import { toolRoutes } from './pages/tools/routes.ts';
import { webhookRoutes } from './pages/webhooks/routes.ts';

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  /** `to`: where the user wanted to go. Paths of this console only; undefined replaces what the URL has instead. */
  validateSearch: ({ to }: Record<string, unknown>): { to?: string | undefined } => ({
    to: typeof to === 'string' && /^\/(?![/\\])/.test(to) ? to : undefined,
  }),
  async beforeLoad({ context, search: { to = '/' } }) {
    if (session.current() === null) {
      const { initialized, signed_in } = await context.queries.ensureQueryData(initialization);
      if (!initialized) throw redirect({ to: '/set-up' });
      if (!signed_in) return;
      // It was started without this page, or the browser kept the cookie and lost the flag.
      session.begin();
    }
    throw redirect({ href: to });
  },
  component: SignInPage,
});

const setUp = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up',
  async beforeLoad({ context }) {
    const { initialized } = await context.queries.ensureQueryData(initialization);
    if (initialized) throw redirect({ to: '/sign-in' });
  },
  component: lazyRouteComponent(() => import('./pages/account/set-up-page.tsx'), 'SetUpPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./pages/account/reset-password-page.tsx'), 'ResetPasswordPage'),
});

const providerReturn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/oidc',
  component: lazyRouteComponent(() => import('./pages/account/provider-return-page.tsx'), 'ProviderReturnPage'),
});

/** Every other address, with the menu, so that the way on is in sight. */
const unknownAddress = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/$',
  component: UnknownAddress,
});

const SignInAgain = lazy(async () => ({ default: (await import('./pages/account/sign-in-again.tsx')).SignInAgain }));

/** Pages, and sign-in over them when the session ends. */
function WithSignIn({ children }: { children: ReactNode }) {
  const isInterrupted = useSyncExternalStore(session.subscribe, session.isInterrupted);
  return (
    <>
      {children}
      <Suspense fallback={null}>{isInterrupted && <SignInAgain />}</Suspense>
    </>
  );
}

const publicPaths = ['/sign-in', '/sign-in/oidc', '/set-up', '/reset-password'];

/** Whether a page is public. */
export function isPublic(path: string): boolean {
  return publicPaths.includes(path);
}

/** The pages of the console and who may see them. Each noun has its routes in `pages/<noun>/routes.ts`. */
export function createConsoleRouter(queries: QueryClient) {
  const router = createRouter({
    routeTree: rootRoute.addChildren([
      signIn,
      setUp,
      resetPassword,
      providerReturn,
      consoleRoute.addChildren([
        ...dashboardRoutes,
        ...messageRoutes,
        ...chatRoutes,
        ...knowledgeRoutes,
        ...botRoutes,
        ...pipelineRoutes,
        ...guidedStartRoutes,
        ...accountRoutes,
        ...accountsRoutes,
        ...modelRoutes,
        ...toolRoutes,
        ...pluginRoutes,
        ...apiKeyRoutes,
        ...webhookRoutes,
        ...alertRoutes,
        ...auditRoutes,
        ...systemRoutes,
        ...referenceRoutes,
        ...guideRoutes,
        unknownAddress,
      ]),
    ]),
    basepath: basePath,
    context: { queries },
    InnerWrap: WithSignIn,
    // Otherwise pages receive parameters that their route does not accept.
    search: { strict: true },
    defaultPreload: 'intent',
    defaultErrorComponent: LoadFailure,
    defaultNotFoundComponent: () => <NotFound />,
    scrollRestoration: true,
    // Pages that are available immediately need no flashing spinner.
    defaultPendingMs: 1000,
  });
  // What a page needs loads at once: the account, its texts and its code. Errors are reported when it uses them. The
  // dashboard waits for none of them.
  router.subscribe('onBeforeLoad', ({ toLocation: { pathname } }) => {
    if (isPublic(pathname) || session.current() === null || !hasPageTexts(pathname)) return;
    void queries.prefetchQuery(accountQuery);
    void loadPageTexts().catch(() => undefined);
    const [routes] = router.getMatchedRoutes(pathname);
    for (const route of routes) void router.loadRouteChunk(route)?.catch(() => undefined);
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
