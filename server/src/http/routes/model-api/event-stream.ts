import type { FastifyReply } from 'fastify';

/** Heartbeat interval, milliseconds. */
const heartbeat = 10_000;

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Keeps proxies from buffering events.
  'x-accel-buffering': 'no',
  // A keep-alive connection would delay a stop.
  connection: 'close',
};

/** One event: an optional name, and an object or a string. */
export interface Frame {
  event?: string;
  data: object | string;
}

/**
 * A stream of events to one client. Nothing is written before it is opened, so that an error can still have a status.
 */
export class EventStream {
  readonly #reply: FastifyReply;
  #timer: NodeJS.Timeout | undefined;
  #isFull = false;
  #wasFull = false;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
  }

  get isOpen(): boolean {
    return this.#timer !== undefined;
  }

  /** Whether the send buffer is full. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** @param drained called when the client has read the buffer */
  open(frames: readonly Frame[], drained: () => void): void {
    const { raw } = this.#reply;
    this.#reply.headers(streamHeaders);
    this.#reply.hijack();
    raw.writeHead(200, this.#reply.getHeaders() as Record<string, string>);
    // A broken connection closes; no client is left to notify.
    raw.on('error', () => undefined);
    raw.on('drain', () => {
      this.#isFull = false;
      this.#wasFull = false;
      drained();
    });
    raw.on('close', () => clearInterval(this.#timer));
    this.#timer = setInterval(() => this.#beat(), heartbeat);
    this.write(frames);
  }

  write(frames: readonly Frame[]): void {
    if (frames.length > 0) this.#send(frames.map(textOf).join(''));
  }

  end(frames: readonly Frame[]): void {
    clearInterval(this.#timer);
    this.write(frames);
    this.#reply.raw.end();
  }

  /** Closes the connection of a client that stopped reading. */
  #beat(): void {
    if (this.#wasFull) this.#reply.raw.destroy();
    else if (this.#isFull) this.#wasFull = true;
    else this.#send(': still here\n\n');
  }

  #send(text: string): void {
    const { raw } = this.#reply;
    if (!raw.writableEnded && !raw.destroyed) this.#isFull = !raw.write(text);
  }
}

function textOf({ event, data }: Frame): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}
