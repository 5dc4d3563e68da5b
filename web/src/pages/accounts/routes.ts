import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';

export const accountsRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/accounts',
    staticData: { adminsOnly: true, guide: 'accounts' },
    component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'AccountsPage'),
  }),
] as const;
