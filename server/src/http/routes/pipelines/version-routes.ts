import type { FastifyRequest } from 'fastify';
import { DraftedPipeline, PipelineVersionContent, PipelineVersions } from '../../../core/pipelines/pipeline-version.ts';
import type { WriteOptions } from '../../../core/pipelines/pipeline-versions.ts';
import { authorOf, versionAuthorOf } from '../../access.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { readOnly } from './routes.ts';
import { PipelineParams, PublishDraft, UpdatePipeline, VersionParams } from './schema.ts';

const base = '/api/v1/pipelines/:pipeline_uuid';
/** What is not published is for those who write it. */
const reads = { credential: 'either', scope: 'read', role: 'admin' } as const;
const writes = { credential: 'either', scope: 'write', role: 'admin' } as const;

export async function pipelineVersionRoutes(
  server: TypedServer,
  { pipelineVersions: versions }: Pick<RouteServices, 'pipelineVersions'>,
) {
  server.get(
    `${base}/versions`,
    {
      config: { access: reads },
      schema: {
        summary: 'The published versions of a pipeline, latest first',
        params: PipelineParams,
        response: answers(PipelineVersions, 401, 403, 404),
      },
    },
    async (request) => success({ versions: await versions.list(request.params.pipeline_uuid) }),
  );

  server.get(
    `${base}/versions/:version`,
    {
      config: { access: reads },
      schema: {
        summary: 'A version of a pipeline, secrets masked',
        params: VersionParams,
        response: answers(PipelineVersionContent, 400, 401, 403, 404),
      },
    },
    async (request) => success(await versions.get(request.params.pipeline_uuid, request.params.version)),
  );

  server.get(
    `${base}/draft`,
    {
      config: { access: reads },
      schema: {
        summary: 'A pipeline with its draft, or as it is published while there is none',
        params: PipelineParams,
        response: taggedAnswers(DraftedPipeline, 401, 403, 404),
      },
    },
    async (request, reply) => success(withTag(reply, await versions.draft(request.params.pipeline_uuid))),
  );

  server.put(
    `${base}/draft`,
    {
      config: { access: writes, audit: 'pipeline.save-draft', readOnly, conditional: true },
      schema: {
        summary: 'Change the draft of a pipeline, which bots do not use; fields are those of the pipeline',
        params: PipelineParams,
        body: UpdatePipeline,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    async (request) => done(versions.saveDraft(request.params.pipeline_uuid, request.body, writtenBy(request))),
  );

  server.delete(
    `${base}/draft`,
    {
      config: { access: writes, audit: 'pipeline.discard-draft' },
      schema: {
        summary: 'Discard the draft of a pipeline',
        params: PipelineParams,
        response: answers(Nothing, 401, 403, 404),
      },
    },
    async (request) => done(versions.discardDraft(request.params.pipeline_uuid)),
  );

  server.post(
    `${base}/draft/publish`,
    {
      config: { access: writes, audit: 'pipeline.publish', conditional: true },
      schema: {
        summary: 'Publish the draft of a pipeline as its next version',
        params: PipelineParams,
        body: PublishDraft,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    async (request) => {
      const { replaces = null } = request.body;
      return done(versions.publish(request.params.pipeline_uuid, replaces, writtenBy(request)));
    },
  );

  await server.register(async (scope: TypedServer) => restoreRoute(scope, versions));
}

/** Any body is ignored. */
async function restoreRoute(server: TypedServer, versions: RouteServices['pipelineVersions']) {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));

  server.post(
    `${base}/versions/:version/restore`,
    {
      config: { access: writes, audit: 'pipeline.restore', conditional: true },
      schema: {
        summary: 'Publish an earlier version again, as the next version',
        params: VersionParams,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    async (request) => done(versions.restore(request.params.pipeline_uuid, request.params.version, writtenBy(request))),
  );
}

function writtenBy(request: FastifyRequest): WriteOptions {
  return { author: authorOf(request), by: versionAuthorOf(request), expected: request.expectedTags };
}
