import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

/** A load balancer without sticky sessions. */
export interface TestBalancer {
  address: string;
  /** Where the next requests go: to one address, or to each of several at once, of which the first that responds counts. */
  to: readonly string[];
  /** The status of each response so far, by the address that gave it. */
  statuses: Map<string, number[]>;
  close(): Promise<void>;
}

/** Headers that belong to a connection. */
const ofConnection = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect'];

export async function startBalancer(): Promise<TestBalancer> {
  const statuses = new Map<string, number[]>();
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/', headers } = incoming;
    const passOn = async (address: string) => {
      const response = await request(address + url, {
        method: method as 'GET',
        headers: withoutConnection(headers),
        ...(method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
      });
      const body = Buffer.from(await response.body.arrayBuffer());
      statuses.set(address, [...(statuses.get(address) ?? []), response.statusCode]);
      return { response, body };
    };
    try {
      const all = balancer.to.map(passOn);
      const { response, body } = await Promise.any(all);
      outgoing.writeHead(response.statusCode, { 'content-type': String(response.headers['content-type'] ?? '') });
      outgoing.end(body);
    } catch {
      outgoing.writeHead(502).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const balancer: TestBalancer = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to: [],
    statuses,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return balancer;
}

function withoutConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.includes(name)));
}
