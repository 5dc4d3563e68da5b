import { Readable } from 'node:stream';
import { invalidFields } from '@parley/sdk';
import type { StoredChunk } from '@parley/sdk/internal';
import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import type { DocumentFilter, KnowledgeDocument } from '../../../core/knowledge/document.ts';
import { maximumListed } from '../../../core/knowledge/document-service.ts';
import type { RecordListing } from '../../../core/records/record-listing.ts';
import { Uuid } from '../../../lib/schema-parts.ts';
import { numberCursor, pageOf } from '../../cursor.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import { bulkRoute, changed, exportRoute, listingOf } from '../../record-lists.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { attachment } from './attachment.ts';
import {
  AttachedFiles,
  AttachFile,
  ChunkList,
  ChunkQuery,
  FileQuery,
  FindFilesQuery,
  FoundFiles,
  fileFilters,
  fileOrders,
  KnowledgeBaseFileAnswer,
  KnowledgeBaseFileList,
  KnowledgeBaseFileParams,
  Original,
  StartedUpload,
  shownFile,
} from './document-schema.ts';
import { KnowledgeBaseParams } from './shared-schema.ts';

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const writes = { credential: 'either', scope: 'write', role: 'member' } as const;
const auditedParameter = 'file_uuid';
const list = '/api/v1/knowledge/bases/:knowledge_base_uuid/files';
const url = `${list}/:file_uuid`;

