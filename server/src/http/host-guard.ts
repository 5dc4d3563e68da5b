import { ParleyError } from '@parley/sdk';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../lib/loopback.ts';

export interface HostGuardOptions {
  /** Address that the server is bound to. */
  host: string;
  publicUrl: string | null;
}

/** The name in a Host header without its port, lower case. */
export function hostName(header: string | undefined): string {
  const name = URL.parse(`http://${header ?? ''}`)?.hostname ?? '';
  return name.toLowerCase();
}

/**
 * On a loopback bind, refuses hosts that are not loopback: a page elsewhere that points its own name at this machine
 * must not reach the API (DNS rebinding).
 */
export function guardHost(server: FastifyInstance, options: HostGuardOptions): void {
  if (!isLoopback(options.host)) return;
  const publicHost = options.publicUrl === null ? null : new URL(options.publicUrl).hostname;
  // Nearly every request names the host that the one before it named.
  let accepted: string | undefined;
  server.addHook('onRequest', (request, _reply, done) => {
    const { host } = request.headers;
    if (host !== undefined && host === accepted) return done();
    const name = hostName(host);
    if (isLoopback(name) || name === publicHost) {
      accepted = host;
      return done();
    }
    done(new ParleyError('unknown_host', 'This server does not answer for that host; see PARLEY_PUBLIC_URL'));
  });
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Whether a request seems to come straight from this machine to this machine. A proxy on this machine that says nothing of
 * itself cannot be told apart, so nothing may rest on this where others can reach one.
 */
export function isLocalRequest(request: FastifyRequest, boundTo: string): boolean {
  return (
    isLoopback(boundTo) &&
    isLoopback(request.socket.remoteAddress ?? '') &&
    isLoopback(hostName(request.headers.host)) &&
    forwardingHeaders.every((header) => request.headers[header] === undefined)
  );
}

/** Methods that change nothing. */
const readingMethods = new Set(['GET', 'HEAD']);

/** Whether the browser says that a page of this server makes the request. */
export function isOwnOrigin(request: FastifyRequest, publicUrl: string | null): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  return (origin !== undefined || site !== undefined) && !isForeignOrigin(request, publicUrl);
}

/**
 * Whether the browser says that a page of another origin makes the request. Over plain HTTP browsers say nothing about
 * reads of the own origin; with every change, and whatever a page of another origin may read, they name the origin.
 */
export function isForeignOrigin(request: FastifyRequest, publicUrl: string | null): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return true;
  if (origin !== undefined) return !isOwnAddress(origin, request.host, publicUrl);
  return site === undefined && !readingMethods.has(request.method);
}

function isOwnAddress(origin: string, host: string, publicUrl: string | null): boolean {
  const page = URL.parse(origin);
  const own = publicUrl === null ? null : new URL(publicUrl);
  // A page of the public host over plain HTTP may come from anybody on the way.
  if (page !== null && page.host === own?.host) return page.protocol === own.protocol;
  return page?.host === host;
}
