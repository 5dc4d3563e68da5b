import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A process behind the balancer. */
export interface Target {
  /** `http://127.0.0.1:5300` */
  address: string;
  /** Id of its process. */
  pid: number;
}

/**
 * Passes each request, and each websocket, to the next process that is ready: nothing sticks to one of them. A request goes to
 * another process only if nothing of it was sent.
 */
export interface Balancer {
  /** `http://127.0.0.1:5300` */
  address: string;
  add(target: Target): void;
  remove(pid: number): void;
  /** Ids of the processes that it passes requests to. */
  targets(): number[];
  /** Whether it asks the processes again and again if they are ready, each of which stores something then. Default: true. */
  isAsking: boolean;
  /** Requests that it could not pass on, that were cut off, or that were answered with a fault of the server; oldest first. */
  failures: readonly string[];
  close(): Promise<void>;
}

/** How often processes are asked whether they are ready, milliseconds. */
const checkMs = 250;
/** Tells who opened a websocket which process has it. */
export const targetHeader = 'x-target-process';

/** @param port of 127.0.0.1; 0 for a free one */
export async function startBalancer(port = 0): Promise<Balancer> {
  const targets = new Map<number, Target & { isReady: boolean }>();
  const sockets = new Set<Socket>();
  const failures: string[] = [];
  const agent = new Agent({ keepAlive: false });
  let turn = 0;
  const order = (): Target[] => {
    const all = [...targets.values()];
    const found = all.filter(({ isReady }) => isReady);
    // A busy machine does not answer its checks in time.
    const ready = found.length > 0 ? found : all;
    turn += 1;
    return ready.map((_, index) => ready[(turn + index) % ready.length] as Target);
  };

  const server = createServer((request, response) => {
    void pass(request, response, order());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request, socket: Socket, head) => {
    void upgrade(request, socket, head, order());
  });

  async function pass(request: IncomingMessage, response: ServerResponse, [target, ...others]: Target[]) {
    const { method = 'GET', url, headers } = request;
    const fail = (why: string) => void failures.push(`${method} ${url}: ${why}`);
    if (target === undefined) {
      fail('no process is ready');
      return void response.writeHead(502).end();
    }
    const onward = sendRequest(`${target.address}${url}`, { method, headers, agent });
    const socket = await connected(onward);
    if (socket === null) return await pass(request, response, others);
    request.pipe(onward);
    onward.on('response', (answer) => {
      const { statusCode = 502 } = answer;
      if (statusCode >= 500) fail(`answered ${statusCode} by ${target.pid}`);
      response.writeHead(statusCode, answer.headers);
      answer.pipe(response);
      answer.on('error', (error) => {
        if (!response.destroyed) fail(`cut off in its answer by ${target.pid}: ${error.message}`);
        response.destroy();
      });
    });
    onward.on('error', (error) => {
      // Unless its client has left.
      if (!response.destroyed) fail(`cut off by ${target.pid}: ${error.message}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    response.on('close', () => onward.destroy());
  }

  async function upgrade(request: IncomingMessage, socket: Socket, head: Buffer, [target, ...others]: Target[]) {
    if (target === undefined) return void socket.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n');
    const onward = connect(Number(new URL(target.address).port), '127.0.0.1');
    onward.on('error', () => undefined);
    const isConnected = await once(onward, 'connect').then(
      () => true,
      () => false,
    );
    if (!isConnected) return await upgrade(request, socket, head, others);
    sockets.add(onward);
    onward.once('close', () => {
      sockets.delete(onward);
      socket.destroy();
    });
    socket.once('close', () => onward.destroy());
    const lines: string[] = [];
    for (let index = 0; index < request.rawHeaders.length; index += 2) {
      lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
    }
    onward.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    onward.write(head);
    socket.pipe(onward);
    onward.once('data', (first: Buffer) => {
      const end = first.indexOf('\r\n');
      socket.write(first.subarray(0, end));
      socket.write(`\r\n${targetHeader}: ${target.pid}`);
      socket.write(first.subarray(end));
      onward.pipe(socket);
    });
  }

  const check = async () => {
    if (!balancer.isAsking) return;
    await Promise.all(
      [...targets.values()].map(async (target) => {
        const isReady = await fetch(`${target.address}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
          ({ ok }) => ok,
          () => false,
        );
        target.isReady = isReady;
      }),
    );
  };
  const checking = setInterval(() => void check(), checkMs);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const balancer: Balancer = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (target) => void targets.set(target.pid, { ...target, isReady: true }),
    remove: (pid) => void targets.delete(pid),
    targets: () => [...targets.values()].filter(({ isReady }) => isReady).map(({ pid }) => pid),
    isAsking: true,
    failures,
    close: async () => {
      clearInterval(checking);
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return balancer;
}

/** @returns the socket of a request once it is connected; null when it cannot be */
async function connected(request: ReturnType<typeof sendRequest>): Promise<Socket | null> {
  return await new Promise((resolve) => {
    request.once('error', () => resolve(null));
    request.once('socket', (socket) => socket.once('connect', () => resolve(socket)));
  });
}
