import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { ParleyError } from '@parley/sdk';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { expectedBytes, hasBody } from './request-body.ts';

/** Seconds after which a caller that was refused may try again. */
const retryAfterSeconds = 5;
/** A body of more bytes is not received to its end when the request was answered before. */
const worthClosing = 64 * 1024;

/**
 * Bounds the memory of bodies that callers without a credential send, while they arrive. The connection of one that
 * nobody would read is closed.
 * @param limit of all these bodies together, bytes
 */
export function limitOpenBodies(server: FastifyInstance, limit: number): void {
  const bodies = new OpenBodies(limit);
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.is404 && hasBody(request)) done(new ParleyError('not_found', 'Not found'));
    else if (request.principal !== null || expectedBytes(request) === 0) done(null, payload);
    else done(null, bodies.receive(payload as Readable));
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    if (isOpen(request) && isUnread(request)) reply.header('connection', 'close');
    done(null, payload);
  });
}

function isOpen({ routeOptions }: FastifyRequest): boolean {
  const { access } = routeOptions.config;
  return access === undefined || access === 'open';
}

/** Whether much of the body is still to come. */
function isUnread({ raw, headers }: FastifyRequest): boolean {
  if (raw.complete !== false) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > worthClosing;
}

/**
 * Bodies that have begun to arrive. Beyond the limit, the one that began first is refused: whoever means to send a body
 * sends it at once, and those who hold bodies open do not keep others from being heard.
 */
class OpenBodies {
  readonly #limit: number;
  /** In the order in which they began. */
  readonly #open = new Set<OpenBody>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @returns the same body, counted while it is read */
  receive(payload: Readable): Readable {
    const body = new OpenBody((bytes) => this.#grow(bytes));
    this.#open.add(body);
    body.once('close', () => this.#release(body));
    payload.on('error', (error) => body.destroy(error));
    return payload.pipe(body);
  }

  #grow(bytes: number): void {
    this.#bytes += bytes;
    for (const body of this.#open) {
      if (this.#bytes <= this.#limit) return;
      this.#release(body);
      body.destroy(new ParleyError('overloaded', 'Too much is being received', { retryAfterSeconds }));
    }
  }

  #release(body: OpenBody): void {
    if (this.#open.delete(body)) this.#bytes -= body.bytes;
  }
}

/** Passes a body on and counts it. */
class OpenBody extends Transform {
  bytes = 0;
  readonly #onGrowth: (bytes: number) => void;

  constructor(onGrowth: (bytes: number) => void) {
    super();
    this.#onGrowth = onGrowth;
    // A body that nobody reads any more may still break.
    this.on('error', () => {});
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    this.#onGrowth(chunk.length);
    if (this.destroyed) done();
    else done(null, chunk);
  }
}
