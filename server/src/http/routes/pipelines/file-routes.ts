import { ImportPipeline, PipelineFile } from '../../../core/pipelines/pipeline-file.ts';
import { authorOf, versionAuthorOf } from '../../access.ts';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { CreatedPipeline, PipelineParams } from './schema.ts';

export async function pipelineFileRoutes(
  server: TypedServer,
  { pipelineFiles: files }: Pick<RouteServices, 'pipelineFiles'>,
) {
  server.get(
    '/api/v1/pipelines/:pipeline_uuid/export',
    {
      config: { access: { credential: 'either', scope: 'read', role: 'admin' } },
      schema: {
        summary: 'A pipeline as a file for another installation, without secrets',
        params: PipelineParams,
        response: answers(PipelineFile, 401, 403, 404),
      },
    },
    async (request) => success(await files.export(request.params.pipeline_uuid)),
  );

  server.post(
    '/api/v1/pipelines/_/import',
    {
      config: { access: { credential: 'either', scope: 'write', role: 'admin' }, audit: 'pipeline.create' },
      schema: {
        summary: 'Create a pipeline from an exported file',
        body: ImportPipeline,
        response: answers(CreatedPipeline, 400, 401, 403, 409),
      },
    },
    async (request) => {
      const importer = { author: authorOf(request), by: versionAuthorOf(request) };
      return success({ uuid: await files.import(request.body, importer) });
    },
  );
}
