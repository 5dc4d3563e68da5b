import type { components } from '@parley/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../lib/api.ts';

export type Alert = components['schemas']['Alert'];

/** How often open alerts are read again, milliseconds. */
const interval = 30_000;

/** Open alerts, latest first. */
export const openAlertsQuery = queryOptions({
  queryKey: ['alerts', 'open'],
  queryFn: async () => (await api.get('/api/v1/alerts', { params: { query: { state: 'open', limit: 100 } } })).alerts,
  refetchInterval: interval,
});
