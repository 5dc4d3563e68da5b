import { answers, done, Nothing, success } from '../../envelope.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { SensitiveWords, UpdateSensitiveWords } from './schema.ts';

/** Space for the maximum number of words, in any script. */
const bodyLimit = 10 * 1024 * 1024;

export async function sensitiveWordRoutes(
  server: TypedServer,
  { sensitiveWords }: Pick<RouteServices, 'sensitiveWords'>,
) {
  server.get(
    '/api/v1/safety/sensitive-words',
    {
      config: { access: { credential: 'either', scope: 'read', role: 'member' } },
      schema: {
        summary: 'Read the sensitive words',
        response: taggedAnswers(SensitiveWords, 401, 403),
      },
    },
    async (_request, reply) => success(withTag(reply, await sensitiveWords.tagged())),
  );

  server.put(
    '/api/v1/safety/sensitive-words',
    {
      bodyLimit,
      config: {
        access: { credential: 'either', scope: 'write', role: 'admin' },
        audit: 'sensitive-words.update',
        conditional: true,
      },
      schema: {
        summary: 'Change the sensitive words',
        description:
          'Omitted fields are unchanged. An invalid pattern is rejected with its index. Changes apply to the next message.',
        body: UpdateSensitiveWords,
        response: answers(Nothing, 400, 401, 403, 413, 429),
      },
    },
    async ({ body, expectedTags }) => done(sensitiveWords.update(body, expectedTags)),
  );
}
