import { authorOf } from '../../access.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { CollectionAnswer, CollectionList, CollectionParams, Rebuild, StartedRebuild } from './collection-schema.ts';
import { KnowledgeBaseParams } from './shared-schema.ts';

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const writes = { credential: 'either', scope: 'write', role: 'member' } as const;
const url = '/api/v1/knowledge/bases/:knowledge_base_uuid/collections';

/** Collections of a knowledge base, and rebuilding the index. */
export async function collectionRoutes(server: TypedServer, { collections }: Pick<RouteServices, 'collections'>) {
  server.get(
    url,
    {
      config: { access: reads },
      schema: {
        summary: 'List the collections of a knowledge base',
        params: KnowledgeBaseParams,
        response: answers(CollectionList, 401, 403, 404),
      },
    },
    async ({ params }) => success({ collections: await collections.list(params.knowledge_base_uuid) }),
  );

  server.post(
    url,
    {
      config: { access: writes, audit: 'collection.create', auditedParameter: 'collection_id' },
      schema: {
        summary: 'Rebuild the index: index all documents in a new collection',
        description:
          'It becomes active when it is complete, unless it finds less than the active one by the golden questions: ' +
          'then it waits for activation or deletion.',
        params: KnowledgeBaseParams,
        body: Rebuild,
        response: answers(StartedRebuild, 400, 401, 403, 404, 409, 422, 502, 503, 504),
      },
    },
    async (request) => {
      const { creation_settings } = request.body;
      const author = authorOf(request);
      const started = await collections.rebuild(request.params.knowledge_base_uuid, creation_settings, author);
      request.auditNote = { record_id: started.collection.collection_id };
      return success(started);
    },
  );

  server.post(
    `${url}/:collection_id/activate`,
    {
      config: { access: writes, audit: 'collection.activate', auditedParameter: 'collection_id' },
      schema: {
        summary: 'Activate a waiting collection',
        params: CollectionParams,
        response: answers(CollectionAnswer, 401, 403, 404, 409),
      },
    },
    async ({ params: { knowledge_base_uuid, collection_id } }) =>
      success({ collection: await collections.activate(knowledge_base_uuid, collection_id) }),
  );

  server.delete(
    `${url}/:collection_id`,
    {
      config: { access: writes, audit: 'collection.delete', auditedParameter: 'collection_id' },
      schema: {
        summary: 'Discard an inactive collection; cancels building it',
        params: CollectionParams,
        response: answers(Nothing, 401, 403, 404, 409),
      },
    },
    async ({ params: { knowledge_base_uuid, collection_id } }) =>
      done(collections.discard(knowledge_base_uuid, collection_id)),
  );
}
