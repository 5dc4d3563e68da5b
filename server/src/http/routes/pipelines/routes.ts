import type { Pipeline, PipelineFilter } from '../../../core/pipelines/pipeline.ts';
import type { RecordListing } from '../../../core/records/record-listing.ts';
import { Uuid } from '../../../lib/schema-parts.ts';
import { authorOf, versionAuthorOf } from '../../access.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import { bulkRoute, changed, exportRoute, listingOf } from '../../record-lists.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  BoundExtensions,
  CreatedPipeline,
  CreatePipeline,
  PipelineAnswer,
  PipelineExtensions,
  PipelineList,
  PipelineMetadata,
  PipelineParams,
  PipelineQuery,
  pipelineFilters,
  pipelineOrders,
  UpdatePipeline,
} from './schema.ts';

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const writes = { credential: 'either', scope: 'write', role: 'admin' } as const;
export const readOnly = ['uuid', 'for_version', 'version', 'stages', 'is_default', 'created_at', 'updated_at'];

export async function pipelineRoutes(
  server: TypedServer,
  { pipelines, isServing }: Pick<RouteServices, 'pipelines' | 'isServing'>,
) {
  const many = { url: '/api/v1/pipelines', name: 'pipelines', filters: pipelineFilters };

  server.get(
    '/api/v1/pipelines',
    {
      config: { access: reads, fromMemory: true },
      schema: {
        summary: 'List pipelines',
        querystring: PipelineQuery,
        response: answers(PipelineList, 400, 401, 403),
      },
    },
    async (request) => {
      const { sort_by = 'created_at', sort_order = 'DESC', ...query } = request.query;
      const listing = listingOf(query, pipelineFilters);
      if (listing === null) {
        const sortBy = sort_by === 'updated_at' ? sort_by : 'created_at';
        return success({ pipelines: await pipelines.list({ sortBy, descending: sort_order === 'DESC' }) });
      }
      const order = pipelineOrders.find((one) => one === sort_by) ?? 'created_at';
      const { records, total } = await pipelines.page({
        ...listing,
        sort_by: order,
        descending: sort_order === 'DESC',
      });
      return success({ pipelines: records, total });
    },
  );

  exportRoute(server, {
    ...many,
    access: reads,
    file: 'pipelines',
    orders: pipelineOrders,
    page: (listing: RecordListing & PipelineFilter) => pipelines.page(listing),
    columns: {
      uuid: ({ uuid }: Pipeline) => uuid,
      name: ({ name }) => name,
      description: ({ description }) => description,
      is_default: ({ is_default }) => is_default,
      runner: ({ config }) => String(config.ai.runner?.runner ?? ''),
      created_at: ({ created_at }) => created_at,
      updated_at: ({ updated_at }) => updated_at,
    },
  });

  bulkRoute(server, {
    ...many,
    access: writes,
    id: Uuid,
    isServing,
    targets: (filter: RecordListing & PipelineFilter) => pipelines.names(filter),
    actions: { delete: { audit: 'pipeline.delete', change: (uuid) => changed(pipelines.delete(uuid)) } },
  });

  server.post(
    '/api/v1/pipelines',
    {
      config: { access: writes, audit: 'pipeline.create', readOnly },
      schema: {
        summary: 'Create a pipeline from the default configuration',
        body: CreatePipeline,
        response: answers(CreatedPipeline, 400, 401, 403, 409),
      },
    },
    async (request) =>
      success({
        uuid: await pipelines.create(request.body, { author: authorOf(request), by: versionAuthorOf(request) }),
      }),
  );

  server.get(
    '/api/v1/pipelines/_/metadata',
    {
      config: { access: reads },
      schema: {
        summary: 'The form of a pipeline configuration',
        response: answers(PipelineMetadata, 401, 403),
      },
    },
    async () => success({ configs: [...pipelines.form] }),
  );

  server.get(
    '/api/v1/pipelines/:pipeline_uuid',
    {
      config: { access: reads, fromMemory: true },
      schema: {
        summary: 'Get a pipeline',
        params: PipelineParams,
        response: taggedAnswers(PipelineAnswer, 401, 403, 404),
      },
    },
    async (request, reply) =>
      success({ pipeline: withTag(reply, await pipelines.tagged(request.params.pipeline_uuid)) }),
  );

  server.put(
    '/api/v1/pipelines/:pipeline_uuid',
    {
      config: { access: writes, audit: 'pipeline.update', readOnly, conditional: true },
      schema: {
        summary: 'Change a pipeline; a configuration replaces the stored one as a whole, masked secrets are unchanged',
        params: PipelineParams,
        body: UpdatePipeline,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    async (request) =>
      done(
        pipelines.update(request.params.pipeline_uuid, request.body, authorOf(request), {
          expected: request.expectedTags,
          by: versionAuthorOf(request),
        }),
      ),
  );

  server.delete(
    '/api/v1/pipelines/:pipeline_uuid',
    {
      config: { access: writes, audit: 'pipeline.delete' },
      schema: {
        summary: 'Delete a pipeline that is neither the default nor used by a bot',
        params: PipelineParams,
        response: answers(Nothing, 401, 403, 404, 409),
      },
    },
    async (request) => done(pipelines.delete(request.params.pipeline_uuid)),
  );

  server.get(
    '/api/v1/pipelines/:pipeline_uuid/extensions',
    {
      config: { access: reads },
      schema: {
        summary: 'The plugins and MCP servers of a pipeline, and the available ones',
        params: PipelineParams,
        response: taggedAnswers(PipelineExtensions, 401, 403, 404),
      },
    },
    async (request, reply) => success(withTag(reply, await pipelines.extensions(request.params.pipeline_uuid))),
  );

  server.put(
    '/api/v1/pipelines/:pipeline_uuid/extensions',
    {
      config: {
        access: writes,
        audit: 'pipeline.bind-extensions',
        readOnly: ['available_plugins', 'available_mcp_servers'],
        conditional: true,
      },
      schema: {
        summary: 'Replace the plugins and MCP servers of a pipeline',
        params: PipelineParams,
        body: BoundExtensions,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    async (request) =>
      done(
        pipelines.bindExtensions(request.params.pipeline_uuid, request.body, authorOf(request), {
          expected: request.expectedTags,
          by: versionAuthorOf(request),
        }),
      ),
  );

  await server.register(async (scope: TypedServer) => bodilessRoutes(scope, pipelines));
}

/** Writes without a body; any body is ignored. */
async function bodilessRoutes(server: TypedServer, pipelines: RouteServices['pipelines']) {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));

  server.post(
    '/api/v1/pipelines/:pipeline_uuid/copy',
    {
      config: { access: writes, audit: 'pipeline.copy' },
      schema: {
        summary: 'Copy a pipeline, including secrets',
        params: PipelineParams,
        response: answers(CreatedPipeline, 401, 403, 404, 409),
      },
    },
    async (request) => {
      const { pipeline_uuid: uuid } = request.params;
      return success({ uuid: await pipelines.copy(uuid, authorOf(request), versionAuthorOf(request)) });
    },
  );

  server.put(
    '/api/v1/pipelines/:pipeline_uuid/default',
    {
      config: { access: writes, audit: 'pipeline.make-default' },
      schema: {
        summary: 'Make a pipeline the default of new bots',
        params: PipelineParams,
        response: answers(Nothing, 401, 403, 404),
      },
    },
    async (request) => done(pipelines.makeDefault(request.params.pipeline_uuid)),
  );
}
