import { once } from 'node:events';
import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type ListenAddress,
  ParleyError,
  type Reason,
  type SocketConnection,
  type SocketListener,
  type SocketRequest,
} from '@parley/sdk';
import { isLoopback } from '../../lib/loopback.ts';
import { SocketServer, type SocketServerOptions } from './socket-server.ts';

export interface SocketListenerOptions extends SocketServerOptions {
  /** Connections at the same time, with those whose handshake is pending. */
  maximumConnections: number;
  /** Time for the headers of the handshake, milliseconds. Default 10 000. */
  handshakeTimeoutMs?: number;
}

/** Decides on a websocket before anything of it is read. @throws ParleyError that refuses it */
export type AcceptSocket = (request: SocketRequest) => (socket: SocketConnection) => void;

const statuses: Partial<Record<Reason, number>> = {
  invalid_request: 400,
  invalid_signature: 401,
  forbidden: 403,
  foreign_origin: 403,
  unknown_host: 403,
  not_found: 404,
  too_many_requests: 429,
  bot_not_running: 503,
};

/**
 * Listens for websockets only; other requests get 426.
 * @throws ParleyError `conflict` when the address is in use, `invalid_request` when it cannot be used
 */
export async function listenForSockets(
  { host, port }: ListenAddress,
  accept: AcceptSocket,
  { maximumConnections, handshakeTimeoutMs = 10_000, ...options }: SocketListenerOptions,
): Promise<SocketListener> {
  if (host.trim() === '') throw new ParleyError('invalid_request', 'The host to listen on is empty');
  const sockets = new SocketServer(options);
  const server = createServer({
    headersTimeout: handshakeTimeoutMs,
    requestTimeout: handshakeTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, handshakeTimeoutMs),
    shouldUpgradeCallback: ({ method, headers }) => method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket',
  });
  server.maxConnections = maximumConnections;
  server.on('request', (_request, response) => {
    response.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end('This address is for websockets');
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A client that leaves during the handshake.
    socket.on('error', () => socket.destroy());
    try {
      refuseForeignPages(request, host);
      sockets.upgrade(request, head, accept(socketRequest(request)));
    } catch (error) {
      refuse(socket, error);
    }
  });
  // What goes wrong later ends one connection.
  server.on('error', () => {});
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (error) {
    throw unusable({ host, port }, error as NodeJS.ErrnoException);
  }
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await sockets.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Browsers let any page open websockets to this machine. They send the page's origin, which is the address of this listener
 * for none of them; some other clients send this address as their origin.
 */
function refuseForeignPages({ headers }: IncomingMessage, listening: string): void {
  if (headers.origin !== undefined && URL.parse(headers.origin)?.host !== headers.host) {
    throw new ParleyError('foreign_origin', 'Pages of browsers cannot connect here');
  }
  // A foreign name for this machine makes its page look like one of this address.
  const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  if (isLoopback(listening) && !isLoopback(name)) {
    throw new ParleyError('unknown_host', 'This address does not answer for that host');
  }
}

/** @throws ParleyError `invalid_request` for a path that is not a valid one */
function socketRequest({ url = '/', headers }: IncomingMessage): SocketRequest {
  const target = URL.parse(url, 'http://localhost');
  return {
    path: decoded(target?.pathname.replace(/^\/+|\/+$/g, '') ?? '%'),
    // Of a repeated one, the first counts.
    query: Object.fromEntries([...(target?.searchParams ?? [])].reverse()),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]),
    ),
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new ParleyError('invalid_request', 'The path is not valid');
  }
}

function refuse(socket: Duplex, error: unknown): void {
  const status = (error instanceof ParleyError && statuses[error.reason]) || 500;
  const text = error instanceof ParleyError ? error.message : 'An unexpected fault';
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

const problems: Record<string, string> = {
  EADDRINUSE: 'is in use by another bot or program',
  EACCES: 'needs rights that the server does not have',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'has a host name that is not known',
};

function unusable({ host, port }: ListenAddress, error: NodeJS.ErrnoException): ParleyError {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const problem = problems[error.code ?? ''] ?? `cannot be listened on (${error.code ?? error.message})`;
  // It may become free: the same bot in a process that is stopping may still listen there.
  const reason = error.code === 'EADDRINUSE' ? 'conflict' : 'invalid_request';
  return new ParleyError(reason, `The address ${address} ${problem}. Choose another host or port`, {
    cause: error,
  });
}
