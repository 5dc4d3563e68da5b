import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';

export const pluginPageRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/plugins/$author/$name/pages/$page',
    staticData: { adminsOnly: true, guide: 'plugins' },
    component: lazyRouteComponent(() => import('./plugin-page.tsx'), 'PluginPage'),
  }),
] as const;
