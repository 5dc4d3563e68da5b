import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';
import { oneOf, textOrNothing } from '../../lib/search-parameters.ts';

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
    validateSearch: ({ tab, stage, name, q, run }: Record<string, unknown>): BaseSearch => ({
      ...oneOf({ tab }, baseTabs),
      ...oneOf({ stage }, stageFilters),
      ...textOrNothing({ name }),
      ...textOrNothing({ q }),
      ...textOrNothing({ run }),
    }),
    component: lazyRouteComponent(() => import('./base-page.tsx'), 'BasePage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/knowledge/$uuid/files/$file',
    component: lazyRouteComponent(() => import('./document-page.tsx'), 'DocumentPage'),
  }),
] as const;
