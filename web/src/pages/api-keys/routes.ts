import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';

export const apiKeyRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/api-keys',
    component: lazyRouteComponent(() => import('./api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/api-keys/new',
    component: lazyRouteComponent(() => import('./new-api-key-page.tsx'), 'NewApiKeyPage'),
  }),
] as const;
