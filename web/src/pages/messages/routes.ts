import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';
import { messagesSearch } from './messages-search.ts';

interface ConversationSearch {
  bot?: string;
  /** The user or the group: `person_<id>` or `group_<id>`. */
  session?: string;
}

export const messageRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/messages',
    staticData: { guide: 'messages' },
    validateSearch: messagesSearch,
    loaderDeps: ({ search }) => search,
    // The list is requested while the code of the page loads. It shows its errors itself.
    loader({ context: { queries }, deps: search }) {
      if (search.tab !== undefined) return;
      const code = import('./use-message-list.ts');
      void code.then(
        ({ prefetchMessageList }) => prefetchMessageList(queries, search),
        () => undefined,
      );
    },
    component: lazyRouteComponent(() => import('./messages-page.tsx'), 'MessagesPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/messages/conversation',
    staticData: { guide: 'messages' },
    validateSearch: ({ bot, session }: Record<string, unknown>): ConversationSearch => ({
      ...(typeof bot === 'string' && { bot }),
      ...(typeof session === 'string' && /^(person|group)_./su.test(session) && { session }),
    }),
    component: lazyRouteComponent(() => import('./conversation-page.tsx'), 'ConversationPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/messages/$uuid',
    staticData: { guide: 'messages' },
    component: lazyRouteComponent(() => import('./message-page.tsx'), 'MessagePage'),
  }),
] as const;
