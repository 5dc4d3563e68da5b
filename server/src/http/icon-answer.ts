import type { FastifyReply } from 'fastify';
import Type from 'typebox';

/** Description of an icon response. */
export const IconAnswer = {
  description: 'The icon.',
  content: { 'image/svg+xml': { schema: Type.Unsafe<never>({ type: 'string' }) } },
};

/** Pages of any origin may show icons. Opened as a document, they can execute nothing. */
export function sendIcon(reply: FastifyReply, svg: string) {
  return reply
    .header('cache-control', 'public, max-age=86400')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    .header('cross-origin-resource-policy', 'cross-origin')
    .type('image/svg+xml')
    .serializer(String)
    .send(svg as never);
}
