import { once } from 'node:events';
import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer that spreads requests over the services that say that they are ready, and repeats none. */
export interface ReadyBalancer {
  /** `http://127.0.0.1:<port>` */
  address: string;
  /** How many requests each service got, by its address. */
  counts: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Between two looks at the readiness of a service, milliseconds. */
const interval = 200;

/** @param addresses of services, `http://127.0.0.1:5300` */
export async function startReadyBalancer(addresses: readonly string[]): Promise<ReadyBalancer> {
  const counts = new Map(addresses.map((address) => [address, 0]));
  const ready = new Set<string>();
  // As balancers do, it keeps connections.
  const agent = new Agent({ keepAlive: true });
  const look = async (address: string) => {
    const { ok } = await fetch(`${address}/readyz`).catch(() => ({ ok: false }));
    if (ok) ready.add(address);
    else ready.delete(address);
  };
  await Promise.all(addresses.map(look));
  const timer = setInterval(() => addresses.forEach((address) => void look(address)), interval);
  let turn = 0;
  const server = createServer((request, response) => {
    const choice = [...ready];
    const chosen = choice[turn++ % choice.length];
    if (chosen === undefined) return void response.writeHead(502).end();
    counts.set(chosen, (counts.get(chosen) ?? 0) + 1);
    const { method, headers, url } = request;
    const onward = send(chosen + url, { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close: async () => {
      clearInterval(timer);
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
