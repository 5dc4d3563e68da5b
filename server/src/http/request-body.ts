import type { FastifyRequest } from 'fastify';

/** Whether a body follows the headers. */
export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/**
 * The largest number of bytes that will be read of a body: what it says itself, else what the route takes; 0 for one that
 * says that it is larger than that, since it is refused unread.
 */
export function expectedBytes(request: FastifyRequest): number {
  const { bodyLimit } = request.routeOptions;
  if (!hasBody(request)) return 0;
  const length = request.headers['content-length'];
  if (length === undefined) return bodyLimit;
  return Number(length) > bodyLimit ? 0 : Number(length);
}
