import { answers, Nothing, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { SensitiveWords, UpdateSensitiveWords } from './schema.ts';

const tags = ['safety'];
/** Room for as many words as there may be, in any script. */
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
        tags,
        summary: 'Read the list of sensitive words',
        response: answers(SensitiveWords, 401, 403),
      },
    },
    async () => success(await sensitiveWords.current()),
  );

  server.put(
    '/api/v1/safety/sensitive-words',
    {
      bodyLimit,
      config: { access: { credential: 'either', scope: 'write', role: 'admin' }, audit: 'sensitive-words.update' },
      schema: {
        tags,
        summary: 'Change the list of sensitive words',
        description:
          'Fields that are left out stay. A word that cannot be looked for is refused with its index. It takes effect on the next message.',
        body: UpdateSensitiveWords,
        response: answers(Nothing, 400, 401, 403, 413, 429),
      },
    },
    async (request) => {
      await sensitiveWords.update(request.body);
      return success({});
    },
  );
}
