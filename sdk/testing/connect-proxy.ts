import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** An HTTP proxy on a free port of 127.0.0.1 that opens tunnels only. */
export interface ConnectProxy {
  /** Without an account. */
  url: string;
  port: number;
  /** Targets that clients asked for, in order, refused ones included. */
  targets: string[];
  close: () => Promise<void>;
}

/**
 * Starts a proxy.
 * @param account `user:password` that clients have to send; empty for none
 */
export async function startConnectProxy(account = ''): Promise<ConnectProxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request, client: Socket, head: Buffer) => {
    const target = request.url ?? '';
    targets.push(target);
    const wanted = `Basic ${Buffer.from(account).toString('base64')}`;
    if (account !== '' && request.headers['proxy-authorization'] !== wanted) {
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n',
      );
      return;
    }
    const { hostname, port } = new URL(`http://${target}`);
    const upstream = connect(Number(port), hostname);
    sockets.add(upstream);
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'));
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    targets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
