import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';
import { oneOf, textOrNothing } from '../../lib/search-parameters.ts';

export const systemTabs = ['overview', 'tasks', 'logs', 'words', 'settings'] as const;
export const logLevels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface SystemSearch {
  tab?: (typeof systemTabs)[number];
  /** Id of the open task. */
  task?: number;
  /** The minimum log level. */
  level?: LogLevel;
  /** Substring of log lines. */
  q?: string;
  /** The setting to scroll to. */
  setting?: string;
}

export const systemRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/system',
    staticData: { adminsOnly: true, guide: 'configuration' },
    validateSearch: ({ tab, task, level, q, setting }: Record<string, unknown>): SystemSearch => ({
      ...oneOf({ tab }, systemTabs),
      ...(Number.isSafeInteger(Number(task)) && Number(task) > 0 && { task: Number(task) }),
      ...oneOf({ level }, logLevels),
      ...textOrNothing({ q, setting }),
    }),
    component: lazyRouteComponent(() => import('./system-page.tsx'), 'SystemPage'),
  }),
] as const;
