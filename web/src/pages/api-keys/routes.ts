import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type ListSearch, listSearch } from '../../components/lists/list-search.ts';
import { consoleRoute } from '../../console-route.ts';
import { oneOf } from '../../lib/search-parameters.ts';
import { type Scope, scopes } from './api-key-queries.ts';

export const apiKeyOrders = ['name', 'owner', 'last_used_at', 'expires_at', 'created_at'] as const;
export const keyStates = ['valid', 'expired'] as const;

export interface ApiKeysSearch extends ListSearch {
  state?: (typeof keyStates)[number];
  scope?: Scope;
}

export const apiKeyRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/api-keys',
    staticData: { adminsOnly: true, guide: 'api-keys' },
    validateSearch: ({ state, scope, ...given }: Record<string, unknown>): ApiKeysSearch => ({
      ...listSearch(given, apiKeyOrders),
      ...oneOf({ state }, keyStates),
      ...oneOf({ scope }, scopes),
    }),
    component: lazyRouteComponent(() => import('./api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/api-keys/new',
    staticData: { adminsOnly: true, guide: 'api-keys' },
    component: lazyRouteComponent(() => import('./new-api-key-page.tsx'), 'NewApiKeyPage'),
  }),
] as const;
