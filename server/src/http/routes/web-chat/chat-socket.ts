import type { Reason } from '@parley/sdk';
import type { BrowserSocket } from '@parley/sdk/internal';
import type { WebSocket } from 'ws';
import { errorAnswer } from '../../error-mapping.ts';

/** A client that sends more frames than this before it is connected is disconnected. */
const maximumEarlyFrames = 100;

const policyViolation = 1008;
const tryAgainLater = 1013;
/** Temporary errors; all others persist until the client changes something. */
const passing: ReadonlySet<Reason> = new Set(['too_many_requests', 'storage_unavailable', 'not_ready', 'internal']);

/** The socket of a web chat client. Buffers frames until they are read. */
export class ChatSocket {
  readonly #socket: WebSocket;
  readonly #early: string[] = [];
  #listener: ((text: string) => void) | null = null;
  #isRefused = false;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#receive(data.toString()));
    // A broken connection closes; no client is left to notify.
    socket.on('error', () => {});
  }

  /** Sends why the client cannot stay connected, and closes. Later frames are ignored. */
  refuse(error: unknown, requestId: string): void {
    const { body } = errorAnswer(error, requestId);
    this.#send(JSON.stringify({ type: 'error', message: body.msg, reason: body.reason }));
    this.#isRefused = true;
    this.#socket.close(passing.has(body.reason) ? tryAgainLater : policyViolation, body.reason);
  }

  /** Calls back when the socket is closed, immediately if it already is. */
  onClose(listener: () => void): void {
    if (this.#socket.readyState === this.#socket.CLOSED) listener();
    else this.#socket.once('close', listener);
  }

  transport(): Pick<BrowserSocket, 'send' | 'bufferedBytes' | 'close' | 'onMessage' | 'onClose'> {
    return {
      send: (text) => this.#send(text),
      bufferedBytes: () => this.#socket.bufferedAmount,
      close: (code, reason) => this.#socket.close(code, reason),
      onMessage: (listener) => this.#read(listener),
      onClose: (listener) => this.onClose(listener),
    };
  }

  #receive(text: string): void {
    // Clients continue to send until they notice that the server closes.
    if (this.#isRefused) return;
    if (this.#listener !== null) this.#listener(text);
    else if (this.#early.push(text) > maximumEarlyFrames) this.#socket.close(tryAgainLater, 'writing too fast');
  }

  #read(listener: (text: string) => void): void {
    if (this.#isRefused) return;
    this.#listener = listener;
    for (const text of this.#early.splice(0)) listener(text);
  }

  #send(text: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(text);
  }
}
