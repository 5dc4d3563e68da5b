import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerClientError } from './client-error.ts';
import { expectedBytes, hasBody } from './request-body.ts';

export interface RequestTimeouts {
  /** How long a body may take to arrive, milliseconds. */
  usual: number;
  /** The same for uploads and for bodies of more than `largeBytes`. */
  large: number;
  largeBytes: number;
}

/**
 * Ends requests whose bodies do not arrive in time. Node.js has one limit for a whole server, which has to leave time for
 * uploads over slow lines.
 */
export function limitRequestTime(server: FastifyInstance, timeouts: RequestTimeouts): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) {
      const isLarge =
        request.routeOptions.config.idempotency === 'upload' || expectedBytes(request) > timeouts.largeBytes;
      const timer = setTimeout(() => endRequest(request, reply), isLarge ? timeouts.large : timeouts.usual).unref();
      const arrived = () => clearTimeout(timer);
      request.raw.once('end', arrived).once('close', arrived);
    }
    done();
  });
}

function endRequest({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply): void {
  // What was injected has no connection.
  if (socket.destroyed !== false) return;
  const error = Object.assign(new Error('The body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  // Answered already, though the body was still on its way.
  if (response.headersSent) socket.destroy(error);
  else answerClientError(error, socket);
}
