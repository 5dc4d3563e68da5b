import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { type ChildProgram, startChildProgram } from '../lib/child-program.ts';
import type { OperatorFunctions } from './operator-program.ts';

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function operator(): Promise<ChildProgram<OperatorFunctions>> {
  const program = await startChildProgram<OperatorFunctions>(new URL('./operator-program.ts', import.meta.url));
  ends.push(() => program.close());
  return program;
}

/** A console that answers after a pause. @param statusOf of each path, 200 by default */
async function startConsole(pauseMs: number, statusOf: Record<string, number> = {}) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    const status = statusOf[path] ?? 200;
    if (path === '/api/v1/events' && status === 200) return void response.writeHead(200).write(': open\n\n');
    if (request.headers.authorization === 'Bearer token') response.setHeader('set-cookie', 'session=given; Path=/');
    setTimeout(() => response.writeHead(status).end('{}'), pauseMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it('opens the dashboard and the messages in turns, with the cookie of its session', async () => {
  const { requests, address } = await startConsole(30);
  const { call } = await operator();
  await call.begin(address, 'token');
  await vi.waitUntil(() => requests.some(({ url }) => url === '/api/v1/messages?limit=50'), { timeout: 10_000 });
  const { dashboard, messages, slowest, failures } = await call.end();
  expect(failures).toEqual([]);
  // Three groups of requests, and four, one after the other.
  expect([dashboard.length, messages.length]).toEqual([1, 1]);
  expect(dashboard[0]).toBeGreaterThan(85);
  expect(messages[0]).toBeGreaterThan(115);
  expect(slowest.milliseconds).toBeGreaterThan(28);
  const paths = requests.map(({ url }) => url ?? '');
  expect(paths.filter((path) => path.startsWith('/api/v1/monitoring/figures?'))).toHaveLength(2);
  expect(paths).toContain('/api/v1/events');
  const [, ...ofPages] = requests;
  expect(new Set(ofPages.map(({ headers }) => headers.cookie))).toEqual(new Set(['session=given']));
});

it('tells what was not answered 200', async () => {
  const { requests, address } = await startConsole(0, { '/api/v1/system/info': 503, '/api/v1/events': 429 });
  const { call } = await operator();
  await call.begin(address, 'token');
  await vi.waitUntil(() => requests.some(({ url }) => url?.startsWith('/api/v1/monitoring/errors')));
  const { failures } = await call.end();
  expect(failures.toSorted()).toEqual(['/api/v1/events: status 429', '/api/v1/system/info: status 503']);
});

it('begins no session that the server refuses', async () => {
  const { address } = await startConsole(0);
  const { call } = await operator();
  await expect(call.begin(address, 'wrong')).rejects.toThrow('No session was given');
});
