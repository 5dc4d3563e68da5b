import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ParleyError,
  type Reason,
  type SocketConnection,
  type WebhookRequest,
  type WebhookResponse,
} from '@parley/sdk';
import type { PlatformHost, ServedBot } from '@parley/sdk/testing';
import { createFetchForRecord, createPlatformNetwork } from '../fetch-for-record.ts';
import { listenForSockets } from '../sockets/socket-listener.ts';
import { SocketServer } from '../sockets/socket-server.ts';

/** Largest request to a webhook, bytes; as in the service. */
const largestRequest = 10 * 1024 * 1024;

const statuses: Partial<Record<Reason, number>> = {
  invalid_request: 400,
  invalid_signature: 401,
  forbidden: 403,
  not_found: 404,
  too_large: 413,
  webhook_unsupported: 501,
};

const network = createPlatformNetwork(null);
const fetchContent = createFetchForRecord()([]);

/** The service's own network clients, and its addresses of bots without the rest of it. */
export const platformHost: PlatformHost = {
  clients: (config) => {
    const proxy = typeof config.proxy === 'string' && config.proxy !== '' ? config.proxy : null;
    return { ...network(addressesIn(config), proxy), fetchContent };
  },
  listen: (address, accept) =>
    listenForSockets(address, (request) => taken(accept(request)), { maximumConnections: 100 }),
  serve,
};

function addressesIn(config: Record<string, unknown>): string[] {
  return Object.values(config).filter((value) => typeof value === 'string' && URL.canParse(value)) as string[];
}

async function serve(bot: ServedBot): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new SocketServer();
  const server = createServer((request, response) => void respond(bot, request, response));
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    try {
      const adapter = bot.adapter();
      if (!adapter?.acceptSocket) throw new ParleyError('bot_not_running', 'The bot is not connected');
      const take = taken(adapter.acceptSocket(partsOf(request)));
      sockets.upgrade(request, head, take);
    } catch (error) {
      socket.end(`HTTP/1.1 ${statusOf(error)} Refused\r\nConnection: close\r\n\r\n`);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Always so for a server that listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/bots/1`,
    close: async () => {
      await sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @throws ParleyError with the status of a refusal */
function taken(
  decision: { status: number } | ((socket: SocketConnection) => void),
): (socket: SocketConnection) => void {
  if (typeof decision === 'function') return decision;
  const reasons: Record<number, Reason> = { 401: 'invalid_signature', 403: 'forbidden', 404: 'not_found' };
  throw new ParleyError(reasons[decision.status] ?? 'invalid_request', 'Refused');
}

async function respond(bot: ServedBot, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let answer: WebhookResponse;
  try {
    const whole = { ...partsOf(request), method: methodOf(request), body: await bodyOf(request) };
    answer = (await bot.verifyAddress(whole)) ?? (await handle(bot, whole));
  } catch (error) {
    answer = { status: statusOf(error) };
  }
  response.writeHead(answer.status, { 'content-type': answer.content_type ?? 'text/plain; charset=utf-8' });
  response.on('close', () => answer.onWritten?.(response.writableFinished));
  response.end(answer.body);
}

async function handle(bot: ServedBot, request: WebhookRequest): Promise<WebhookResponse> {
  const adapter = bot.adapter();
  if (adapter === null) throw new ParleyError('bot_not_running', 'The bot is not connected');
  if (!adapter.handleWebhook) throw new ParleyError('webhook_unsupported', 'There is no webhook');
  return adapter.handleWebhook(request);
}

function statusOf(error: unknown): number {
  return error instanceof ParleyError ? (statuses[error.reason] ?? 503) : 500;
}

function methodOf({ method }: IncomingMessage): WebhookRequest['method'] {
  if (method === 'GET' || method === 'POST') return method;
  throw new ParleyError('invalid_request', 'The method is not supported');
}

function partsOf({ url = '/', headers }: IncomingMessage): Pick<WebhookRequest, 'path' | 'query' | 'headers'> {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const [, , , ...rest] = pathname.split('/');
  const texts = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return {
    path: decodeURIComponent(rest.join('/')).replace(/^\/+|\/+$/g, ''),
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(texts),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > largestRequest) throw new ParleyError('too_large', 'The request is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
