import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';
import { oneOf } from '../../lib/search-parameters.ts';

export const pluginTabs = ['consent', 'overview', 'settings', 'access', 'log'] as const;
export type PluginTab = (typeof pluginTabs)[number];

export const pluginRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/plugins',
    staticData: { guide: 'plugins' },
    component: lazyRouteComponent(() => import('./plugins-page.tsx'), 'PluginsPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/plugins/install',
    staticData: { adminsOnly: true, guide: 'plugins' },
    component: lazyRouteComponent(() => import('./install-page.tsx'), 'InstallPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/plugins/$author/$name',
    staticData: { guide: 'plugins' },
    validateSearch: ({ tab }: Record<string, unknown>): { tab?: PluginTab } => oneOf({ tab }, pluginTabs),
    component: lazyRouteComponent(() => import('./details-page.tsx'), 'DetailsPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/plugins/$author/$name/pages/$page',
    staticData: { adminsOnly: true, guide: 'plugins' },
    component: lazyRouteComponent(() => import('./plugin-page.tsx'), 'PluginPage'),
  }),
] as const;
