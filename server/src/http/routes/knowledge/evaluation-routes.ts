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

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const list = '/api/v1/knowledge/bases/:knowledge_base_uuid/evaluations';

/** Evaluations with golden questions, and their metrics. */
export async function evaluationRoutes(server: TypedServer, { evaluations }: Pick<RouteServices, 'evaluations'>) {
  server.get(
    list,
    {
      config: { access: reads },
      schema: {
        summary: 'List the evaluations of a knowledge base, newest first; the last 50 are stored',
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
      // An evaluation changes no record.
      config: { access: { credential: 'either', scope: 'write', role: 'member' }, audit: false },
      schema: {
        summary: 'Run an evaluation of a knowledge base with all golden questions',
        description: 'Starts a task; its result contains the metrics, the evaluation the result of each question.',
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
        summary: 'Read an evaluation with the result of each question',
        params: EvaluationParams,
        response: answers(EvaluationAnswer, 401, 403, 404),
      },
    },
    async ({ params }) =>
      success({ evaluation: await evaluations.get(params.knowledge_base_uuid, params.evaluation_uuid) }),
  );
}
