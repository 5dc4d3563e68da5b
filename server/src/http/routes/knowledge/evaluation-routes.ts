import { pageOf } from '../../cursor.ts';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  EvaluationAnswer,
  EvaluationList,
  EvaluationParams,
  NewEvaluation,
  StartedEvaluation,
} from './evaluation-schema.ts';
import { KnowledgeBaseParams, PageQuery } from './shared-schema.ts';

const tags = ['knowledge'];
const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const list = '/api/v1/knowledge/bases/:knowledge_base_uuid/evaluations';

/** Runs of golden questions, and their figures. */
export async function evaluationRoutes(server: TypedServer, { evaluations }: Pick<RouteServices, 'evaluations'>) {
  server.get(
    list,
    {
      config: { access: reads },
      schema: {
        tags,
        summary: 'List the evaluations of a knowledge base, newest first; the last 50 are kept',
        params: KnowledgeBaseParams,
        querystring: PageQuery,
        response: answers(EvaluationList, 400, 401, 403, 404),
      },
    },
    async ({ params, query }) => {
      const { records, next_cursor } = await pageOf(query, (page) =>
        evaluations.list(params.knowledge_base_uuid, page),
      );
      return success({ evaluations: records, next_cursor });
    },
  );

  server.post(
    list,
    {
      // Measuring changes nothing but the list of what was measured.
      config: { access: { credential: 'either', scope: 'write', role: 'member' }, audit: false },
      schema: {
        tags,
        summary: 'Ask all golden questions of a knowledge base',
        description: 'Begins a task; its result holds the figures, and the evaluation how each question went.',
        params: KnowledgeBaseParams,
        body: NewEvaluation,
        response: answers(StartedEvaluation, 400, 401, 403, 404, 409, 503),
      },
    },
    async ({ params, body }) => success(await evaluations.start(params.knowledge_base_uuid, body)),
  );

  server.get(
    `${list}/:evaluation_uuid`,
    {
      config: { access: reads },
      schema: {
        tags,
        summary: 'Read an evaluation with how each question went',
        params: EvaluationParams,
        response: answers(EvaluationAnswer, 401, 403, 404),
      },
    },
    async ({ params }) =>
      success({ evaluation: await evaluations.get(params.knowledge_base_uuid, params.evaluation_uuid) }),
  );
}
