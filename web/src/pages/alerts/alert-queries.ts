import type { components, Tagged } from '@parley/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export type AlertRule = components['schemas']['AlertRule'];
export type AlertTarget = components['schemas']['AlertTarget'];
export type AlertNotice = components['schemas']['AlertNotice'];
export type AlertKind = AlertRule['kind'];

/** How often past alerts are read again while the page is open: their notices may be pending. */
const interval = 10_000;

export const pastAlertsQuery = infiniteQueryOptions({
  queryKey: ['alerts', 'ended'],
  initialPageParam: '',
  queryFn: ({ pageParam: cursor }) =>
    api.get('/api/v1/alerts', {
      params: { query: { state: 'ended', limit: 50, ...(cursor === '' ? {} : { cursor }) } },
    }),
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  refetchInterval: interval,
});

export const rulesQuery = queryOptions({
  queryKey: ['alerts', 'rules'],
  queryFn: async () => (await api.get('/api/v1/alerts/rules')).rules,
});

export const targetsQuery = queryOptions({
  queryKey: ['alerts', 'targets'],
  queryFn: async () => (await api.get('/api/v1/alerts/targets')).targets,
});

export async function readTaggedRule(rule_uuid: string): Promise<Tagged<AlertRule>> {
  const { data, etag } = await api.getTagged('/api/v1/alerts/rules/{rule_uuid}', { params: { path: { rule_uuid } } });
  return { data: data.rule, etag };
}

export function ruleQuery(uuid: string) {
  return queryOptions({
    queryKey: ['alerts', 'rules', uuid],
    queryFn: async () => (await readTaggedRule(uuid)).data,
  });
}

export async function readTaggedTarget(target_uuid: string): Promise<Tagged<AlertTarget>> {
  const params = { path: { target_uuid } };
  const { data, etag } = await api.getTagged('/api/v1/alerts/targets/{target_uuid}', { params });
  return { data: data.target, etag };
}

export function targetQuery(uuid: string) {
  return queryOptions({
    queryKey: ['alerts', 'targets', uuid],
    queryFn: async () => (await readTaggedTarget(uuid)).data,
  });
}
