import { ParleyError } from '@parley/sdk';
import type { FastifyReply } from 'fastify';

/**
 * Aborted when the client disconnects before the response. (Fastify's own signal of a request is aborted as soon as the
 * body was read.)
 */
export function whileConnected(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    controller.abort(new ParleyError('client_closed_request', 'The client went away before the answer'));
  });
  return controller.signal;
}
