import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can fall silent without ending a connection, be cut, or be watched. */
export interface Line {
  /** The address of the server, through this way. */
  url: string;
  /** While it is silent, nothing is passed on: no bytes, no end. */
  isSilent: boolean;
  /** Calls back once, just after bytes for the server that contain a text were passed on. @returns takes it back */
  after(text: string, reached: () => void): () => void;
  /** Ends all connections; new ones are refused until it is mended. */
  cut(): void;
  mend(): void;
  /** New connections lead to another server. @param url its address */
  leadTo(url: string): void;
  close(): void;
}

export async function openLine(url: string): Promise<Line> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  const watches = new Set<{ text: string; reached(): void }>();
  let isCut = false;
  // As without it: small writes do not wait for acknowledgements.
  const noDelay = true;
  const server = createServer({ noDelay }, (near) => {
    if (isCut) return void near.destroy();
    const far = connect({ port: Number(target.port), host: target.hostname, noDelay });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes: Buffer) => {
        if (line.isSilent) return;
        to.write(bytes);
        if (from === near) passed(bytes);
      });
      from.on('close', () => {
        sockets.delete(from);
        if (!line.isSilent) to.destroy();
      });
      from.on('error', () => {});
    }
  });
  const passed = (bytes: Buffer) => {
    for (const watch of watches) {
      if (!bytes.includes(watch.text)) continue;
      watches.delete(watch);
      watch.reached();
    }
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = new URL(url);
  // The server listens on a port of its own.
  address.port = String((server.address() as AddressInfo).port);
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  const line: Line = {
    url: address.href,
    isSilent: false,
    after: (text, reached) => {
      const watch = { text, reached };
      watches.add(watch);
      return () => void watches.delete(watch);
    },
    cut: () => {
      isCut = true;
      end();
    },
    mend: () => {
      isCut = false;
    },
    leadTo: (other) => {
      target = new URL(other);
    },
    close: () => {
      end();
      server.close();
    },
  };
  return line;
}
