import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';
import { matching } from '../../lib/search-parameters.ts';

/** The open conversation; by default the one that was open last. */
export interface ChatSearch {
  /** The uuid of its pipeline. */
  pipeline?: string;
  /** Its name: a uuid, or `default` for the first one. */
  conversation?: string;
}

const uuidForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const nameForm = /^(default|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/;

export const chatRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/chat',
    staticData: { guide: 'chat' },
    validateSearch: ({ pipeline, conversation }: Record<string, unknown>): ChatSearch => ({
      ...matching({ pipeline }, uuidForm),
      ...matching({ conversation }, nameForm),
    }),
    component: lazyRouteComponent(() => import('./chat-page.tsx'), 'ChatPage'),
  }),
] as const;
