import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';
import { type AuditSearch, auditSearch } from './audit-search.ts';

export const auditRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/audit',
    staticData: { adminsOnly: true, guide: 'accounts' },
    validateSearch: (given: Record<string, unknown>): AuditSearch => auditSearch(given),
    component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
  }),
] as const;
