import { PassThrough, type Readable } from 'node:stream';
import { ParleyError } from '@parley/sdk';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { expectedBytes, hasBody } from './request-body.ts';

export interface OpenBodyLimits {
  /** All bodies of callers without a credential that arrive at the same time, bytes; as much again of those with one. */
  inAll: number;
  /** Larger bodies are read a few at a time, elsewhere. */
  largest: number;
}

/** Seconds after which a caller that was refused may try again. */
const retryAfterSeconds = 5;
/** Part of the room that large bodies of callers without a credential may fill: few of them are genuine. */
const anonymousShare = 1 / 4;
/** Bytes of a body that never waits for room. */
const smallBody = 64 * 1024;
/** Larger bodies that wait for room. */
const longestQueue = 64;
/** How long a body keeps its room while others wait for it, milliseconds. */
const shortestStay = 500;

/**
 * Bounds the memory of bodies while they arrive. The connection of one that nobody would read is closed. Uploads go to the
 * disk, and are not counted.
 */
export function limitOpenBodies(server: FastifyInstance, { inAll, largest }: OpenBodyLimits): void {
  const [anonymous, known] = [new OpenBodies(inAll, inAll * anonymousShare), new OpenBodies(inAll, inAll)];
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const bytes = expectedBytes(request);
    if (request.is404 && hasBody(request)) return done(new ParleyError('not_found', 'Not found'));
    if (bytes === 0 || bytes > largest || request.routeOptions.config.idempotency === 'upload') {
      return done(null, payload);
    }
    const bodies = request.principal === null ? anonymous : known;
    bodies.receive(payload as Readable, bytes).then((body) => done(null, body), done);
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    if (isOpen(request) && isUnread(request)) {
      reply.header('connection', 'close');
      // Node.js would go on reading the body, only to drop it.
      reply.raw.once('finish', () => request.raw.socket.destroy());
    }
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
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > smallBody;
}

/**
 * Bodies and the room that they may fill. A large one is not read before there is room for all of it. While others wait,
 * the one that began first gives way: whoever means to send a body sends it at once, and those who hold bodies open do not
 * keep others from being heard. That happens at a bounded pace, so that a flood of bodies costs little.
 */
class OpenBodies {
  readonly #room: number;
  readonly #largeRoom: number;
  /** In the order in which they began. */
  readonly #open = new Set<OpenBody>();
  readonly #waiting = new Set<OpenBody>();
  #filled = 0;
  #filledByLarge = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param room of all bodies, bytes
   * @param largeRoom the part of it that large ones may fill
   */
  constructor(room: number, largeRoom: number) {
    this.#room = room;
    this.#largeRoom = largeRoom;
  }

  /**
   * Waits until there is room for a body.
   * @param bytes the most that will be read of it
   * @returns what to read instead of it
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
    // Who came last is likeliest to be there still.
    for (const waiting of [...this.#waiting].reverse()) {
      if (!this.#hasRoom(waiting)) break;
      this.#waiting.delete(waiting);
      this.#begin(waiting);
    }
    this.#plan();
  }

  /** Has the body that began first give way, as soon as it had its time. */
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
  /** Room that it takes. */
  readonly bytes: number;
  readonly #admission = Promise.withResolvers<void>();
  readonly #payload: Readable;
  begunAt = 0;

  constructor(payload: Readable, bytes: number) {
    super();
    this.bytes = bytes;
    this.#payload = payload;
    // A body that nobody reads any more may still break.
    this.on('error', () => {});
    payload.once('error', (error) => this.destroy(error)).once('close', () => this.#leave());
  }

  get isLarge(): boolean {
    return this.bytes > smallBody;
  }

  /** Resolves when it may be read; rejects with why it may not. */
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

  /** The connection is gone. What arrived as a whole is still read. */
  #leave(): void {
    if (!this.#payload.readableEnded) this.destroy();
  }
}
