import type { SocketConnection } from '@parley/sdk';
import { expect, it, vi } from 'vitest';
import { ClientSockets } from './client-sockets.ts';

it('Events that a client sends before it knows of the end are taken, and the end waits for them', async () => {
  const onEvent = vi.fn();
  const ignore = () => undefined;
  const clients = new ClientSockets({ onEvent, report: ignore, onAccount: ignore, onFault: ignore });
  const { promise: closed, resolve } = Promise.withResolvers<Awaited<SocketConnection['closed']>>();
  let send: (data: string) => void = ignore;
  const socket: SocketConnection = {
    send: async () => undefined,
    ping: ignore,
    roundTrip: async () => undefined,
    close: vi.fn(),
    terminate: ignore,
    onMessage: (listener) => {
      send = listener;
    },
    onActivity: ignore,
    closed,
  };
  clients.add('10000', { takesActions: true, sendsEvents: true }, socket);
  let hasEnded = false;
  const ended = clients.close().then(() => {
    hasEnded = true;
  });
  expect(socket.close).toHaveBeenCalledWith(1012);
  send(JSON.stringify({ post_type: 'message', self_id: 10000 }));
  expect(onEvent).toHaveBeenCalledOnce();
  await Promise.resolve();
  expect(hasEnded).toBe(false);
  resolve({ code: 1012, reason: '' });
  await ended;
});
