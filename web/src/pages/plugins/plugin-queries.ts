import type { components, Tagged } from '@parley/client';
import type { PluginManifest } from '@parley/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export type PluginDetails = components['schemas']['PluginDetails'];
export type PluginProcess = components['schemas']['PluginProcessState'];
export type Permission = components['schemas']['PluginPermission'];
export type Inspection = components['schemas']['PackageInspection'];
export type Differences = NonNullable<Inspection['differences']>;
export type ListedPlugin = Awaited<ReturnType<typeof readPlugins>>[number];
export type Plugin = Awaited<ReturnType<typeof readPlugin>>;
export type PluginActivity = Awaited<ReturnType<typeof readState>>;

/** How often figures of processes are fetched, milliseconds: they are not in the event stream. */
const interval = 5000;

async function readPlugins() {
  return (await api.get('/api/v1/plugins')).plugins;
}

export const pluginsQuery = queryOptions({
  queryKey: ['plugins'],
  queryFn: readPlugins,
  refetchInterval: interval,
});

/** Constant while the server runs. */
export const isolationQuery = queryOptions({
  queryKey: ['plugins', 'isolation'],
  queryFn: () => api.get('/api/v1/plugins/isolation'),
  staleTime: 10 * 60_000,
});

/** The path parameters of a plugin. @param id `author/name` */
export function pathOf(id: string): { path: { author: string; name: string } } {
  const [author = '', name = ''] = id.split('/');
  return { path: { author, name } };
}

export async function readPlugin(id: string) {
  const { plugin, details, manifest, update_manifest, form } = await api.get('/api/v1/plugins/{author}/{name}', {
    params: pathOf(id),
  });
  // The API describes manifests as objects of anything.
  const typed = (given: unknown) => given as PluginManifest;
  return {
    plugin,
    details,
    manifest: typed(manifest),
    updateManifest: update_manifest === null ? null : typed(update_manifest),
    form,
  };
}

export function pluginQuery(id: string) {
  return queryOptions({ queryKey: ['plugins', id], queryFn: () => readPlugin(id) });
}

const readState = (id: string) => api.get('/api/v1/plugins/{author}/{name}/state', { params: pathOf(id) });

export function stateQuery(id: string) {
  return queryOptions({ queryKey: ['plugins', id, 'state'], queryFn: () => readState(id), refetchInterval: interval });
}

/** Settings, as a record that can be edited. */
export interface StoredSettings {
  config: Record<string, unknown>;
  /** What is stored is its own version. */
  updated_at: string;
}

export function storedSettings(config: Record<string, unknown>): StoredSettings {
  return { config, updated_at: JSON.stringify(config) };
}

export async function readTaggedSettings(id: string): Promise<Tagged<StoredSettings>> {
  const { data, etag } = await api.getTagged('/api/v1/plugins/{author}/{name}/config', { params: pathOf(id) });
  return { data: storedSettings(data.config), etag };
}

/** Pipelines, as published. */
export const pipelinesQuery = queryOptions({
  queryKey: ['pipelines', 'for-plugins'],
  queryFn: async () => (await api.get('/api/v1/pipelines')).pipelines,
});
