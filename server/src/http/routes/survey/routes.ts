import { ParleyError } from '@parley/sdk';
import { answers, Nothing, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import { DismissSurvey, PendingSurvey, RespondToSurvey } from './schema.ts';

const summary = 'There are no surveys; for clients of the reference system';

/** Survey routes for clients of the reference system. This server has no surveys and sends no data. */
export async function surveyRoutes(server: TypedServer) {
  server.get(
    '/api/v1/survey/pending',
    {
      config: { access: { credential: 'user', scope: 'read', role: 'member' } },
      schema: { summary, response: answers(PendingSurvey, 401, 403) },
    },
    async () => success({ survey: null }),
  );

  for (const [path, body] of [
    ['respond', RespondToSurvey],
    ['dismiss', DismissSurvey],
  ] as const) {
    server.post(
      `/api/v1/survey/${path}`,
      {
        config: { access: { credential: 'user', scope: 'write', role: 'member' }, audit: false },
        schema: { summary, body, response: answers(Nothing, 400, 401, 403, 404) },
      },
      async () => {
        throw new ParleyError('not_found', 'Survey not found: this server has no surveys');
      },
    );
  }
}
