import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  CreatedPipeline,
  CreatePipeline,
  PipelineAnswer,
  PipelineList,
  PipelineParams,
  PipelineQuery,
} from './schema.ts';

const tags = ['pipelines'];
const reads = { credential: 'either', scope: 'read' } as const;
const writes = { credential: 'either', scope: 'write' } as const;

export async function pipelineRoutes(server: TypedServer, { pipelines }: Pick<RouteServices, 'pipelines'>) {
  server.get(
    '/api/v1/pipelines',
    {
      config: { access: reads },
      schema: {
        tags,
        summary: 'List pipelines',
        querystring: PipelineQuery,
        response: answers(PipelineList, 401, 403),
      },
    },
    async (request) => {
      const { sort_by = 'created_at', sort_order = 'DESC' } = request.query;
      const sortBy = sort_by === 'updated_at' ? sort_by : 'created_at';
      return success({ pipelines: await pipelines.list({ sortBy, descending: sort_order === 'DESC' }) });
    },
  );

  server.post(
    '/api/v1/pipelines',
    {
      config: { access: writes, readOnly: ['uuid', 'for_version', 'stages', 'is_default', 'created_at', 'updated_at'] },
      schema: {
        tags,
        summary: 'Create a pipeline from the default configuration',
        body: CreatePipeline,
        response: answers(CreatedPipeline, 400, 401, 403),
      },
    },
    async (request) => success({ uuid: await pipelines.create(request.body) }),
  );

  server.get(
    '/api/v1/pipelines/:pipeline_uuid',
    {
      config: { access: reads },
      schema: {
        tags,
        summary: 'Get a pipeline',
        params: PipelineParams,
        response: answers(PipelineAnswer, 401, 403, 404),
      },
    },
    async (request) => success({ pipeline: await pipelines.get(request.params.pipeline_uuid) }),
  );
}
