import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';

export const baseTabs = ['documents', 'playground', 'questions', 'settings'] as const;
export const stageFilters = ['underWay', 'ready', 'failed'] as const;

interface BaseSearch {
  tab?: (typeof baseTabs)[number];
  /** Of the documents: substring of the name. */
  name?: string;
  /** Of the documents: their stage. */
  stage?: (typeof stageFilters)[number];
  /** The query of the playground. */
  q?: string;
  /** The open evaluation. */
  run?: string;
}

export const knowledgeRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/knowledge',
    component: lazyRouteComponent(() => import('./bases-page.tsx'), 'BasesPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/knowledge/new',
    component: lazyRouteComponent(() => import('./new-base-page.tsx'), 'NewBasePage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/knowledge/$uuid',
    validateSearch: (given: Record<string, unknown>): BaseSearch => {
      const tab = baseTabs.find((one) => one === given.tab);
      const stage = stageFilters.find((one) => one === given.stage);
      const [name, q, run] = [textOf(given.name), textOf(given.q), textOf(given.run)];
      return {
        ...(tab && { tab }),
        ...(stage && { stage }),
        ...(name && { name }),
        ...(q && { q }),
        ...(run && { run }),
      };
    },
    component: lazyRouteComponent(() => import('./base-page.tsx'), 'BasePage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/knowledge/$uuid/files/$file',
    component: lazyRouteComponent(() => import('./document-page.tsx'), 'DocumentPage'),
  }),
] as const;

/** The router parses number-like values as numbers. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
