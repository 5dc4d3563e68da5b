import { type components, ParleyApiError, type paths, type Tagged } from '@parley/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export type Bot = components['schemas']['Bot'];
export type Adapter = components['schemas']['Adapter'];
export type RoutingRule = components['schemas']['PipelineRoutingRule'];

export const botsQuery = queryOptions({ queryKey: ['bots'], queryFn: () => api.get('/api/v1/platform/bots') });

export type BotState = Bot['adapter_runtime_values']['state'];
export const botStates = ['running', 'starting', 'reconnecting', 'error', 'stopped'] as const satisfies BotState[];

type BotsQuery = NonNullable<paths['/api/v1/platform/bots']['get']['parameters']['query']>;
/** The filters of the list, as the API takes them. */
export type BotFilter = Pick<BotsQuery, 'search' | 'state' | 'adapter' | 'pipeline_uuid'>;

/** A page of the list. */
export function botsPageQuery(query: BotsQuery) {
  return queryOptions({
    queryKey: ['bots', 'page', query],
    queryFn: async () => {
      const { bots: rows, total = rows.length } = await api.get('/api/v1/platform/bots', { params: { query } });
      return { rows, total };
    },
    placeholderData: keepPreviousData,
  });
}

export function botQuery(uuid: string) {
  return queryOptions({ queryKey: ['bots', uuid], queryFn: () => readBot(uuid) });
}

export async function readBot(uuid: string): Promise<Bot> {
  return (await readTaggedBot(uuid)).data;
}

export async function readTaggedBot(uuid: string): Promise<Tagged<Bot>> {
  const params = { path: { bot_uuid: uuid } };
  const { data, etag } = await api.getTagged('/api/v1/platform/bots/{bot_uuid}', { params });
  return { data: data.bot, etag };
}

export const adaptersQuery = queryOptions({
  queryKey: ['adapters'],
  queryFn: () => api.get('/api/v1/platform/adapters'),
});

/** A platform; null for one that is not installed. */
export function adapterQuery(name: string) {
  return queryOptions({
    queryKey: ['adapters', name],
    staleTime: 60_000,
    queryFn: async (): Promise<Adapter | null> => {
      try {
        const path = { adapter_name: name };
        return (await api.get('/api/v1/platform/adapters/{adapter_name}', { params: { path } })).adapter;
      } catch (error) {
        if (error instanceof ParleyApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}

/** The pipelines, for selection. */
export const pipelineChoiceQuery = queryOptions({
  queryKey: ['pipelines', 'choice'],
  queryFn: async () => {
    const { pipelines } = await api.get('/api/v1/pipelines');
    return pipelines.map(({ uuid, name, is_default }) => ({ uuid, name, is_default }));
  },
});

/** When a bot last received a message; null if never. */
export function lastReceivedQuery(uuid: string) {
  return queryOptions({
    queryKey: ['messages', 'latest', uuid, 'inbound'],
    queryFn: async () => {
      const query = { bot_uuid: uuid, direction: 'inbound', limit: 1 } as const;
      const { messages } = await api.get('/api/v1/messages', { params: { query } });
      return messages[0]?.created_at ?? null;
    },
  });
}

/** The newest error among the latest 200 entries of a bot's event log; null if there is none. */
export function lastErrorQuery(uuid: string) {
  return queryOptions({
    queryKey: ['bot-log', uuid, 'error'],
    queryFn: async () => {
      const { logs } = await api.post('/api/v1/platform/bots/{bot_uuid}/logs', {
        params: { path: { bot_uuid: uuid } },
        body: { from_index: -1, max_count: 200 },
      });
      return logs.findLast(({ level }) => level === 'error') ?? null;
    },
  });
}

/** When a bot last received or answered a message; null if never. */
export function lastMessageQuery(uuid: string) {
  return queryOptions({
    queryKey: ['messages', 'latest', uuid],
    queryFn: async () => {
      const query = { bot_uuid: uuid, limit: 1 };
      const { messages } = await api.get('/api/v1/messages', { params: { query } });
      return messages[0]?.created_at ?? null;
    },
  });
}
