import type { FastifyInstance } from 'fastify';

/**
 * The console loads everything from this server only: the URL of a foreign image could leak the content of an answer.
 * @param frames sources of frames, which cannot navigate themselves to any other: an address could carry data out
 */
export const consoleSecurityPolicy = (frames: string): string =>
  [...consoleDirectives, `frame-src ${frames}`].join('; ');

const consoleDirectives = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self' ws: wss:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  // An API response is data: a browser that shows it as a page executes nothing.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** Headers of every response; routes that serve pages and files override some. */
export function securityHeaders(options: { publicUrl: string | null }): Record<string, string> {
  return options.publicUrl?.startsWith('https:') === true
    ? { ...everywhere, 'strict-transport-security': 'max-age=31536000' }
    : everywhere;
}

/** Sets the headers on every response, before a route or an error. */
export function setSecurityHeaders(server: FastifyInstance, headers: Record<string, string>): void {
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
