import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type ListSearch, listSearch } from '../../components/lists/list-search.ts';
import { consoleRoute } from '../../console-route.ts';
import { oneOf, textOrNothing } from '../../lib/search-parameters.ts';

export const baseTabs = ['documents', 'playground', 'questions', 'settings'] as const;
export const stageFilters = ['underWay', 'ready', 'failed'] as const;
export const baseOrders = ['name', 'document_count', 'chunk_count', 'created_at', 'updated_at'] as const;
export const documentOrders = ['file_name', 'stage', 'size', 'chunk_count', 'created_at', 'updated_at'] as const;

export interface BasesSearch extends ListSearch {
  /** Whether pipelines use it. */
  used?: boolean;
}

export interface BaseSearch {
  tab?: (typeof baseTabs)[number];
  /** Of the documents: substring of the name. */
  name?: string;
  /** Of the documents: their stage. */
  stage?: (typeof stageFilters)[number];
  /** Of the documents, as {@link ListSearch}. */
  sort?: string;
  page?: number;
  /** The query of the playground. */
  q?: string;
  /** The open evaluation. */
  run?: string;
}

export const knowledgeRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/knowledge',
    staticData: { guide: 'knowledge' },
    validateSearch: ({ used, ...given }: Record<string, unknown>): BasesSearch => ({
      ...listSearch(given, baseOrders),
      ...(typeof used === 'boolean' && { used }),
    }),
    component: lazyRouteComponent(() => import('./bases-page.tsx'), 'BasesPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/knowledge/new',
    staticData: { guide: 'knowledge' },
    component: lazyRouteComponent(() => import('./new-base-page.tsx'), 'NewBasePage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/knowledge/$uuid',
    staticData: { guide: 'knowledge' },
    validateSearch: ({ tab, stage, name, q, run, sort, page }: Record<string, unknown>): BaseSearch => ({
      ...oneOf({ tab }, baseTabs),
      ...oneOf({ stage }, stageFilters),
      ...textOrNothing({ name }),
      ...textOrNothing({ q }),
      ...textOrNothing({ run }),
      ...listSearch({ sort, page }, documentOrders),
    }),
    component: lazyRouteComponent(() => import('./base-page.tsx'), 'BasePage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/knowledge/$uuid/files/$file',
    staticData: { guide: 'knowledge' },
    component: lazyRouteComponent(() => import('./document-page.tsx'), 'DocumentPage'),
  }),
] as const;
