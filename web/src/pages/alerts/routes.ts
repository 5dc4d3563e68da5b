import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';
import { oneOf } from '../../lib/search-parameters.ts';

export const alertTabs = ['alerts', 'rules', 'targets'] as const;
export type AlertTab = (typeof alertTabs)[number];

export const alertRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/alerts',
    staticData: { adminsOnly: true, guide: 'alerts' },
    validateSearch: ({ tab }: Record<string, unknown>): { tab?: AlertTab } => oneOf({ tab }, alertTabs),
    component: lazyRouteComponent(() => import('./alerts-page.tsx'), 'AlertsPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/alerts/rules/new',
    staticData: { adminsOnly: true, guide: 'alerts' },
    component: lazyRouteComponent(() => import('./new-rule-page.tsx'), 'NewRulePage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/alerts/rules/$uuid',
    staticData: { adminsOnly: true, guide: 'alerts' },
    component: lazyRouteComponent(() => import('./rule-page.tsx'), 'RulePage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/alerts/targets/new',
    staticData: { adminsOnly: true, guide: 'alerts' },
    component: lazyRouteComponent(() => import('./new-target-page.tsx'), 'NewTargetPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/alerts/targets/$uuid',
    staticData: { adminsOnly: true, guide: 'alerts' },
    component: lazyRouteComponent(() => import('./target-page.tsx'), 'TargetPage'),
  }),
] as const;
