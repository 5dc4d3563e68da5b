import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';

export const referenceRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/api-reference',
    staticData: { guide: 'api-keys' },
    component: lazyRouteComponent(() => import('./reference-page.tsx'), 'ReferencePage'),
  }),
] as const;
