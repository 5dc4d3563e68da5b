import type { FastifyRequest } from 'fastify';

/** Whether a body follows the headers. */
export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/**
 * The maximum number of bytes that will be read of a body: its declared length, else the limit of the route; 0 if the
 * declared length exceeds the limit, because it is rejected unread.
 */
export function expectedBytes(request: FastifyRequest): number {
  const { bodyLimit } = request.routeOptions;
  if (!hasBody(request)) return 0;
  const length = request.headers['content-length'];
  if (length === undefined) return bodyLimit;
  return Number(length) > bodyLimit ? 0 : Number(length);
}
