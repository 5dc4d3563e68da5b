import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { readChatCompletion } from '../../../core/model-api/chat-completion.ts';
import { fault } from '../../../core/model-api/content-parts.ts';
import type { ListedModel as FoundModel } from '../../../core/model-api/model-directory.ts';
import type { ModelApiCaller, ModelQuestion } from '../../../core/model-api/model-question.ts';
import { type ResponseRequest, readResponseRequest } from '../../../core/model-api/response-request.ts';
import { principalOf } from '../../access.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import type { AnsweredQuestion, AnswerForm } from './answer-form.ts';
import { chatCompletionForm } from './chat-completion-form.ts';
import { streamAnswer, watchCaller } from './give-answer.ts';
import { responseForm } from './response-form.ts';
import {
  ChatCompletion,
  ChatCompletionBody,
  ListedModel,
  ModelApiError,
  ModelList,
  ModelParams,
  ModelResponse,
  ResponseBody,
} from './schema.ts';

const access = { credential: 'either', scope: 'send', role: 'member' } as const;

/** Limit of bodies with images, bytes. */
const bodyLimit = 16 * 1024 * 1024;

const refusals = [400, 401, 403, 404, 409, 413, 415, 422, 429, 499, 500, 502, 503, 504];

/** The responses of a route, with errors in the format of this API. */
function answersOf<Answer extends TSchema>(answer: Answer) {
  return { 200: answer, ...Object.fromEntries(refusals.map((status) => [status, ModelApiError])) };
}

/** Pipelines as models, for OpenAI clients. */
export async function modelApiRoutes(server: TypedServer, { modelApi }: Pick<RouteServices, 'modelApi'>) {
  server.get(
    '/v1/models',
    {
      config: { access },
      schema: { summary: 'Pipelines, as models', response: answersOf(ModelList) },
    },
    async () => ({ object: 'list' as const, data: (await modelApi.models.list()).map(shown) }),
  );

  server.get(
    '/v1/models/:model',
    {
      config: { access },
      schema: { summary: 'One pipeline, as a model', params: ModelParams, response: answersOf(ListedModel) },
    },
    async (request) => shown(await modelApi.models.find(request.params.model)),
  );

  server.post(
    '/v1/chat/completions',
    {
      config: { access, audit: false },
      bodyLimit,
      schema: {
        summary: 'Generate an answer from the conversation',
        body: ChatCompletionBody,
        response: answersOf(ChatCompletion),
      },
    },
    async (request, reply) => {
      const { model, stream, stream_options: options } = request.body;
      const question = await readChatCompletion(request.body);
      return give(request, reply, question, stream === true, (asked) =>
        chatCompletionForm(asked, { model, includeUsage: options?.include_usage === true }),
      );
    },
  );

  server.post(
    '/v1/responses',
    {
      config: { access, audit: false },
      bodyLimit,
      schema: {
        summary: 'Generate an answer that continues an earlier response',
        body: ResponseBody,
        response: answersOf(ModelResponse),
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { input, stream } = body;
      if (typeof input !== 'string' && !Array.isArray(input))
        throw fault('input', 'must be a text or a list of messages');
      const question = await readResponseRequest(body as ResponseRequest);
      return give(request, reply, question, stream === true, (asked) => responseForm(asked, body));
    },
  );

  async function give(
    request: FastifyRequest,
    reply: FastifyReply,
    question: ModelQuestion,
    isStream: boolean,
    formOf: (asked: AnsweredQuestion) => AnswerForm,
  ) {
    reply.header('x-request-id', request.id);
    if (question.ignored.length > 0) reply.header('parley-ignored-parameters', question.ignored.join(', '));
    const asked = await modelApi.ask(question, callerOf(request));
    watchCaller(reply, asked);
    const form = formOf(asked);
    if (!isStream) return form.complete(await asked.answer) as never;
    await streamAnswer(asked, form, request, reply);
    return reply as never;
  }
}

function shown({ id, created }: FoundModel) {
  return { id, object: 'model' as const, created, owned_by: 'parley' };
}

/** API keys are users of their own, accounts are themselves. */
function callerOf(request: FastifyRequest): ModelApiCaller {
  const principal = principalOf(request);
  return principal.kind === 'user'
    ? { id: principal.account.uuid, name: principal.account.user }
    : { id: `api-key-${principal.id}`, name: principal.name };
}
