import type { FastifyRequest } from 'fastify';

/** Hosts that a source can name: no IPv6 addresses. Anything else could end the directive. */
const nameable = /^[a-z0-9._-]+(:\d{1,5})?$/i;

/**
 * A path of this server as sources of a content security policy: under the address that the browser named, and under the
 * public one. They have no scheme, so they match the one of the page, also behind a proxy that ends TLS.
 * @param path with a slash at its end, for all that is below it
 */
export function ownSources(
  { host }: Pick<FastifyRequest, 'host'>,
  publicUrl: string | null,
  path: `${string}/`,
): string {
  const hosts = new Set([host, ...(publicUrl === null ? [] : [new URL(publicUrl).host])]);
  const sources = [...hosts].filter((one) => nameable.test(one)).map((one) => one + path);
  return sources.length === hosts.size ? sources.join(' ') : [...sources, "'self'"].join(' ');
}
