import { ParleyError, problemError } from '@parley/sdk';
import type { FastifyInstance, preParsingHookHandler } from 'fastify';
import { BoundedConcurrency } from '../lib/bounded-concurrency.ts';
import { expectedBytes } from './request-body.ts';
import { whileConnected } from './while-connected.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Called when the body of a large request was read, or never will be. */
    endLargeBody: (() => void) | null;
  }
}

export interface LargeBodyLimits {
  /** Bodies up to this size, bytes, are not limited; larger ones are. */
  defaults: number;
  /** Larger bodies that are read at the same time. */
  concurrent: number;
  /** Requests in the queue; further ones are rejected. */
  waiting: number;
  /** Maximum time in the queue, milliseconds. */
  patience: number;
}

/** `Retry-After` of rejected requests, seconds. */
const retryAfterSeconds = 5;

/**
 * Limits concurrent large bodies on routes with bodies beyond the default limit, to bound memory. Others wait before
 * they are read. Routes must be registered afterwards.
 */
export function limitLargeBodies(server: FastifyInstance, limits: LargeBodyLimits): void {
  const turns = new BoundedConcurrency({ limit: limits.concurrent, longestQueue: limits.waiting });
  const stopping = new AbortController();
  server.decorateRequest('endLargeBody', null);
  server.addHook('preClose', (done) => {
    stopping.abort(new ParleyError('not_ready', 'The server is stopping'));
    done();
  });

  const enter = async (connected: AbortSignal): Promise<() => void> => {
    const late = AbortSignal.timeout(limits.patience);
    let end: (() => void) | null = null;
    try {
      end = await turns.enter(AbortSignal.any([connected, stopping.signal, late]));
    } catch (error) {
      if (error instanceof ParleyError) throw error;
    }
    if (end !== null) return end;
    throw problemError('too_many_large_requests', {}, { retryAfterSeconds });
  };

  const begin: preParsingHookHandler = async (request, reply, payload) => {
    if (expectedBytes(request) <= limits.defaults) return payload;
    const connected = whileConnected(reply);
    request.endLargeBody = await enter(connected);
    connected.addEventListener('abort', request.endLargeBody, { once: true });
    // The client may have disconnected meanwhile.
    if (connected.aborted) request.endLargeBody();
    return payload;
  };

  server.addHook('onRoute', (route) => {
    if ((route.bodyLimit ?? 0) <= limits.defaults) return;
    route.preParsing = [begin, ...[route.preParsing ?? []].flat()];
  });
  server.addHook('preValidation', (request, _reply, done) => {
    request.endLargeBody?.();
    done();
  });
  server.addHook('onResponse', (request, _reply, done) => {
    request.endLargeBody?.();
    done();
  });
}
