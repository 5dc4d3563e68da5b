import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';

export const apiKeyRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/api-keys',
    staticData: { adminsOnly: true },
    component: lazyRouteComponent(() => import('./api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/api-keys/new',
    staticData: { adminsOnly: true },
    component: lazyRouteComponent(() => import('./new-api-key-page.tsx'), 'NewApiKeyPage'),
  }),
] as const;
