import { ParleyError } from '@parley/sdk';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import {
  DocumentParserList,
  KnowledgeBaseAnswer,
  KnowledgeBaseFileList,
  KnowledgeBaseList,
  KnowledgeBaseParams,
  KnowledgeEngineList,
  MigrationStatus,
  ParserQuery,
} from './schema.ts';

const tags = ['knowledge'];
const config = { access: { credential: 'either', scope: 'read' } } as const;

function noKnowledgeBase(): never {
  throw new ParleyError('not_found', 'knowledge base not found');
}

/** What clients read of knowledge bases, of which there are none yet. */
export async function knowledgeRoutes(server: TypedServer) {
  server.get(
    '/api/v1/knowledge/bases',
    {
      config,
      schema: {
        tags,
        summary: 'List knowledge bases; none can be made yet',
        response: answers(KnowledgeBaseList, 401, 403),
      },
    },
    async () => success({ bases: [] }),
  );

  server.get(
    '/api/v1/knowledge/bases/:knowledge_base_uuid',
    {
      config,
      schema: {
        tags,
        summary: 'Read a knowledge base; there is none yet',
        params: KnowledgeBaseParams,
        response: answers(KnowledgeBaseAnswer, 401, 403, 404),
      },
    },
    noKnowledgeBase,
  );

  server.get(
    '/api/v1/knowledge/bases/:knowledge_base_uuid/files',
    {
      config,
      schema: {
        tags,
        summary: 'List the documents of a knowledge base; there is none yet',
        params: KnowledgeBaseParams,
        response: answers(KnowledgeBaseFileList, 401, 403, 404),
      },
    },
    noKnowledgeBase,
  );

  server.get(
    '/api/v1/knowledge/engines',
    {
      config,
      schema: {
        tags,
        summary: 'List knowledge engines; there is none yet',
        response: answers(KnowledgeEngineList, 401, 403),
      },
    },
    async () => success({ engines: [] }),
  );

  server.get(
    '/api/v1/knowledge/parsers',
    {
      config,
      schema: {
        tags,
        summary: 'List parsers of documents; there is none yet',
        querystring: ParserQuery,
        response: answers(DocumentParserList, 400, 401, 403),
      },
    },
    async () => success({ parsers: [] }),
  );

  server.get(
    '/api/v1/knowledge/migration/status',
    {
      config,
      schema: {
        tags,
        summary: 'Whether knowledge bases of an older form wait; there are none',
        response: answers(MigrationStatus, 401, 403),
      },
    },
    async () => success({ needed: false, internal_kb_count: 0, external_kb_count: 0 }),
  );
}
