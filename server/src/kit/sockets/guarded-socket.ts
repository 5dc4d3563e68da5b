import type { ClientRequest, IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import {
  type OpenSocketOptions,
  ParleyError,
  problemError,
  type SocketConnection,
  SocketRefusedError,
} from '@parley/sdk';
import type { WebSocket } from 'ws';
import { guardedLookup, requireAllowedLiteral } from '../address-guard.ts';
import type { AddressPolicy } from '../address-policy.ts';
import { type CallFence, fencedSocket, fenceHandshake } from '../call-fence.ts';
import { type HttpProxy, openTunnel, type TunnelOptions } from '../proxy-tunnel.ts';
import { type Resolve, resolveWithSystem } from '../resolve.ts';
import { closing, longestMessage, socketConnection } from './socket-connection.ts';

export interface GuardedSocketOptions {
  /** Which addresses may be reached. */
  policy: AddressPolicy;
  /** Time for the connection and the handshake, milliseconds. Default 10 000. */
  handshakeTimeoutMs?: number;
  /** Longest message, bytes. Default 16 MiB. */
  maximumBytes?: number;
  /** Connections are made through it. Default: none. */
  proxy?: HttpProxy | undefined;
  /** Resolves a host name. Default: the operating system's resolver. */
  resolve?: Resolve;
  /** Checked before the handshake and before each message. Default: none. */
  fence?: CallFence | undefined;
}

/** Connects to a websocket; as `openSocket` of a platform's context. */
export type OpenSocket = (address: string, options: OpenSocketOptions) => Promise<SocketConnection>;

/** Most of the body of a refused handshake that is read, bytes. */
const longestBody = 4096;

/** Creates the client for every outbound websocket. As with HTTP, the address of the actual connection is checked. */
export function createGuardedSocket(options: GuardedSocketOptions): OpenSocket {
  const { policy, proxy, resolve = resolveWithSystem, handshakeTimeoutMs = 10_000, fence } = options;
  const lookup = guardedLookup(resolve, policy);
  return async (address, { headers = {}, protocols = [], signal }) => {
    const url = parseAddress(address);
    requireAllowedLiteral(url.hostname, policy);
    const ws = await import('ws');
    signal.throwIfAborted();
    const tunnel =
      proxy && (await tunnelTo(url, { proxy, policy, resolve, signal: either(signal, handshakeTimeoutMs) }));
    if (signal.aborted) tunnel?.destroy();
    signal.throwIfAborted();
    const socket = new ws.WebSocket(address, [...protocols], {
      headers: { ...headers },
      handshakeTimeout: handshakeTimeoutMs,
      maxPayload: options.maximumBytes ?? longestMessage,
      ...closing,
      lookup,
      ...(tunnel && { createConnection: () => tunnel }),
      ...(fence && { finishRequest: (request: ClientRequest) => fenceHandshake(request, fence) }),
    });
    const client = await opened(socket, signal);
    return fence === undefined ? client : fencedSocket(client, fence);
  };
}

/** @throws ParleyError `address_not_allowed` */
function parseAddress(address: string): URL {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'ws:' && url.protocol !== 'wss:')) {
    throw new ParleyError('address_not_allowed', 'The address must start with ws:// or wss://');
  }
  if (url.username !== '' || url.password !== '') {
    throw problemError('address_with_account');
  }
  return url;
}

/** A connection through a proxy, with TLS for `wss:`. */
async function tunnelTo({ hostname, port, protocol }: URL, options: TunnelOptions): Promise<Socket> {
  const isSecure = protocol === 'wss:';
  const socket = await openTunnel(hostname, Number(port) || (isSecure ? 443 : 80), options);
  if (!isSecure) return socket;
  const { connect } = await import('node:tls');
  return connect({ socket, ...(isIP(hostname) === 0 && !hostname.startsWith('[') ? { servername: hostname } : {}) });
}

function either(signal: AbortSignal, milliseconds: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
}

function opened(socket: WebSocket, signal: AbortSignal): Promise<SocketConnection> {
  const { promise, resolve, reject } = Promise.withResolvers<SocketConnection>();
  const client = socketConnection(socket);
  const abort = () => {
    reject(signal.reason);
    socket.terminate();
  };
  signal.addEventListener('abort', abort, { once: true });
  socket.on('error', (error) => reject(failureOf(error)));
  socket.on('unexpected-response', (_request, response) => {
    void refusal(response).then(reject);
  });
  socket.on('open', () => {
    // What came with the handshake waits until its owner has added listeners.
    socket.pause();
    setImmediate(() => socket.resume());
    resolve(client);
  });
  return promise.finally(() => signal.removeEventListener('abort', abort));
}

/** The status and the start of the body of an answer that opens no websocket. */
async function refusal(response: IncomingMessage): Promise<SocketRefusedError> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= longestBody) break;
    }
  } catch {
    // What was read is enough.
  }
  response.destroy();
  return new SocketRefusedError(response.statusCode ?? 0, Buffer.concat(chunks).toString().slice(0, longestBody));
}

function failureOf(error: Error): ParleyError {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (current instanceof ParleyError) return current;
  }
  return new ParleyError('platform_failed', `The platform cannot be reached: ${error.message}`, { cause: error });
}
