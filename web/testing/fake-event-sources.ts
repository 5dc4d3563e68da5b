import { vi } from 'vitest';

/** An event stream whose server is the test. */
export class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readonly url: string;
  /** 0 while connecting, 1 while open, 2 when closed. */
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(url: string) {
    super();
    this.url = url;
  }

  close(): void {
    this.readyState = 2;
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  /** The connection breaks; the browser reconnects. */
  breakOff(): void {
    this.readyState = 0;
    this.onerror?.();
  }

  /** The server answers with an error; the browser gives up. */
  refuse(): void {
    this.readyState = 2;
    this.onerror?.();
  }

  /** Sends an event. @param type for example `bot` */
  send(type: string): void {
    this.dispatchEvent(new Event(type));
  }
}

/** Replaces event streams in this test. @returns those that were opened, in order */
export function fakeEventSources(): FakeEventSource[] {
  const opened: FakeEventSource[] = [];
  vi.stubGlobal(
    'EventSource',
    class extends FakeEventSource {
      constructor(url: string) {
        super(url);
        opened.push(this);
      }
    },
  );
  return opened;
}
