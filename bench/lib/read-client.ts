import { connect, type Socket } from 'node:net';
import { createHistogram } from 'node:perf_hooks';

/** What {@link readLoad} gives to this program, and it prints a {@link LoadResult}. */
export interface LoadOrder {
  host: string;
  port: number;
  path: string;
  headers: Record<string, string>;
  /** How long to ask. */
  seconds: number;
  connections: number;
  /** Of every response. */
  body: string;
}

/** Latencies in milliseconds. */
export interface LoadResult {
  requests: number;
  seconds: number;
  p50: number;
  p99: number;
}

/**
 * Reads one address as fast as answers come, over connections that stay open, each with one request at a time. It
 * knows no HTTP but what this takes, so that it is faster than any server that is measured with it. Every response is
 * compared with the first, whose body is known.
 */
const order = JSON.parse(process.argv[2] ?? '') as LoadOrder;
const headerLines = Object.entries({ host: order.host, ...order.headers }).map(
  ([name, value]) => `${name}: ${value}\r\n`,
);
const request = Buffer.from(`GET ${order.path} HTTP/1.1\r\n${headerLines.join('')}\r\n`);
const body = Buffer.from(order.body);
const statusLine = Buffer.from('HTTP/1.1 200 ');

const latencies = createHistogram();
const startedAt = performance.now();
const endsAt = startedAt + order.seconds * 1000;
let requests = 0;
let isOver = false;

/** Bytes of a response with its headers, as those of the same server are; of the first one, from its headers. */
function responseBytes(start: Buffer): number {
  const end = start.indexOf('\r\n\r\n');
  return end < 0 ? Number.POSITIVE_INFINITY : end + 4 + body.length;
}

function check(response: Buffer): void {
  const isRight =
    response.compare(statusLine, 0, statusLine.length, 0, statusLine.length) === 0 &&
    response.compare(body, 0, body.length, response.length - body.length) === 0;
  if (!isRight) throw new Error(`An answer is not the expected one:\n${response}`);
}

function open(): Promise<void> {
  return new Promise((resolve, reject) => {
    let askedAt = 0;
    let expected = 0;
    let received: Buffer = Buffer.alloc(0);
    const ask = (socket: Socket) => {
      askedAt = performance.now();
      if (askedAt < endsAt) {
        socket.write(request);
        return;
      }
      isOver = true;
      socket.destroy();
    };
    const socket = connect({ host: order.host, port: order.port, noDelay: true }, () => ask(socket));
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      if (expected === 0 || expected === Number.POSITIVE_INFINITY) expected = responseBytes(received);
      if (received.length < expected) return;
      check(received);
      received = Buffer.alloc(0);
      requests += 1;
      latencies.record(Math.max(1, Math.round((performance.now() - askedAt) * 1000)));
      ask(socket);
    });
    socket.once('error', reject);
    socket.once('close', () => (isOver ? resolve() : reject(new Error('The server closed a connection'))));
  });
}

await Promise.all(Array.from({ length: order.connections }, open));
console.log(
  JSON.stringify({
    requests,
    seconds: (performance.now() - startedAt) / 1000,
    p50: latencies.percentile(50) / 1000,
    p99: latencies.percentile(99) / 1000,
  } satisfies LoadResult),
);
