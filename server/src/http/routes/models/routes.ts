import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { authorOf } from '../../access.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import { whileConnected } from '../../while-connected.ts';
import { type TypedServer, tagged } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { CreatedModel, kinds, ModelParams, ModelQuery, readOnlyModelFields as readOnly, TestParams } from './schema.ts';

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const writes = { credential: 'either', scope: 'write', role: 'admin' } as const;

/** Language models, embedding models and rerank models: the same routes for each. */
export async function modelRoutes(
  server: TypedServer,
  services: Pick<RouteServices, 'models' | 'modelTester'>,
): Promise<void> {
  for (const kind of kinds) {
    await tagged(server, kind.names[1], (scope) => kindRoutes(scope, kind, services));
  }
}

function kindRoutes(
  server: TypedServer,
  { kind, path, audit, names: [one, several], record, create, update, test, tested }: (typeof kinds)[number],
  services: Pick<RouteServices, 'models' | 'modelTester'>,
): void {
  const models = services.models[kind];

  server.get(
    path,
    {
      config: { access: reads, fromMemory: true },
      schema: {
        summary: `List ${several}`,
        querystring: ModelQuery,
        response: answers(Type.Object({ models: Type.Array(record) }), 401, 403),
      },
    },
    async (request) => success({ models: await models.list(request.query.provider_uuid) }),
  );

  server.post(
    path,
    {
      config: { access: writes, audit: `${audit}.create`, readOnly },
      schema: {
        summary: `Create ${one}`,
        body: create,
        response: answers(CreatedModel, 400, 401, 403),
      },
    },
    async (request) => success({ uuid: await models.create(request.body, authorOf(request)) }),
  );

  server.get(
    `${path}/:model_uuid`,
    {
      config: { access: reads, fromMemory: true },
      schema: {
        summary: `Get ${one} with its provider`,
        params: ModelParams,
        response: taggedAnswers(Type.Object({ model: record }), 401, 403, 404),
      },
    },
    async (request, reply) => success({ model: withTag(reply, await models.tagged(request.params.model_uuid)) }),
  );

  server.put(
    `${path}/:model_uuid`,
    {
      config: { access: writes, audit: `${audit}.update`, readOnly, conditional: true },
      schema: {
        summary: `Change ${one}`,
        params: ModelParams,
        body: update,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    async (request) =>
      done(models.update(request.params.model_uuid, request.body, authorOf(request), request.expectedTags)),
  );

  server.delete(
    `${path}/:model_uuid`,
    {
      config: { access: writes, audit: `${audit}.delete` },
      schema: {
        summary: `Delete ${one} that no pipeline uses`,
        params: ModelParams,
        response: answers(Nothing, 401, 403, 404, 409),
      },
    },
    async (request) => done(models.delete(request.params.model_uuid)),
  );

  server.post(
    `${path}/:model_uuid/test`,
    {
      config: { access: writes, audit: `${audit}.test`, readOnly },
      preValidation: takeEmptyBody,
      schema: {
        summary: `Call ${one} once, stored or not, and return the duration`,
        params: TestParams,
        body: test,
        response: answers(tested, 400, 401, 403, 404, 409, 422, 502, 504),
      },
    },
    async (request, reply) =>
      success(
        await services.modelTester.test(kind, request.params.model_uuid, request.body, {
          signal: whileConnected(reply),
          author: authorOf(request),
          about: (address) => {
            request.auditNote = { attempt: { address } };
          },
        }),
      ),
  );
}

async function takeEmptyBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {};
}
