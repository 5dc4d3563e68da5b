import type { FastifyReply } from 'fastify';
import Type from 'typebox';

/** Description of an answer that is an icon. */
export const IconAnswer = {
  description: 'The icon.',
  content: { 'image/svg+xml': { schema: Type.Unsafe<never>({ type: 'string' }) } },
};

/** Icons are shown by pages of any origin. Opened as a page of their own, they can do nothing. */
export function sendIcon(reply: FastifyReply, svg: string) {
  return reply
    .header('cache-control', 'public, max-age=86400')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    .header('cross-origin-resource-policy', 'cross-origin')
    .type('image/svg+xml')
    .serializer(String)
    .send(svg as never);
}
