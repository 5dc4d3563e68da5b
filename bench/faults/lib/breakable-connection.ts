import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What stands between the service and its database server: connections pass through it and can be broken. */
export interface BreakableConnection {
  /** The address of the database through it. */
  url: string;
  /** Closes every connection that stands. */
  cut(): void;
  /** Lets nothing pass on the connections that stand, in either direction, without closing them. New ones pass. */
  stall(): void;
  close(): Promise<void>;
}

/** @param url address of the database itself, on 127.0.0.1 */
export async function startBreakableConnection(url: string): Promise<BreakableConnection> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    const onward = connect(Number(target.port), target.hostname);
    keep(socket);
    keep(onward);
    socket.pipe(onward).once('close', () => socket.destroy());
    onward.pipe(socket).once('close', () => onward.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    stall: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
