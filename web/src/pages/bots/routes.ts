import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { type BotState, botStates } from '../../components/bots/bot-queries.ts';
import { type ListSearch, listSearch } from '../../components/lists/list-search.ts';
import { consoleRoute, rootRoute } from '../../console-route.ts';
import { matching, oneOf, textOrNothing } from '../../lib/search-parameters.ts';

export const botTabs = ['configuration', 'routing', 'log', 'conversations', 'send'] as const;
export const logLevels = ['debug', 'info', 'warning', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

interface BotSearch {
  tab?: (typeof botTabs)[number];
  /** Of the event log: the minimum level. */
  level?: LogLevel;
  /** The open conversation: `person_<id>` or `group_<id>`. */
  session?: string;
}

export const botOrders = ['name', 'adapter', 'pipeline', 'enable', 'created_at', 'updated_at'] as const;

export interface BotsSearch extends ListSearch {
  state?: BotState;
  /** The platform. */
  adapter?: string;
  /** Bots that use this pipeline. */
  pipeline?: string;
}

const uuidForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Platforms call `/bots/<uuid>` as well; the server tells them from browsers. */
export const botRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/bots',
    staticData: { guide: 'bots' },
    validateSearch: ({ state, adapter, pipeline, ...given }: Record<string, unknown>): BotsSearch => ({
      ...listSearch(given, botOrders),
      ...oneOf({ state }, botStates),
      ...matching({ adapter }, /^.{1,255}$/su),
      ...matching({ pipeline }, uuidForm),
    }),
    component: lazyRouteComponent(() => import('./bots-page.tsx'), 'BotsPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/bots/new',
    staticData: { adminsOnly: true, guide: 'bots' },
    /** `adapter`: the selected platform. */
    validateSearch: ({ adapter }: Record<string, unknown>): { adapter?: string } => textOrNothing({ adapter }),
    component: lazyRouteComponent(() => import('./new-bot-page.tsx'), 'NewBotPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/bots/$uuid',
    staticData: { guide: 'bots' },
    validateSearch: ({ tab, level, session }: Record<string, unknown>): BotSearch => ({
      ...oneOf({ tab }, botTabs),
      ...oneOf({ level }, logLevels),
      ...textOrNothing({ session }),
    }),
    component: lazyRouteComponent(() => import('./bot-page.tsx'), 'BotPage'),
  }),
  // Addresses of earlier versions.
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/bot',
    validateSearch: anySearch,
    beforeLoad: ({ location }) => movedTo(location.href),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/bot/$',
    validateSearch: anySearch,
    beforeLoad: ({ location }) => movedTo(location.href),
  }),
] as const;

function movedTo(address: string): never {
  throw redirect({ href: address.replace('/bot', '/bots'), replace: true });
}

function anySearch(search: Record<string, unknown>): Record<string, unknown> {
  return search;
}
