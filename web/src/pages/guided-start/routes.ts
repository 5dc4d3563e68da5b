import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';
import { oneOf } from '../../lib/search-parameters.ts';
import { type StartStep, startSteps } from './start-progress.ts';

export const guidedStartRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/start',
    staticData: { adminsOnly: true, guide: 'getting-started' },
    validateSearch: ({ step }: Record<string, unknown>): { step?: StartStep } => oneOf({ step }, startSteps),
    component: lazyRouteComponent(() => import('./guided-start-page.tsx'), 'GuidedStartPage'),
  }),
] as const;
