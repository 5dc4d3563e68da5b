import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';
import { oneOf, textOrNothing } from '../../lib/search-parameters.ts';

export const serverTabs = ['tools', 'configuration'] as const;

interface ServerSearch {
  tab?: (typeof serverTabs)[number];
  /** Substring of the name or description of a tool. */
  find?: string;
}

export const toolRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/tools',
    staticData: { adminsOnly: true, guide: 'mcp' },
    component: lazyRouteComponent(() => import('./tools-page.tsx'), 'ToolsPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/tools/servers/new',
    staticData: { adminsOnly: true, guide: 'mcp' },
    component: lazyRouteComponent(() => import('./new-server-page.tsx'), 'NewServerPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/tools/servers/$uuid',
    staticData: { adminsOnly: true, guide: 'mcp' },
    validateSearch: ({ tab, find }: Record<string, unknown>): ServerSearch => ({
      ...oneOf({ tab }, serverTabs),
      ...textOrNothing({ find }),
    }),
    component: lazyRouteComponent(() => import('./server-page.tsx'), 'ServerPage'),
  }),
] as const;
