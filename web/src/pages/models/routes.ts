import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type ListSearch, listSearch } from '../../components/lists/list-search.ts';
import { consoleRoute } from '../../console-route.ts';
import { oneOf, textOrNothing } from '../../lib/search-parameters.ts';
import { isModelKind, type ModelKind } from './model-kind.ts';

export const modelsTabs = ['list', 'models', 'prices'] as const;
export const modelOrders = ['name', 'provider', 'prefered_ranking', 'created_at', 'updated_at'] as const;
export const providerTabs = ['models', 'add', 'configuration'] as const;

export interface ModelsSearch extends ListSearch {
  tab?: (typeof modelsTabs)[number];
  /** Only models of this kind. */
  kind?: ModelKind;
  /** Substring of the name of a model or provider. */
  find?: string;
  /** Of the table of models: only those of this provider. */
  provider?: string;
}

export const modelRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/models',
    staticData: { adminsOnly: true, guide: 'models' },
    validateSearch: ({ tab, kind, find, provider, ...given }: Record<string, unknown>): ModelsSearch => ({
      ...oneOf({ tab }, modelsTabs),
      ...(isModelKind(kind) && { kind }),
      ...textOrNothing({ find }),
      ...textOrNothing({ provider }),
      ...listSearch(given, modelOrders),
    }),
    component: lazyRouteComponent(() => import('./models-page.tsx'), 'ModelsPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/models/providers/new',
    staticData: { adminsOnly: true, guide: 'models' },
    /** `requester`: the selected requester. */
    validateSearch: ({ requester }: Record<string, unknown>): { requester?: string } =>
      typeof requester === 'string' && requester !== '' ? { requester } : {},
    component: lazyRouteComponent(() => import('./new-provider-page.tsx'), 'NewProviderPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/models/providers/$uuid',
    staticData: { adminsOnly: true, guide: 'models' },
    validateSearch: ({ tab }: Record<string, unknown>): { tab?: (typeof providerTabs)[number] } =>
      oneOf({ tab }, providerTabs),
    component: lazyRouteComponent(() => import('./provider-page.tsx'), 'ProviderPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/models/$kind/$uuid',
    staticData: { adminsOnly: true, guide: 'models' },
    component: lazyRouteComponent(() => import('./model-page.tsx'), 'ModelPage'),
  }),
] as const;
