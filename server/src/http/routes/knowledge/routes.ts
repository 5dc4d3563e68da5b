import Type from 'typebox';
import { Count } from '../../../lib/schema-parts.ts';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { knowledgeBaseRoutes } from './base-routes.ts';
import { collectionRoutes } from './collection-routes.ts';
import { documentRoutes } from './document-routes.ts';
import { engineRoutes } from './engine-routes.ts';
import { evaluationRoutes } from './evaluation-routes.ts';
import { passageRoutes } from './passage-routes.ts';
import { questionRoutes } from './question-routes.ts';
import { retrievalRoutes } from './retrieval-routes.ts';

const MigrationStatus = Type.Object({ needed: Type.Boolean(), internal_kb_count: Count, external_kb_count: Count });

/** Knowledge bases and all that is in them. */
export async function knowledgeRoutes(server: TypedServer, services: RouteServices) {
  await knowledgeBaseRoutes(server, services);
  await documentRoutes(server, services);
  await collectionRoutes(server, services);
  await retrievalRoutes(server, services);
  await passageRoutes(server, services);
  await questionRoutes(server, services);
  await evaluationRoutes(server, services);
  await engineRoutes(server, services);

  server.get(
    '/api/v1/knowledge/migration/status',
    {
      config: { access: { credential: 'either', scope: 'read', role: 'member' } },
      schema: {
        summary: 'Whether knowledge bases need migration; none do',
        response: answers(MigrationStatus, 401, 403),
      },
    },
    async () => success({ needed: false, internal_kb_count: 0, external_kb_count: 0 }),
  );
}
