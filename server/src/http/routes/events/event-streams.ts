import type { ServerResponse } from 'node:http';
import type { StateChange, StateEvent, StateEvents } from '../../../core/events/state-events.ts';

/** Heartbeat interval, milliseconds. */
const heartbeat = 15_000;
/** Reconnect delay of clients, milliseconds. */
const reconnectionTime = 3000;
/** Events read from the log at a time. */
const batch = 100;

/** Options of a stream. */
export interface StreamOptions {
  /** Null for all. */
  types: ReadonlySet<StateChange['type']> | null;
  /** The last event that the client received; null for a new client. */
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

  /** @param response with its head already written */
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
 * One client. Reads events from the shared log at the speed of the client, so nothing is buffered beyond the send
 * buffer of its connection.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #events: StateEvents;
  readonly #options: StreamOptions;
  /** The last event that was written or skipped. */
  #position: string;
  /** Whether the send buffer is full. */
  #isFull = false;
  /** Whether it was full at the previous heartbeat. */
  #isStalled = false;

  constructor(response: ServerResponse, events: StateEvents, options: StreamOptions) {
    this.#response = response;
    this.#events = events;
    this.#options = options;
    this.#position = options.lastEventId ?? events.latestId;
    // A broken connection closes; no client is left to notify.
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
    // A client that loses the connection before the first event resumes from here.
    if (!this.#isFull) this.#write(`id: ${this.#position}\n\n`);
  }

  /** Writes pending events until the send buffer is full. */
  pump(): void {
    while (!this.#isFull && !this.#response.writableEnded) {
      const events = this.#events.since(this.#position, batch);
      if (events === null) {
        this.#position = this.#events.latestId;
        this.#write(resyncText(this.#position));
        continue;
      }
      if (events.length === 0) return;
      for (const event of events) {
        if (this.#isFull) break;
        this.#position = event.id;
        if (event.type === 'resync') this.#write(resyncText(event.id));
        else if (this.#options.types?.has(event.type) ?? true) this.#write(textOf(event));
      }
    }
  }

  /** Writes a heartbeat, and closes the connection of a client that stopped reading. */
  beat(): void {
    if (this.#isStalled) {
      this.#response.destroy();
      return;
    }
    this.#isStalled = this.#isFull;
    // The id keeps clients of few event types from missing too many of the others.
    if (!this.#isFull) this.#write(`: still here\nid: ${this.#position}\n\n`);
  }

  end(): void {
    // Unread data would delay the end.
    if (this.#isFull) this.#response.destroy();
    else this.#response.end();
  }

  #write(text: string): void {
    if (!this.#response.writableEnded) this.#isFull = !this.#response.write(text);
  }
}

function resyncText(id: string): string {
  return `id: ${id}\nevent: resync\ndata: {}\n\n`;
}

function textOf({ id, type, created_at, data }: StateEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ ...data, created_at })}\n\n`;
}
