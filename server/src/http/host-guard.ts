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
 * With a loopback bind, rejects other hosts: a foreign page that points its own name to this machine must not reach the
 * API (DNS rebinding).
 */
export function guardHost(server: FastifyInstance, options: HostGuardOptions): void {
  if (!isLoopback(options.host)) return;
  const publicHost = options.publicUrl === null ? null : new URL(options.publicUrl).hostname;
  // Nearly all requests have the same host as the previous one.
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
 * Whether a request seems to come directly from this machine. A local proxy that does not identify itself cannot be
 * distinguished, so nothing may rely on this where others can reach such a proxy.
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

/** Whether the browser reports that a page of this server made the request. */
export function isOwnOrigin(request: FastifyRequest, publicUrl: string | null): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  return (origin !== undefined || site !== undefined) && !isForeignOrigin(request, publicUrl);
}

/**
 * Whether the browser reports that a page of another origin made the request. Over plain HTTP browsers report nothing
 * for reads of the own origin; with every change, and whatever a page of another origin may read, they send the origin.
 */
export function isForeignOrigin(request: FastifyRequest, publicUrl: string | null): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return true;
  if (origin !== undefined) return !isOwnAddress(origin, request.host, publicUrl);
  return site === undefined && !readingMethods.has(request.method);
}

function isOwnAddress(origin: string, host: string, publicUrl: string | null): boolean {
  const page = URL.parse(origin);
  const publicOrigin = publicUrl === null ? null : new URL(publicUrl);
  // A page of the public host over plain HTTP may have been modified in transit.
  if (page !== null && page.host === publicOrigin?.host) return page.protocol === publicOrigin.protocol;
  return page?.host === host;
}
