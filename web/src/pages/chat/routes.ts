import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';

export const chatRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/chat',
    component: lazyRouteComponent(() => import('./chat-page.tsx'), 'ChatPage'),
  }),
] as const;
