import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '@parley/sdk';
import type { CallHandlers } from '../core/replicas/peer-calls.ts';
import { elapsed } from '../lib/elapsed.ts';
import { findStorageError } from '../lib/storage-error.ts';
import { inTime } from '../lib/waiting.ts';
import { type CallAnswer, errorParts, type Refusal } from './answers.ts';
import { SeenNonces } from './seen-nonces.ts';
import { answerSignature, type CallHead, digestOf, openedHead, signatureHeader } from './signed-calls.ts';

export interface PeerServerOptions {
  /** Of calls between replicas, 32 bytes. */
  key: Buffer;
  /** The id of this replica. */
  id: () => string;
  /** The database's time, milliseconds since 1970. */
  present: () => number;
  handlers: CallHandlers;
  logger: Logger;
}

/** How far the time of a call may be from the database's time, milliseconds. */
export const callWindow = 60_000;
/** The largest body, bytes: a message with its files. */
export const maximumBody = 24 * 1024 * 1024;
/** Of all bodies that arrive at the same time, bytes. */
const maximumOpen = 4 * maximumBody;
/** Time for a whole request to arrive, and for an idle connection, milliseconds. */
const arrival = 30_000;
const idle = 15_000;
const maximumConnections = 256;
/** How long a stop waits for calls that were cut off, milliseconds. */
const patience = 1000;

const statuses: Record<Refusal, number> = {
  unsigned: 401,
  other_addressee: 421,
  late: 401,
  repeated: 409,
  too_large: 413,
  broken: 400,
  unknown_call: 404,
  busy: 503,
};

/** Takes the calls of other replicas, on a port of its own. */
export class PeerServer {
  readonly #options: PeerServerOptions;
  readonly #server: Server;
  // A call is taken for as long as the window lasts after its time, which may be ahead by as much.
  readonly #nonces = new SeenNonces(2 * callWindow);
  readonly #running = new Set<Promise<void>>();
  #open = 0;

  private constructor(options: PeerServerOptions) {
    this.#options = options;
    this.#server = createServer(
      {
        requestTimeout: arrival,
        headersTimeout: 5000,
        keepAliveTimeout: idle,
        connectionsCheckingInterval: 1000,
        maxHeaderSize: 8192,
      },
      (request, response) => this.#take(request, response),
    );
    this.#server.maxConnections = maximumConnections;
  }

  /**
   * Listens for other replicas.
   * @returns the server, and where they reach it: `http://10.0.0.2:5310`
   * @throws Error of the system
   */
  static async listen(host: string, port: number, options: PeerServerOptions) {
    const server = new PeerServer(options);
    await server.#listen(host, port);
    // A server that listens on a port has such an address.
    const { port: listening } = server.#server.address() as AddressInfo;
    return { server, address: `http://${host.includes(':') ? `[${host}]` : host}:${listening}` };
  }

  async #listen(host: string, port: number): Promise<void> {
    const listening = Promise.withResolvers<void>();
    this.#server.once('error', listening.reject);
    this.#server.listen(port, host, listening.resolve);
    await listening.promise;
    this.#server.off('error', listening.reject);
    // One that cannot be accepted is tried again by who opened it.
    this.#server.on('error', (error) => this.#options.logger.warn({ error }, 'the port for replicas has a fault'));
  }

  /** Takes no more calls, and waits for those that run for a time, milliseconds; then they are cut off. */
  async close(graceMs: number): Promise<void> {
    const closed = Promise.withResolvers<void>();
    this.#server.close(() => closed.resolve());
    this.#server.closeIdleConnections();
    const ended = () => Promise.all(this.#running);
    await inTime(ended(), graceMs, () => undefined);
    this.#server.closeAllConnections();
    await closed.promise;
    // What was aborted.
    await inTime(ended(), patience, () => undefined);
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    // A connection that breaks closes, which is listened for.
    request.on('error', () => {});
    response.on('error', () => {});
    const running = this.#answer(request, response)
      .catch((error: unknown) => {
        this.#options.logger.error({ error }, 'a call of another replica failed');
        response.destroy();
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const head = openedHead(this.#options.key, request.headers);
    if (head === null) return this.#refuse(response, null, 'unsigned');
    const refusal = this.#fault(head, request);
    if (refusal !== null) return this.#refuse(response, head, refusal);
    this.#open += head.length;
    let body: Buffer | null;
    try {
      body = await bodyOf(request, head.length);
    } finally {
      this.#open -= head.length;
    }
    if (body === null || digestOf(body) !== head.digest) return this.#refuse(response, head, 'broken');
    if (!this.#nonces.use(head.nonce, elapsed())) return this.#refuse(response, head, 'repeated');
    const payload = parsed(body);
    if (payload === undefined) return this.#refuse(response, head, 'broken');
    const handle = this.#options.handlers.find(head.name, payload);
    if (handle === null) return this.#refuse(response, head, 'unknown_call');
    const left = new AbortController();
    response.once('close', () => left.abort(new Error('The replica that called does not wait any more')));
    const { from, principal } = head;
    const answer = await handle({ from, principal, signal: left.signal }).then(
      (result) => ({ result: result ?? null }),
      (error: unknown) => this.#failed(head, error),
    );
    this.#send(response, head, 200, answer);
  }

  /** Why a call is refused before its body is read. */
  #fault({ to, time, nonce, length }: CallHead, request: IncomingMessage): Refusal | null {
    const { id, present } = this.#options;
    if (to !== id()) return 'other_addressee';
    if (Math.abs(time - present()) > callWindow) return 'late';
    if (this.#nonces.has(nonce)) return 'repeated';
    if (length > maximumBody) return 'too_large';
    if (request.method !== 'POST' || Number(request.headers['content-length']) !== length) return 'broken';
    return this.#open + length > maximumOpen ? 'busy' : null;
  }

  #failed({ name }: CallHead, error: unknown): CallAnswer {
    const fault = findStorageError(error);
    if (fault?.kind === 'unavailable') {
      return { error: { reason: 'storage_unavailable', message: 'The other replica cannot store data right now' } };
    }
    const parts = errorParts(error);
    if (parts.reason === 'internal')
      this.#options.logger.error({ call: name, error }, 'a call of another replica failed');
    return { error: parts };
  }

  #refuse(response: ServerResponse, head: CallHead | null, refused: Refusal): void {
    if (refused !== 'busy')
      this.#options.logger.warn({ refused, from: head?.from }, 'refused a call of another replica');
    // What it still sends is not read.
    response.shouldKeepAlive = false;
    this.#send(response, head, statuses[refused], { refused });
  }

  #send(response: ServerResponse, head: CallHead | null, status: number, answer: CallAnswer): void {
    const body = Buffer.from(JSON.stringify(answer));
    if (head !== null) {
      response.setHeader(signatureHeader, answerSignature(this.#options.key, head.nonce, status, body));
    }
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  }
}

/** Null when it is not as long as was said. */
async function bodyOf(request: IncomingMessage, length: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > length) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return size === length ? Buffer.concat(chunks) : null;
}

/** Undefined for what is no JSON. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
