import type { IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { DeliveryError, ParleyError } from '@parley/sdk';
import { guardedLookup, requireAllowedHost, requireAllowedLiteral } from './address-guard.ts';
import type { AddressPolicy } from './address-policy.ts';
import type { Resolve } from './resolve.ts';

/** An HTTP proxy. */
export interface HttpProxy {
  /** `http://user:password@host:port`, or https. */
  url: string;
  /** Which addresses the proxy itself may have. */
  policy: AddressPolicy;
}

export interface TunnelOptions {
  proxy: HttpProxy;
  /** Which addresses may be reached through it. */
  policy: AddressPolicy;
  resolve: Resolve;
  /** Ends the attempt. */
  signal: AbortSignal;
}

/**
 * Connects to a host through a proxy. The host is resolved and checked here as without one; the proxy is given its name, so
 * that it may reach the host at another address.
 * @param host name or IP address, in brackets for IPv6
 * @throws ParleyError `address_not_allowed`; DeliveryError `not_sent` when the proxy cannot be reached or refuses
 */
export async function openTunnel(host: string, port: number, options: TunnelOptions): Promise<Socket> {
  const { proxy, policy, resolve, signal } = options;
  await requireAllowedHost(host, resolve, policy);
  const url = new URL(proxy.url);
  requireAllowedLiteral(url.hostname, proxy.policy);
  const target = `${host}:${port}`;
  const { request: open } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  signal.throwIfAborted();
  const request: RequestOptions = {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port,
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...authorization(url) },
    lookup: guardedLookup(resolve, proxy.policy),
    agent: false,
    signal,
  };
  const { promise, resolve: opened, reject } = Promise.withResolvers<Socket>();
  open(request)
    .on('connect', (response: IncomingMessage, socket: Socket, head: Buffer) => {
      if (response.statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        opened(socket);
      } else {
        socket.destroy();
        reject(refusal(url, response.statusCode ?? 0));
      }
    })
    .on('error', (error: NodeJS.ErrnoException) => {
      // A message of the error could repeat what was sent.
      reject(
        signal.aborted || error instanceof ParleyError ? error : unreachable(url, error.code ?? 'connection failed'),
      );
    })
    .end();
  return promise;
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(account).toString('base64')}` };
}

function refusal({ origin }: URL, status: number): DeliveryError {
  const advice = status === 407 ? ': check its user name and password' : '';
  return notSent(`The proxy ${origin} refused the connection with status ${status}${advice}`);
}

function unreachable({ origin }: URL, code: string): DeliveryError {
  return notSent(`The proxy ${origin} cannot be reached: ${code}`);
}

/** The platform got nothing, so a message waits until the proxy works again. */
function notSent(message: string): DeliveryError {
  return new DeliveryError('not_sent', 'platform_failed', message);
}
