import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';

export const accountRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/account',
    staticData: { guide: 'accounts' },
    component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
  }),
] as const;
