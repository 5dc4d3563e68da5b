import { ParleyError } from '@parley/sdk';
import type { KnowledgeBaseView } from '../../../core/knowledge/knowledge-base.ts';
import type { KnowledgeBaseFilter } from '../../../core/knowledge/knowledge-base-store.ts';
import type { RecordListing } from '../../../core/records/record-listing.ts';
import { Uuid } from '../../../lib/schema-parts.ts';
import { authorOf } from '../../access.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import { bulkRoute, changed, exportRoute, listingOf } from '../../record-lists.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  ChangedKnowledgeBase,
  CreatedKnowledgeBase,
  KnowledgeBaseAnswer,
  KnowledgeBaseList,
  KnowledgeBaseQuery,
  knowledgeBaseFilters,
  knowledgeBaseOrders,
  NewKnowledgeBase,
  UpdateKnowledgeBase,
} from './base-schema.ts';
import { KnowledgeBaseParams } from './shared-schema.ts';

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const writes = { credential: 'either', scope: 'write', role: 'member' } as const;
const readOnly = [
  'uuid',
  'collection_id',
  'knowledge_engine',
  'document_count',
  'chunk_count',
  'collections',
  'created_at',
  'updated_at',
];

/** Knowledge bases. */
export async function knowledgeBaseRoutes(
  server: TypedServer,
  { knowledgeBases, collections, isServing }: Pick<RouteServices, 'knowledgeBases' | 'collections' | 'isServing'>,
) {
  const many = { url: '/api/v1/knowledge/bases', name: 'knowledge bases', filters: knowledgeBaseFilters };
  const toResponse = async (base: KnowledgeBaseView) => ({
    ...base,
    collections: (await collections.list(base.uuid)).map(
      ({ collection_id, state, document_count, chunk_count, missing_count, error, evaluation_uuid }) => ({
        collection_id,
        state,
        document_count,
        chunk_count,
        missing_count,
        error,
        evaluation_uuid,
      }),
    ),
  });

  server.get(
    '/api/v1/knowledge/bases',
    {
      config: { access: reads },
      schema: {
        summary: 'List knowledge bases',
        querystring: KnowledgeBaseQuery,
        response: answers(KnowledgeBaseList, 400, 401, 403),
      },
    },
    async ({ query }) => {
      const listing = listingOf(query, knowledgeBaseFilters);
      const page = listing === null ? { records: await knowledgeBases.list() } : await knowledgeBases.page(listing);
      const bases = await Promise.all(page.records.map((base) => toResponse(base).catch(nullIfGone)));
      const shown = { bases: bases.filter((base) => base !== null) };
      return success('total' in page ? { ...shown, total: page.total } : shown);
    },
  );

  exportRoute(server, {
    ...many,
    access: reads,
    file: 'knowledge-bases',
    orders: knowledgeBaseOrders,
    page: (listing: RecordListing & KnowledgeBaseFilter) => knowledgeBases.page(listing),
    columns: {
      uuid: ({ uuid }: KnowledgeBaseView) => uuid,
      name: ({ name }) => name,
      description: ({ description }) => description,
      knowledge_engine_plugin_id: ({ knowledge_engine_plugin_id }) => knowledge_engine_plugin_id,
      document_count: ({ document_count }) => document_count,
      chunk_count: ({ chunk_count }) => chunk_count,
      created_at: ({ created_at }) => created_at,
      updated_at: ({ updated_at }) => updated_at,
    },
  });

  bulkRoute(server, {
    ...many,
    access: writes,
    id: Uuid,
    isServing,
    targets: (filter: RecordListing & KnowledgeBaseFilter) => knowledgeBases.names(filter),
    actions: { delete: { audit: 'knowledge-base.delete', change: (uuid) => changed(knowledgeBases.delete(uuid)) } },
  });

  server.post(
    '/api/v1/knowledge/bases',
    {
      config: { access: writes, audit: 'knowledge-base.create', readOnly },
      schema: {
        summary: 'Create a knowledge base',
        description: 'Settings follow the schemas of the engine; see `GET /api/v1/knowledge/engines`.',
        body: NewKnowledgeBase,
        response: answers(CreatedKnowledgeBase, 400, 401, 403, 409, 422, 502, 504),
      },
    },
    async (request) => success({ uuid: await knowledgeBases.create(request.body, authorOf(request)) }),
  );

  server.get(
    '/api/v1/knowledge/bases/:knowledge_base_uuid',
    {
      config: { access: reads },
      schema: {
        summary: 'Read a knowledge base',
        params: KnowledgeBaseParams,
        response: taggedAnswers(KnowledgeBaseAnswer, 401, 403, 404),
      },
    },
    async ({ params }, reply) =>
      success({ base: await toResponse(withTag(reply, await knowledgeBases.tagged(params.knowledge_base_uuid))) }),
  );

  server.put(
    '/api/v1/knowledge/bases/:knowledge_base_uuid',
    {
      config: {
        access: writes,
        audit: 'knowledge-base.update',
        // The engine cannot be changed.
        readOnly: [...readOnly, 'knowledge_engine_plugin_id'],
        conditional: true,
      },
      schema: {
        summary: 'Change a knowledge base; omitted fields are unchanged, settings are replaced as a whole',
        description:
          'Changed `creation_settings` re-index all documents; searches use the old index until the new one is ' +
          'complete.',
        params: KnowledgeBaseParams,
        body: UpdateKnowledgeBase,
        response: answers(ChangedKnowledgeBase, 400, 401, 403, 404, 409, 422, 502, 503, 504),
      },
    },
    async (request) => {
      const { params, body, expectedTags } = request;
      const author = authorOf(request);
      const { task_id } = await knowledgeBases.update(params.knowledge_base_uuid, body, author, expectedTags);
      return success({ uuid: params.knowledge_base_uuid.toLowerCase(), task_id });
    },
  );

  server.delete(
    '/api/v1/knowledge/bases/:knowledge_base_uuid',
    {
      config: { access: writes, audit: 'knowledge-base.delete' },
      schema: {
        summary: 'Delete a knowledge base with its documents',
        description: 'A base that pipelines use is not deleted; `details` of the error lists them.',
        params: KnowledgeBaseParams,
        response: answers(Nothing, 401, 403, 404, 409),
      },
    },
    async ({ params }) => done(knowledgeBases.delete(params.knowledge_base_uuid)),
  );
}

/** Bases that are deleted while the list is created are omitted. */
function nullIfGone(error: unknown): null {
  if (error instanceof ParleyError && error.reason === 'not_found') return null;
  throw error;
}
