import type { FastifyInstance } from 'fastify';

/** Pages load everything from this server only: an image of another origin could carry off what an answer holds. */
export const pageSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self' ws: wss:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  // An answer of the API is data: if a browser shows it as a page, nothing in it runs.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** Headers of every answer; routes that serve pages and files put their own in place of some. */
export function securityHeaders(options: { publicUrl: string | null }): Record<string, string> {
  return options.publicUrl?.startsWith('https:') === true
    ? { ...everywhere, 'strict-transport-security': 'max-age=31536000' }
    : everywhere;
}

/** Puts the headers on every answer, before a route or a refusal. */
export function setSecurityHeaders(server: FastifyInstance, headers: Record<string, string>): void {
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
