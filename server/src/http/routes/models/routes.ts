import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { ModelFilter, ModelRecord } from '../../../core/models/model.ts';
import type { RecordListing } from '../../../core/records/record-listing.ts';
import { Uuid } from '../../../lib/schema-parts.ts';
import { authorOf } from '../../access.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import { bulkRoute, changed, exportRoute, listingOf, total } from '../../record-lists.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import { whileConnected } from '../../while-connected.ts';
import { type TypedServer, tagged } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  CreatedModel,
  kinds,
  ModelParams,
  ModelQuery,
  modelFilters,
  modelOrders,
  readOnlyModelFields as readOnly,
  TestParams,
} from './schema.ts';

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const writes = { credential: 'either', scope: 'write', role: 'admin' } as const;

/** Language models, embedding models and rerank models: the same routes for each. */
export async function modelRoutes(
  server: TypedServer,
  services: Pick<RouteServices, 'models' | 'modelTester' | 'isServing'>,
): Promise<void> {
  for (const kind of kinds) {
    await tagged(server, kind.names[1], (scope) => kindRoutes(scope, kind, services));
  }
}

function kindRoutes(
  server: TypedServer,
  { kind, path, audit, names: [one, several], record, create, update, test, tested }: (typeof kinds)[number],
  services: Pick<RouteServices, 'models' | 'modelTester' | 'isServing'>,
): void {
  const models = services.models[kind];

  server.get(
    path,
    {
      config: { access: reads, fromMemory: true },
      schema: {
        summary: `List ${several}`,
        querystring: ModelQuery,
        response: answers(Type.Object({ models: Type.Array(record), total }), 400, 401, 403),
      },
    },
    async ({ query: { provider_uuid, ...query } }) => {
      const listing = listingOf(query, {});
      if (listing === null) return success({ models: await models.list(provider_uuid) });
      const { records, total } = await models.page({ ...listing, provider_uuid });
      return success({ models: records, total });
    },
  );

  const many = { url: path, name: several, filters: modelFilters };
  exportRoute(server, {
    ...many,
    access: reads,
    file: `${audit}s`,
    orders: modelOrders,
    page: (listing: RecordListing & ModelFilter) => models.page(listing),
    columns: {
      uuid: ({ uuid }: ModelRecord) => uuid,
      name: ({ name }) => name,
      provider_uuid: ({ provider_uuid }) => provider_uuid,
      provider_name: ({ provider }) => provider?.name ?? null,
      abilities: ({ abilities = [] }) => abilities.join(' '),
      prefered_ranking: ({ prefered_ranking }) => prefered_ranking,
      created_at: ({ created_at }) => created_at,
      updated_at: ({ updated_at }) => updated_at,
    },
  });
  bulkRoute(server, {
    ...many,
    access: writes,
    id: Uuid,
    isServing: services.isServing,
    targets: (filter: RecordListing & ModelFilter) => models.names(filter),
    actions: { delete: { audit: `${audit}.delete`, change: (uuid) => changed(models.delete(uuid)) } },
  });

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
