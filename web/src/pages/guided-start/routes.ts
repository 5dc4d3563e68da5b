import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';
import { type StartStep, startSteps } from './start-progress.ts';

export const guidedStartRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/start',
    staticData: { adminsOnly: true },
    validateSearch: ({ step }: Record<string, unknown>): { step?: StartStep } => {
      const known = startSteps.find((one) => one === step);
      return known === undefined ? {} : { step: known };
    },
    component: lazyRouteComponent(() => import('./guided-start-page.tsx'), 'GuidedStartPage'),
  }),
] as const;
