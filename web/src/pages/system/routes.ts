import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';

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
}

export const systemRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/system',
    staticData: { adminsOnly: true },
    validateSearch: (given: Record<string, unknown>): SystemSearch => {
      const tab = systemTabs.find((one) => one === given.tab);
      const level = logLevels.find((one) => one === given.level);
      const task = Number(given.task);
      // The router parses number-like values as numbers.
      const q = typeof given.q === 'string' || typeof given.q === 'number' ? String(given.q) : '';
      return {
        ...(tab && { tab }),
        ...(Number.isSafeInteger(task) && task > 0 && { task }),
        ...(level && { level }),
        ...(q && { q }),
      };
    },
    component: lazyRouteComponent(() => import('./system-page.tsx'), 'SystemPage'),
  }),
] as const;
