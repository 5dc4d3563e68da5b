import { answers, success } from '../../envelope.ts';
import { whileConnected } from '../../while-connected.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { RetrievalQuestion, RetrievalResults, shownPassage } from './retrieval-schema.ts';
import { KnowledgeBaseParams } from './shared-schema.ts';

/** Searching knowledge bases. */
export async function retrievalRoutes(server: TypedServer, { retrieval }: Pick<RouteServices, 'retrieval'>) {
  server.post(
    '/api/v1/knowledge/bases/:knowledge_base_uuid/retrieve',
    {
      config: { access: { credential: 'either', scope: 'read', role: 'member' }, audit: false },
      schema: {
        summary: 'Find passages of a knowledge base, best first',
        params: KnowledgeBaseParams,
        body: RetrievalQuestion,
        response: answers(RetrievalResults, 400, 401, 403, 404, 409, 422, 502, 504),
      },
    },
    async (request, reply) => {
      const base = request.params.knowledge_base_uuid.toLowerCase();
      const { query, retrieval_settings, filters } = request.body;
      const passages = await retrieval.retrieve(base, query, {
        retrieval_settings: retrieval_settings ?? {},
        ...(filters == null ? {} : { filters }),
        signal: whileConnected(reply),
      });
      return success({ results: passages.map((passage) => shownPassage(base, passage)) });
    },
  );
}
