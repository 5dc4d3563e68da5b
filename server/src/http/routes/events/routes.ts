import type { ServerResponse } from 'node:http';
import type { StateChange } from '../../../core/events/state-events.ts';
import { principalOf, requiredAccessOf } from '../../access.ts';
import { answers, Nothing } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { type EventStream, EventStreams } from './event-streams.ts';
import { EventsAnswer, EventsQuery } from './schema.ts';

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Keeps proxies from buffering events.
  'x-accel-buffering': 'no',
  // A keep-alive connection would delay a stop.
  connection: 'close',
};

export async function eventRoutes(
  server: TypedServer,
  { connectedCallers, stateEvents, leaving }: Pick<RouteServices, 'connectedCallers' | 'stateEvents' | 'leaving'>,
) {
  const streams = new EventStreams(stateEvents);
  leaving.addEventListener('abort', () => streams.close());
  server.addHook('preClose', async () => streams.close());

  server.get(
    '/api/v1/events',
    {
      config: { access: { credential: 'either', scope: 'read', role: 'member', cookie: true } },
      schema: {
        summary: 'State changes of bots, tasks and messages, as server-sent events',
        querystring: EventsQuery,
        response: { ...answers(Nothing, 400, 401, 403, 429), 200: EventsAnswer },
      },
    },
    async (request, reply) => {
      reply.headers(streamHeaders);
      // HEAD returns only headers; the stream would never end.
      if (request.method === 'HEAD') return reply.send('' as never);
      let stream: EventStream | null = null;
      await connectedCallers.join({
        kind: 'event-stream',
        principal: principalOf(request),
        required: requiredAccessOf(request),
        end: () => stream?.end(),
        onClose: (listener) => onClose(reply.raw, listener),
      });
      reply.hijack();
      if (reply.raw.destroyed) return reply;
      reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
      const { types, last_event_id = null } = request.query;
      stream = streams.open(reply.raw, {
        types: types === undefined ? null : new Set(types.split(',') as StateChange['type'][]),
        lastEventId: request.headers['last-event-id']?.toString() || last_event_id || null,
      });
      return reply;
    },
  );
}

/** Calls back when the client is gone, also if it already is. */
function onClose(response: ServerResponse, listener: () => void): void {
  if (response.destroyed) listener();
  else response.once('close', listener);
}
