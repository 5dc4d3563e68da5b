import { pageOf } from '../../cursor.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  ChangedGoldenQuestion,
  CreatedQuestions,
  NewGoldenQuestions,
  QuestionAnswer,
  QuestionList,
  QuestionParams,
} from './question-schema.ts';
import { KnowledgeBaseParams, PageQuery } from './shared-schema.ts';

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const writes = { credential: 'either', scope: 'write', role: 'member' } as const;
const auditedParameter = 'question_uuid';
const readOnly = ['uuid', 'knowledge_base_uuid', 'created_at', 'updated_at'];
const list = '/api/v1/knowledge/bases/:knowledge_base_uuid/questions';
const url = `${list}/:question_uuid`;

/** Golden questions: questions with known answers, for evaluations. */
export async function questionRoutes(server: TypedServer, { goldenQuestions }: Pick<RouteServices, 'goldenQuestions'>) {
  server.get(
    list,
    {
      config: { access: reads },
      schema: {
        summary: 'List the golden questions of a knowledge base, oldest first',
        params: KnowledgeBaseParams,
        querystring: PageQuery,
        response: answers(QuestionList, 400, 401, 403, 404),
      },
    },
    async ({ params, query }) => {
      const { records, next_cursor } = await pageOf(query, (page) =>
        goldenQuestions.list(params.knowledge_base_uuid, page),
      );
      return success({ questions: records, next_cursor });
    },
  );

  server.post(
    list,
    {
      config: { access: writes, audit: 'golden-question.create', auditedParameter, readOnly },
      schema: {
        summary: 'Add one golden question or several',
        description: 'Either `question` and `expected`, or a list of them in `questions`.',
        params: KnowledgeBaseParams,
        body: NewGoldenQuestions,
        response: answers(CreatedQuestions, 400, 401, 403, 404, 409),
      },
    },
    async (request) => {
      const questions = await goldenQuestions.create(request.params.knowledge_base_uuid, request.body);
      request.auditNote = { record_id: questions[0]?.uuid ?? '' };
      return success({ questions });
    },
  );

  server.get(
    url,
    {
      config: { access: reads },
      schema: {
        summary: 'Read a golden question',
        params: QuestionParams,
        response: taggedAnswers(QuestionAnswer, 401, 403, 404),
      },
    },
    async ({ params: { knowledge_base_uuid, question_uuid } }, reply) =>
      success({ question: withTag(reply, await goldenQuestions.tagged(knowledge_base_uuid, question_uuid)) }),
  );

  server.put(
    url,
    {
      config: { access: writes, audit: 'golden-question.update', auditedParameter, readOnly, conditional: true },
      schema: {
        summary: 'Change a golden question; omitted fields are unchanged, `expected` is replaced as a whole',
        params: QuestionParams,
        body: ChangedGoldenQuestion,
        response: taggedAnswers(QuestionAnswer, 400, 401, 403, 404),
      },
    },
    async ({ params, body, expectedTags }, reply) => {
      const { knowledge_base_uuid, question_uuid } = params;
      const changed = await goldenQuestions.update(knowledge_base_uuid, question_uuid, body, expectedTags);
      return success({ question: withTag(reply, changed) });
    },
  );

  server.delete(
    url,
    {
      config: { access: writes, audit: 'golden-question.delete', auditedParameter },
      schema: {
        summary: 'Delete a golden question',
        params: QuestionParams,
        response: answers(Nothing, 401, 403, 404),
      },
    },
    async ({ params }) => done(goldenQuestions.delete(params.knowledge_base_uuid, params.question_uuid)),
  );
}