/** Documents of knowledge bases, called files in the API. */
export async function documentRoutes(
  server: TypedServer,
  {
    knowledgeDocuments,
    reindexEvaluations,
    isServing,
  }: Pick<RouteServices, 'knowledgeDocuments' | 'reindexEvaluations' | 'isServing'>,
) {
  const many = { url: list, name: 'documents of a knowledge base', params: KnowledgeBaseParams, filters: fileFilters };

  server.get(
    '/api/v1/knowledge/files',
    {
      config: { access: reads },
      schema: {
        summary: 'Find documents by name, in all knowledge bases',
        querystring: FindFilesQuery,
        response: answers(FoundFiles, 400, 401, 403),
      },
    },
    async ({ query: { search, limit = 20 } }) => {
      const { records, total } = await knowledgeDocuments.found({ search, limit, sort_by: 'file_name' });
      return success({ files: records.map(shownFile), total });
    },
  );

  server.get(
    list,
    {
      config: { access: reads },
      schema: {
        summary: 'List the documents of a knowledge base, oldest first',
        params: KnowledgeBaseParams,
        description: 'Pages by `cursor`, or by `offset` with the other parameters of the list.',
        querystring: FileQuery,
        response: answers(KnowledgeBaseFileList, 400, 401, 403, 404),
      },
    },
    async ({ params, query: { limit, cursor, ...query } }) => {
      const listing = listingOf(query, fileFilters);
      if (listing === null) {
        const { records, next_cursor } = await pageOf({ cursor, limit: limit ?? maximumListed }, (page) =>
          knowledgeDocuments.list(params.knowledge_base_uuid, page),
        );
        return success({ files: records.map(shownFile), next_cursor });
      }
      if (cursor !== undefined) {
        throw invalidFields([{ path: 'query.cursor', message: 'is for the list without other parameters' }]);
      }
      const wanted = { ...listing, limit: limit ?? maximumListed } as RecordListing & DocumentFilter;
      const { records, total } = await knowledgeDocuments.listed(params.knowledge_base_uuid, wanted);
      return success({ files: records.map(shownFile), total, next_cursor: null });
    },
  );

  exportRoute(server, {
    ...many,
    access: reads,
    file: 'documents',
    orders: fileOrders,
    page: (listing: RecordListing & DocumentFilter, request) => knowledgeDocuments.listed(baseOf(request), listing),
    columns: {
      uuid: ({ uuid }: KnowledgeDocument) => uuid,
      file_name: ({ file_name }) => file_name,
      title: ({ title }) => title,
      stage: ({ stage }) => stage,
      reason: ({ reason }) => reason,
      error: ({ error }) => error,
      media_type: ({ media_type }) => media_type,
      size: ({ size }) => size,
      sha256: ({ sha256 }) => sha256,
      page_count: ({ pages }) => pages.length,
      chunk_count: ({ chunk_count }) => chunk_count,
      created_at: ({ created_at }) => created_at,
      finished_at: ({ finished_at }) => finished_at,
    },
  });

  bulkRoute(server, {
    ...many,
    access: writes,
    id: Uuid,
    isServing,
    targets: (filter: RecordListing & DocumentFilter, request) => knowledgeDocuments.names(baseOf(request), filter),
    actions: {
      delete: {
        audit: 'knowledge-document.delete',
        change: (uuid, request) => changed(knowledgeDocuments.remove(baseOf(request), uuid)),
      },
      retry: {
        audit: 'knowledge-document.retry',
        change: (uuid, request) => changed(knowledgeDocuments.retry(baseOf(request), uuid)),
      },
    },
  });

  server.post(
    list,
    {
      config: { access: writes, audit: 'knowledge-document.create', auditedParameter },
      schema: {
        summary: 'Attach an uploaded document to a knowledge base',
        description:
          'It is processed in the background; the task and the file show the progress. For a ZIP ' +
          'archive, every supported file in it is attached.',
        params: KnowledgeBaseParams,
        body: AttachFile,
        response: answers(AttachedFiles, 400, 401, 403, 404, 409, 422, 503),
      },
    },
    async (request) => {
      const { task_id, task_ids, documents, skipped } = await knowledgeDocuments.attach(
        request.params.knowledge_base_uuid,
        oneFile(request.body),
      );
      request.auditNote = { record_id: documents[0]?.uuid ?? '' };
      return success({ task_id, task_ids, files: documents.map(shownFile), skipped });
    },
  );

  server.get(
    url,
    {
      config: { access: reads },
      schema: {
        summary: 'Read a document: its progress, and the amount of text per page',
        params: KnowledgeBaseFileParams,
        response: answers(KnowledgeBaseFileAnswer, 401, 403, 404),
      },
    },
    async ({ params }) =>
      success({ file: detail(await knowledgeDocuments.get(params.knowledge_base_uuid, params.file_uuid)) }),
  );

  server.delete(
    url,
    {
      config: { access: writes, audit: 'knowledge-document.delete', auditedParameter },
      schema: {
        summary: 'Delete a document from a knowledge base; searches no longer find it',
        params: KnowledgeBaseFileParams,
        response: answers(Nothing, 401, 403, 404, 502, 504),
      },
    },
    async ({ params }) => done(knowledgeDocuments.remove(params.knowledge_base_uuid, params.file_uuid)),
  );

  server.get(
    `${url}/content`,
    {
      config: { access: reads },
      schema: {
        summary: 'The uploaded file',
        params: KnowledgeBaseFileParams,
        response: {
          200: Original,
          401: Type.Ref('ErrorResponse'),
          403: Type.Ref('ErrorResponse'),
          404: Type.Ref('ErrorResponse'),
        },
      },
    },
    async (request, reply) => {
      const { knowledge_base_uuid, file_uuid } = request.params;
      const { file_name, size, content } = await knowledgeDocuments.content(knowledge_base_uuid, file_uuid);
      return (
        reply
          // Any content is downloaded, never displayed.
          .type('application/octet-stream')
          .header('content-length', size)
          .header('content-disposition', attachment(file_name))
          // HEAD returns the length without the content.
          .send(Readable.from(request.method === 'HEAD' ? [] : content, { objectMode: false }) as never)
      );
    },
  );

  server.get(
    `${url}/chunks`,
    {
      config: { access: reads },
      schema: {
        summary: 'The chunks of a document, in order',
        params: KnowledgeBaseFileParams,
        querystring: ChunkQuery,
        response: answers(ChunkList, 400, 401, 403, 404),
      },
    },
    async ({ params: { knowledge_base_uuid, file_uuid }, query: { limit, cursor } }) => {
      const from = cursor === undefined ? 0 : numberCursor.decode(cursor);
      const { chunks, total } = await knowledgeDocuments.chunks(knowledge_base_uuid, file_uuid, { from, limit });
      const next = (chunks.at(-1)?.position ?? total) + 1;
      return success({
        chunks: chunks.map(shownChunk),
        total,
        next_cursor: chunks.length === limit && next < total ? numberCursor.encode(next) : null,
      });
    },
  );

  const startedAnswers = answers(StartedUpload, 401, 403, 404, 409, 503);
  server.post(
    `${url}/retry`,
    {
      config: { access: writes, audit: 'knowledge-document.retry', auditedParameter },
      schema: {
        summary: 'Retry a failed or cancelled document',
        params: KnowledgeBaseFileParams,
        response: startedAnswers,
      },
    },
    async ({ params }) => {
      const { task_id, document } = await knowledgeDocuments.retry(params.knowledge_base_uuid, params.file_uuid);
      return success({ task_id, file: detail(document) });
    },
  );

  server.post(
    `${url}/reindex`,
    {
      config: { access: writes, audit: 'knowledge-document.reindex', auditedParameter },
      schema: {
        summary: 'Re-index a document; searches find the previous version until it is done',
        description:
          'The golden questions are evaluated afterwards, once for all documents that are re-indexed by then.',
        params: KnowledgeBaseFileParams,
        response: startedAnswers,
      },
    },
    async ({ params }) => {
      const { task_id, document } = await knowledgeDocuments.reindex(params.knowledge_base_uuid, params.file_uuid);
      await reindexEvaluations.follow(document.knowledge_base_uuid, task_id);
      return success({ task_id, file: detail(document) });
    },
  );

  server.post(
    `${url}/cancel`,
    {
      config: { access: writes, audit: 'knowledge-document.cancel', auditedParameter },
      schema: {
        summary: 'Cancel processing of a document',
        params: KnowledgeBaseFileParams,
        response: answers(KnowledgeBaseFileAnswer, 401, 403, 404, 409),
      },
    },
    async ({ params }) =>
      success({ file: detail(await knowledgeDocuments.cancel(params.knowledge_base_uuid, params.file_uuid)) }),
  );
}

function detail(document: KnowledgeDocument) {
  return { ...shownFile(document), pages: document.pages };
}

function shownChunk({ id, position, text, heading_path, page, page_end, start, end }: StoredChunk) {
  return { id, position, text, heading_path, page, page_end, start, end };
}

/** The file under either of its names. */
function oneFile({ file_key, file_id = file_key, ...request }: Static<typeof AttachFile>) {
  if (file_id === undefined) throw invalidFields([{ path: 'file_id', message: 'is required', rule: 'required' }]);
  if (file_key !== undefined && file_key !== file_id) {
    throw invalidFields([{ path: 'file_key', message: 'names another file than file_id' }]);
  }
  return { ...request, file_id };
}

function baseOf(request: FastifyRequest): string {
  return (request.params as { knowledge_base_uuid: string }).knowledge_base_uuid;
}
