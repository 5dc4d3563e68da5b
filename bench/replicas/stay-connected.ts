import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';

/**
 * Connects, and again after each loss, until the signal.
 * @param connect resolves when the connection has ended
 * @param pauseMs before another attempt
 */
export async function stayConnected(
  connect: () => Promise<void>,
  { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await connect();
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Resolves when a socket has ended, or could not be opened. */
export async function endOf(socket: WebSocket): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
  });
}
