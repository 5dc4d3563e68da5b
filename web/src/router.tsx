import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  redirect,
} from '@tanstack/react-router';
import { LoadFailure } from './components/load-failure.tsx';
import { basePath } from './lib/server-address.ts';
import { session } from './lib/session.ts';
import { initialization } from './pages/account/initialization.ts';
import { ResetPasswordPage } from './pages/account/reset-password-page.tsx';
import { SetUpPage } from './pages/account/set-up-page.tsx';
import { SignInPage } from './pages/account/sign-in-page.tsx';

const root = createRootRouteWithContext<{ queries: QueryClient }>()();

const chat = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad() {
    if (session.token() === null) throw redirect({ to: '/sign-in' });
  },
  // Most of the code is Markdown and chat, which nobody needs to sign in.
  component: lazyRouteComponent(() => import('./pages/chat/chat-page.tsx'), 'ChatPage'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  async beforeLoad({ context }) {
    if (session.token() !== null) throw redirect({ to: '/' });
    const { initialized } = await context.queries.ensureQueryData(initialization);
    if (!initialized) throw redirect({ to: '/set-up' });
  },
  component: SignInPage,
});

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  async beforeLoad({ context }) {
    const { initialized } = await context.queries.ensureQueryData(initialization);
    if (initialized) throw redirect({ to: '/sign-in' });
  },
  component: SetUpPage,
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: ResetPasswordPage,
});

/** The pages of the console and who may see them. */
export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([chat, signIn, setUp, resetPassword]),
    basepath: basePath,
    context: { queries },
    defaultErrorComponent: LoadFailure,
    defaultNotFoundComponent: () => <Navigate to="/" replace />,
    // A page that is there at once needs no spinner that flashes.
    defaultPendingMs: 1000,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
