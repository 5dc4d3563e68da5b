import { vi } from 'vitest';

/** A websocket whose server is the test. */
export class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  readonly url: string;
  /** 0 until accepted, 1 while open, 3 when closed. */
  readyState = 0;
  /** Frames that the console sent. */
  readonly sent: unknown[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(url: string) {
    this.url = url;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
  }

  /** Accepts the connection and greets, as the server does. */
  accept(): void {
    this.readyState = 1;
    this.onopen?.();
    this.receive({ type: 'connected', connection_id: 'c1', person_id: 'p1' });
  }

  receive(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  /** Ends the connection, or refuses it. @param code 1006 for one that broke */
  drop(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

/** Replaces websockets in this test. @returns those that were opened, in order */
export function fakeSockets(): FakeSocket[] {
  const opened: FakeSocket[] = [];
  vi.stubGlobal(
    'WebSocket',
    class extends FakeSocket {
      constructor(url: string) {
        super(url);
        opened.push(this);
      }
    },
  );
  return opened;
}
