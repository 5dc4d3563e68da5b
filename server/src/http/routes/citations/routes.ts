import type { LinkRefusal } from '../../../core/messages/cited-passages.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { pageHeaders, passagePage, refusalPage } from './page.ts';
import { RequestRate } from './request-rate.ts';

const statuses: Record<LinkRefusal, number> = { invalid: 404, expired: 410, gone: 410 };
/** Requests of a network in a minute. */
const mostRequests = 60;

/** The page behind the link of a citation. Its token grants access to one passage, and to nothing else. */
export async function citationRoutes(server: TypedServer, { citedPassages }: Pick<RouteServices, 'citedPassages'>) {
  const rate = new RequestRate(mostRequests);
  server.get(
    '/cited/:token',
    // A page for users, not part of the API.
    { config: { access: 'open' }, schema: { hide: true } },
    async (request, reply) => {
      const { 'accept-language': accepted } = request.headers;
      reply.headers(pageHeaders).serializer(String);
      const wait = rate.secondsToWait(request.ip);
      if (wait > 0) return reply.code(429).header('retry-after', wait).send(refusalPage('busy', accepted));
      const shown = await citedPassages.show((request.params as { token: string }).token);
      if (typeof shown === 'string') return reply.code(statuses[shown]).send(refusalPage(shown, accepted));
      return reply.send(passagePage(shown, accepted));
    },
  );
}
