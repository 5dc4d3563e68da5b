import { PassThrough, type Readable } from 'node:stream';
import { ParleyError } from '@parley/sdk';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { expectedBytes, hasBody } from './request-body.ts';

export interface OpenBodyLimits {
  /** Limit of all unauthenticated bodies that arrive at the same time, bytes; the same again for authenticated ones. */
  inAll: number;
  /** Larger bodies are limited elsewhere. */
  largest: number;
}

/** `Retry-After` of rejected requests, seconds. */
const retryAfterSeconds = 5;
/** Share of the limit that large unauthenticated bodies may use: few of them are genuine. */
const anonymousShare = 1 / 4;
/** Bodies up to this size never wait, bytes. */
const smallBody = 64 * 1024;
/** Larger bodies in the queue. */
const longestQueue = 64;
/** How long a body keeps its space while others wait, milliseconds. */
const shortestStay = 500;

/**
 * Bounds the memory of arriving bodies. The connection of an unread body is closed. Uploads are streamed to the disk
 * and not counted.
 */
export function limitOpenBodies(server: FastifyInstance, { inAll, largest }: OpenBodyLimits): void {
  const [anonymous, authenticated] = [new OpenBodies(inAll, inAll * anonymousShare), new OpenBodies(inAll, inAll)];
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const bytes = expectedBytes(request);
    if (request.is404 && hasBody(request)) return done(new ParleyError('not_found', 'Not found'));
    if (bytes === 0 || bytes > largest || request.routeOptions.config.idempotency === 'upload') {
      return done(null, payload);
    }
    const bodies = request.principal === null ? anonymous : authenticated;
    bodies.receive(payload as Readable, bytes).then((body) => done(null, body), done);
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    if (isOpen(request) && isUnread(request)) {
      reply.header('connection', 'close');
      // Node.js would continue to read the body, only to drop it.
      reply.raw.once('finish', () => request.raw.socket.destroy());
    }
    done(null, payload);
  });
}

function isOpen({ routeOptions }: FastifyRequest): boolean {
  const { access } = routeOptions.config;
  return access === undefined || access === 'open';
}

/** Whether much of the body has yet to arrive. */
function isUnread({ raw, headers }: FastifyRequest): boolean {
  if (raw.complete !== false) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > smallBody;
}

/**
 * Admits bodies to the limited memory. A large body is not read before there is space for all of it. While others wait,
 * the oldest body is evicted: genuine clients send a body at once, and clients that hold bodies open must not block
 * others. Evictions are rate-limited, so that a flood of bodies costs little.
 */
class OpenBodies {
  readonly #room: number;
  readonly #largeRoom: number;
  /** In the order of admission. */
  readonly #open = new Set<OpenBody>();
  readonly #waiting = new Set<OpenBody>();
  #filled = 0;
  #filledByLarge = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param room of all bodies, bytes
   * @param largeRoom the part of it for large ones
   */
  constructor(room: number, largeRoom: number) {
    this.#room = room;
    this.#largeRoom = largeRoom;
  }

  /**
   * Waits for space for a body.
   * @param bytes the maximum that will be read of it
   * @returns the stream to read instead of it
   * @throws ParleyError `overloaded`
   */
  async receive(payload: Readable, bytes: number): Promise<Readable> {
    const body = new OpenBody(payload, bytes <= smallBody ? bytes : Math.min(bytes, this.#largeRoom));
    body.once('close', () => this.#release(body));
    if (!body.isLarge || this.#hasRoom(body)) this.#begin(body);
    else this.#wait(body);
    for (const oldest of this.#open) {
      if (this.#filled <= this.#room) break;
      this.#refuse(oldest);
    }
    await body.admitted;
    return body;
  }

  #hasRoom({ bytes }: OpenBody): boolean {
    return this.#filled + bytes <= this.#room && this.#filledByLarge + bytes <= this.#largeRoom;
  }

  #begin(body: OpenBody): void {
    this.#filled += body.bytes;
    if (body.isLarge) this.#filledByLarge += body.bytes;
    this.#open.add(body);
    body.begin();
  }

  #wait(body: OpenBody): void {
    this.#waiting.add(body);
    const [first] = this.#waiting;
    if (first !== undefined && this.#waiting.size > longestQueue) this.#refuse(first);
    this.#plan();
  }

  #refuse(body: OpenBody): void {
    body.destroy(new ParleyError('overloaded', 'Too much is being received', { retryAfterSeconds }));
    this.#release(body);
  }

  #release(body: OpenBody): void {
    this.#waiting.delete(body);
    if (!this.#open.delete(body)) return;
    this.#filled -= body.bytes;
    if (body.isLarge) this.#filledByLarge -= body.bytes;
    // The latest arrival is the most likely to be still connected.
    for (const waiting of [...this.#waiting].reverse()) {
      if (!this.#hasRoom(waiting)) break;
      this.#waiting.delete(waiting);
      this.#begin(waiting);
    }
    this.#plan();
  }

  /** Evicts the oldest body, once it had its time. */
  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) return;
    const [oldest] = this.#open;
    const first = this.#open.values().find(({ isLarge }) => isLarge) ?? oldest;
    if (first === undefined) return;
    const left = first.begunAt + shortestStay - performance.now();
    this.#timer = setTimeout(() => this.#refuse(first), Math.max(left, 0)).unref();
  }
}

/** Passes a body on once it is admitted. */
class OpenBody extends PassThrough {
  /** Reserved space, bytes. */
  readonly bytes: number;
  readonly #admission = Promise.withResolvers<void>();
  readonly #payload: Readable;
  begunAt = 0;

  constructor(payload: Readable, bytes: number) {
    super();
    this.bytes = bytes;
    this.#payload = payload;
    // A body that is no longer read may still fail.
    this.on('error', () => {});
    payload.once('error', (error) => this.destroy(error)).once('close', () => this.#leave());
  }

  get isLarge(): boolean {
    return this.bytes > smallBody;
  }

  /** Resolves when the body may be read; rejects with the error. */
  get admitted(): Promise<void> {
    return this.#admission.promise;
  }

  begin(): void {
    this.begunAt = performance.now();
    this.#payload.pipe(this);
    this.#admission.resolve();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#admission.reject(error ?? new ParleyError('client_closed_request', 'The client went away'));
    super._destroy(error, done);
  }

  /** The connection is closed. What arrived completely is still read. */
  #leave(): void {
    if (!this.#payload.readableEnded) this.destroy();
  }
}
