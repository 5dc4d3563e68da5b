import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface FakeRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The parsed body; undefined when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access bodies and compare their fields
  json: any;
  /** Resolves when the connection of this request is closed, by either side. */
  closed: Promise<void>;
}

/** Replaces the service's own response to a request. */
export type FakeFault =
  /** A whole answer, a refusal for example. */
  | { kind: 'answer'; status: number; body?: string; headers?: Record<string, string> }
  /** A stream that ends properly, breaks, stalls or never ends. */
  | { kind: 'stream'; type: string; pieces: string[]; ending: 'end' | 'cut' | 'silence' | 'on and on' }
  /** Not even headers come. */
  | { kind: 'silence' };

export interface FakeService {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Every request so far, oldest first. */
  requests: FakeRequest[];
  /** Faults of the next requests, one each. */
  meet(...faults: FakeFault[]): void;
  /** Closes the server and every connection. */
  close(): Promise<void>;
}

/** Starts a server on a free loopback port with scripted responses. */
export async function startFakeService(
  answer: (request: FakeRequest, response: ServerResponse) => unknown,
): Promise<FakeService> {
  const requests: FakeRequest[] = [];
  const faults: FakeFault[] = [];
  const server = createServer(async (request, response) => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    const body = Buffer.concat(await request.toArray());
    const recorded: FakeRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      json: parsed(body),
      closed,
    };
    requests.push(recorded);
    const fault = faults.shift();
    if (fault === undefined) await answer(recorded, response);
    else await commit(fault, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    meet: (...next) => void faults.push(...next),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function commit(fault: FakeFault, response: ServerResponse): Promise<void> {
  if (fault.kind === 'silence') return;
  if (fault.kind === 'answer') {
    response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
    response.end(fault.body ?? '');
    return;
  }
  response.writeHead(200, { 'content-type': fault.type });
  response.flushHeaders();
  for (const piece of fault.pieces) response.write(piece);
  if (fault.ending === 'end') response.end();
  // The socket is closed once all data is sent, so that the caller receives it before the cut.
  if (fault.ending === 'cut') response.write('', () => response.socket?.destroy());
  const last = fault.pieces.at(-1) ?? '';
  while (fault.ending === 'on and on' && !response.destroyed) {
    if (!response.write(last)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    else await new Promise((resolve) => setImmediate(resolve));
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Server-sent events, one for each value. */
export function sse(...values: unknown[]): string[] {
  return values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`);
}
