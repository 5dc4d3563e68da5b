import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';
import { oneOf, textOrNothing } from '../../lib/search-parameters.ts';

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

/** `/bots` contains the webhooks of platforms, so the pages are below `/bot`. */
export const botRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/bot',
    component: lazyRouteComponent(() => import('./bots-page.tsx'), 'BotsPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/bot/new',
    staticData: { adminsOnly: true },
    /** `adapter`: the selected platform. */
    validateSearch: ({ adapter }: Record<string, unknown>): { adapter?: string } => textOrNothing({ adapter }),
    component: lazyRouteComponent(() => import('./new-bot-page.tsx'), 'NewBotPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/bot/$uuid',
    validateSearch: ({ tab, level, session }: Record<string, unknown>): BotSearch => ({
      ...oneOf({ tab }, botTabs),
      ...oneOf({ level }, logLevels),
      ...textOrNothing({ session }),
    }),
    component: lazyRouteComponent(() => import('./bot-page.tsx'), 'BotPage'),
  }),
] as const;
