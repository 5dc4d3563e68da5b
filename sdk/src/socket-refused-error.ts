import { ParleyError } from './errors.ts';

/** A platform that answered a websocket handshake with an HTTP response. */
export class SocketRefusedError extends ParleyError {
  /** The HTTP status. */
  readonly status: number;
  /** The start of the body, at most 4 kB. */
  readonly body: string;

  constructor(status: number, body: string) {
    super('platform_failed', `The platform refused the connection with HTTP status ${status}`);
    this.name = 'SocketRefusedError';
    this.status = status;
    this.body = body;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof ParleyError && value.name === 'SocketRefusedError';
  }
}
