import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface BreakableNetwork {
  /** Address under which the service is reached through this network. */
  address: string;
  /** Ends every connection and lets no new one through. */
  break(): void;
  mend(): void;
  close(): Promise<void>;
}

/** A network between browser and service that can be broken. What browsers call offline spares open websockets. */
export async function createBreakableNetwork(serviceAddress: string): Promise<BreakableNetwork> {
  const port = Number(new URL(serviceAddress).port);
  const open = new Set<Socket>();
  let broken = false;

  const server = createServer((near) => {
    if (broken) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    break() {
      broken = true;
      endAll();
    },
    mend() {
      broken = false;
    },
    async close() {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}
