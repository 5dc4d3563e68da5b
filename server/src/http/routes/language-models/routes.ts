import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { CreatedLanguageModel, CreateLanguageModel, LanguageModelList, LanguageModelQuery } from './schema.ts';

const tags = ['LLM models'];

export async function languageModelRoutes(
  server: TypedServer,
  { languageModels }: Pick<RouteServices, 'languageModels'>,
) {
  server.get(
    '/api/v1/provider/models/llm',
    {
      config: { access: { credential: 'either', scope: 'read' } },
      schema: {
        tags,
        summary: 'List LLM models',
        querystring: LanguageModelQuery,
        response: answers(LanguageModelList, 401, 403),
      },
    },
    async (request) => success({ models: await languageModels.list(request.query.provider_uuid) }),
  );

  server.post(
    '/api/v1/provider/models/llm',
    {
      config: {
        access: { credential: 'either', scope: 'write' },
        readOnly: ['uuid', 'created_at', 'updated_at'],
      },
      schema: {
        tags,
        summary: 'Create an LLM model',
        body: CreateLanguageModel,
        response: answers(CreatedLanguageModel, 400, 401, 403),
      },
    },
    async (request) => success({ uuid: await languageModels.create(request.body) }),
  );
}
