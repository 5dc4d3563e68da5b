import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/index.ts';

/** @returns where it listens. @throws Error with a message for the operator */
export async function listen(server: FastifyInstance, { host, port }: Config): Promise<string> {
  await server.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(listenFault(`${host}:${port}`, error), { cause: error });
  });
  const { address, family, port: listening } = server.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${listening}`;
}

/** An address that listens on every network, as a browser on this machine reaches it. */
export function reachable(address: string): string {
  return address.replace(/^http:\/\/(0\.0\.0\.0|\[::\]):/, 'http://localhost:');
}

function listenFault(address: string, { code, message }: NodeJS.ErrnoException): string {
  return code === 'EADDRINUSE'
    ? `The address ${address} is in use by another program; see PARLEY_PORT`
    : `The address ${address} cannot be listened on (${code ?? message}); see PARLEY_HOST and PARLEY_PORT`;
}
