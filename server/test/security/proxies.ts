import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';

/** A proxy on a free local port, with default settings except for its target. */
export interface Proxy {
  /** `http://127.0.0.1:<port>` */
  address: string;
  close(): Promise<void>;
}

export const proxies = {
  /** `proxy_pass http://127.0.0.1:5300;`: its own idea of the host, and nothing about the client. */
  nginx: (target: string) =>
    forwarding(target, (headers) => ({ ...headers, host: new URL(target).host, connection: 'close' })),
  /** `reverse_proxy 127.0.0.1:5300`: the host of the client, and where it came from. */
  Caddy: (target: string) =>
    forwarding(target, (headers, client) => ({
      ...headers,
      'x-forwarded-for': client,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': headers.host,
    })),
  /** `socat`, `stunnel`, `ssh -R`: bytes. */
  'a TCP forwarder': async (target: string) => {
    const { hostname, port } = new URL(target);
    return await listening(
      createTcpServer((client) => {
        const server = connect(Number(port), hostname);
        client.on('error', () => server.destroy()).pipe(server);
        server.on('error', () => client.destroy()).pipe(client);
      }),
    );
  },
} satisfies Record<string, (target: string) => Promise<Proxy>>;

function forwarding(
  target: string,
  headersOf: (headers: IncomingHttpHeaders, client: string) => IncomingHttpHeaders,
): Promise<Proxy> {
  return listening(
    createHttpServer((asked, answer) => {
      const headers = headersOf(asked.headers, asked.socket.remoteAddress ?? '');
      const passed = request(new URL(asked.url ?? '/', target), { method: asked.method, headers, agent: false });
      passed.on('response', (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      asked.pipe(passed);
    }),
  );
}

async function listening(server: Server): Promise<Proxy> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
