import type { ServerResponse } from 'node:http';
import type { StateChange, StateEvent, StateEvents } from '../../../core/events/state-events.ts';

/** Between two signs of life, milliseconds. */
const heartbeat = 15_000;
/** How long a client waits before it connects again, milliseconds. */
const reconnectionTime = 3000;
/** Events that are taken from the log at a time. */
const batch = 100;

/** What a stream is opened with. */
export interface StreamOptions {
  /** Null for all. */
  types: ReadonlySet<StateChange['type']> | null;
  /** The last event that the client has; null when it begins. */
  lastEventId: string | null;
}

/** The open streams of state changes, as server-sent events. */
export class EventStreams {
  readonly #events: StateEvents;
  readonly #streams = new Set<EventStream>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(events: StateEvents) {
    this.#events = events;
  }

  /** @param response whose head has been written */
  open(response: ServerResponse, options: StreamOptions): EventStream {
    const stream = new EventStream(response, this.#events, options);
    const unwatch = this.#events.watch(() => stream.pump());
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => this.#beat(), heartbeat).unref();
    response.on('close', () => {
      unwatch();
      this.#streams.delete(stream);
      if (this.#streams.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    stream.begin();
    if (this.#isClosed) stream.end();
    return stream;
  }

  close(): void {
    this.#isClosed = true;
    for (const stream of this.#streams) stream.end();
  }

  #beat(): void {
    for (const stream of this.#streams) stream.beat();
  }
}

/**
 * One client. It is told of events as fast as it reads, out of the log that all share, so nothing is held for it beyond
 * what its connection buffers.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #events: StateEvents;
  readonly #options: StreamOptions;
  /** The last event that was written or passed over. */
  #position: string;
  /** Whether the connection takes nothing more until it was read from. */
  #isFull = false;
  /** Whether it was so at the last beat already. */
  #isStalled = false;

  constructor(response: ServerResponse, events: StateEvents, options: StreamOptions) {
    this.#response = response;
    this.#events = events;
    this.#options = options;
    this.#position = options.lastEventId ?? events.latestId;
    // A connection that broke closes; there is nobody to tell.
    response.on('error', () => {});
    response.on('drain', () => {
      this.#isFull = false;
      this.#isStalled = false;
      this.pump();
    });
  }

  begin(): void {
    this.#write(`retry: ${reconnectionTime}\n\n`);
    this.pump();
    // Whoever loses the connection before the first event goes on from here.
    if (!this.#isFull) this.#write(`id: ${this.#position}\n\n`);
  }

  /** Writes what there is to tell, as far as the connection takes it. */
  pump(): void {
    while (!this.#isFull && !this.#response.writableEnded) {
      const events = this.#events.since(this.#position, batch);
      if (events === null) {
        this.#position = this.#events.latestId;
        this.#write(`id: ${this.#position}\nevent: resync\ndata: {}\n\n`);
        continue;
      }
      if (events.length === 0) return;
      for (const event of events) {
        if (this.#isFull) break;
        this.#position = event.id;
        if (this.#options.types?.has(event.type) ?? true) this.#write(textOf(event));
      }
    }
  }

  /** Shows that the connection is alive, and ends it when nobody reads it. */
  beat(): void {
    if (this.#isStalled) {
      this.#response.destroy();
      return;
    }
    this.#isStalled = this.#isFull;
    // The id spares a client that is only told of some types from missing too many of the others.
    if (!this.#isFull) this.#write(`: still here\nid: ${this.#position}\n\n`);
  }

  end(): void {
    // What a client does not read would hold up the end.
    if (this.#isFull) this.#response.destroy();
    else this.#response.end();
  }

  #write(text: string): void {
    if (!this.#response.writableEnded) this.#isFull = !this.#response.write(text);
  }
}

function textOf({ id, type, created_at, data }: StateEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ ...data, created_at })}\n\n`;
}
