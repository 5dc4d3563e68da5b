import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { openLoop } from '../lib/open-loop.ts';
import type { HeldOpen, HeldOpenState } from './half-sent-bodies.ts';

const { address, paths, bodies, bodyBytes, connections, ramp } = workerData as HeldOpen;
const { hostname, port, host } = new URL(address);

const state: HeldOpenState = { answered: {}, closed: 0 };
const filling = Buffer.alloc(bodyBytes, 'a');

function open(path: string | null): Promise<void> {
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => {
      state.closed += 1;
      resolve();
    });
  });
  if (path === null) return Promise.race([new Promise<void>((resolve) => socket.once('connect', resolve)), ended]);
  return Promise.race([sendHalf(socket, path), ended]);
}

/** Resolves when the system has taken it all. */
function sendHalf(socket: Socket, path: string): Promise<void> {
  socket.once('data', (answer) => {
    const status = /^HTTP\/1\.1 (\d+)/.exec(answer.toString('latin1'))?.[1] ?? 'none';
    state.answered[status] = (state.answered[status] ?? 0) + 1;
  });
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    'content-type: application/json',
    `content-length: ${bodyBytes + 1}`,
    '',
    '',
  ];
  socket.write(lines.join('\r\n'));
  return new Promise((resolve) => socket.write(filling, () => resolve()));
}

async function openAll(): Promise<void> {
  const opening: Promise<void>[] = [];
  const begin = (count: number, path: (index: number) => string | null) =>
    openLoop({ rate: count / ramp, seconds: ramp }, (index) => opening.push(open(path(index))));
  await Promise.all([begin(bodies, (index) => paths[index % paths.length] ?? null), begin(connections, () => null)]);
  await Promise.all(opening);
}

parentPort?.on('message', async (question: 'open' | 'state') => {
  if (question === 'open') await openAll();
  parentPort?.postMessage(state);
});
parentPort?.postMessage(state);
