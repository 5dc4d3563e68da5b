import type { components, paths, Tagged } from '@parley/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export type Pipeline = components['schemas']['Pipeline'];
export type DraftedPipeline = components['schemas']['DraftedPipeline'];
export type PipelineVersion = components['schemas']['PipelineVersion'];
export type Bot = components['schemas']['Bot'];

export const pipelinesQuery = queryOptions({
  queryKey: ['pipelines'],
  queryFn: () => api.get('/api/v1/pipelines', { params: { query: { sort_by: 'created_at', sort_order: 'ASC' } } }),
});

type PipelinesQuery = NonNullable<paths['/api/v1/pipelines']['get']['parameters']['query']>;
/** The filters of the list, as the API takes them. */
export type PipelineFilter = Pick<PipelinesQuery, 'search' | 'used'>;

/** A page of the list. */
export function pipelinesPageQuery(query: PipelinesQuery) {
  return queryOptions({
    queryKey: ['pipelines', 'page', query],
    queryFn: async () => {
      const { pipelines: rows, total = rows.length } = await api.get('/api/v1/pipelines', { params: { query } });
      return { rows, total };
    },
    placeholderData: keepPreviousData,
  });
}

const pathOf = (uuid: string) => ({ params: { path: { pipeline_uuid: uuid } } });

/** As it is published. */
export function pipelineQuery(uuid: string) {
  return queryOptions({
    queryKey: ['pipelines', uuid],
    queryFn: async () => (await api.get('/api/v1/pipelines/{pipeline_uuid}', pathOf(uuid))).pipeline,
  });
}

/** With its draft, for admins. */
export function draftQuery(uuid: string) {
  return queryOptions({
    queryKey: ['pipelines', uuid, 'draft'],
    queryFn: () => api.get('/api/v1/pipelines/{pipeline_uuid}/draft', pathOf(uuid)),
  });
}

export async function readTaggedDraft(uuid: string): Promise<Tagged<Pipeline>> {
  const { data, etag } = await api.getTagged('/api/v1/pipelines/{pipeline_uuid}/draft', pathOf(uuid));
  return { data: data.pipeline, etag };
}

export function versionsQuery(uuid: string) {
  return queryOptions({
    queryKey: ['pipelines', uuid, 'versions'],
    queryFn: async () => (await api.get('/api/v1/pipelines/{pipeline_uuid}/versions', pathOf(uuid))).versions,
  });
}

/** What a version holds never changes. */
export function versionQuery(uuid: string, version: number) {
  return queryOptions({
    queryKey: ['pipelines', uuid, 'versions', version],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      api.get('/api/v1/pipelines/{pipeline_uuid}/versions/{version}', {
        params: { path: { pipeline_uuid: uuid, version } },
      }),
  });
}

/** The schema of the configuration: constant until the server is updated. */
export const formQuery = queryOptions({
  queryKey: ['pipelines', 'form'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await api.get('/api/v1/pipelines/_/metadata')).configs,
});

/** Knowledge bases that a template may use. */
export const basesQuery = queryOptions({
  queryKey: ['pipelines', 'bases'],
  queryFn: async () => (await api.get('/api/v1/knowledge/bases')).bases,
});

export function extensionsQuery(uuid: string) {
  return queryOptions({
    queryKey: ['mcp-servers', 'of-pipeline', uuid],
    queryFn: () =>
      api.get('/api/v1/pipelines/{pipeline_uuid}/extensions', { params: { path: { pipeline_uuid: uuid } } }),
  });
}

/** The bots that use a pipeline, directly or by a routing rule. */
export function botsOf(uuid: string, bots: readonly Bot[]): Bot[] {
  return bots.filter(
    ({ use_pipeline_uuid, pipeline_routing_rules }) =>
      use_pipeline_uuid === uuid || pipeline_routing_rules.some(({ pipeline_uuid }) => pipeline_uuid === uuid),
  );
}
