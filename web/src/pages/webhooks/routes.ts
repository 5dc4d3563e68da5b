import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type ListSearch, listSearch } from '../../components/lists/list-search.ts';
import { consoleRoute } from '../../console-route.ts';
import { oneOf } from '../../lib/search-parameters.ts';

export const webhookTabs = ['deliveries', 'configuration'] as const;
export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const webhookOrders = ['name', 'url', 'enabled', 'created_at', 'updated_at'] as const;

export interface WebhooksSearch extends ListSearch {
  enabled?: boolean;
}

interface WebhookSearch {
  tab?: (typeof webhookTabs)[number];
  /** Only deliveries in this state. */
  state?: DeliveryState;
  /** The open delivery. */
  delivery?: string;
}

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/webhooks',
    staticData: { adminsOnly: true, guide: 'webhooks' },
    validateSearch: ({ enabled, ...given }: Record<string, unknown>): WebhooksSearch => ({
      ...listSearch(given, webhookOrders),
      ...(typeof enabled === 'boolean' && { enabled }),
    }),
    component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/webhooks/new',
    staticData: { adminsOnly: true, guide: 'webhooks' },
    component: lazyRouteComponent(() => import('./new-webhook-page.tsx'), 'NewWebhookPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/webhooks/$id',
    staticData: { adminsOnly: true, guide: 'webhooks' },
    validateSearch: ({ tab, state, delivery }: Record<string, unknown>): WebhookSearch => ({
      ...oneOf({ tab }, webhookTabs),
      ...oneOf({ state }, deliveryStates),
      ...(typeof delivery === 'string' && delivery !== '' && { delivery }),
    }),
    component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
  }),
] as const;
