import { connect } from 'node:net';

/** How long is waited for a connection, milliseconds. */
const patience = 2000;

/** Whether something accepts connections at the address that a replica announced, as seen from this machine. */
export async function isListening(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), timeout: patience });
  try {
    return await new Promise((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('timeout', () => resolve(false));
      socket.once('error', () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}
