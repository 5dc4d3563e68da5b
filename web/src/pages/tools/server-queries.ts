import type { components, Tagged } from '@parley/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export type McpServer = components['schemas']['McpServer'];
export type McpTool = components['schemas']['McpTool'];
export type McpMode = McpServer['mode'];
export type Task = Awaited<ReturnType<typeof readTask>>;

export const serversQuery = queryOptions({
  queryKey: ['mcp-servers'],
  queryFn: async () => (await api.get('/api/v1/mcp/servers')).servers,
});

/** @param id a uuid, which does not change when the server is renamed */
export async function readServer(id: string): Promise<McpServer> {
  return (await readTaggedServer(id)).data;
}

export async function readTaggedServer(id: string): Promise<Tagged<McpServer>> {
  const { data, etag } = await api.getTagged('/api/v1/mcp/servers/{name}', { params: { path: { name: id } } });
  return { data: data.server, etag };
}

export function serverQuery(uuid: string) {
  return queryOptions({ queryKey: ['mcp-servers', uuid], queryFn: () => readServer(uuid) });
}

function readTask(id: number) {
  return api.get('/api/v1/system/tasks/{id}', { params: { path: { id } } });
}

/** A task; refetched on its events. */
export function taskQuery(id: number) {
  return queryOptions({
    queryKey: ['tasks', id],
    queryFn: () => readTask(id),
  });
}
