import { randomUUID } from 'node:crypto';
import { DeliveryError, type SocketConnection } from '@parley/sdk';
import { untilAborted } from '../../lib/waiting.ts';
import { refusedAction } from './action-failure.ts';
import { type Fields, textOf } from './fields.ts';

export interface CallOptions {
  /** Milliseconds. */
  timeoutMs: number;
  /** Ends the wait for a response; its reason is thrown. */
  signal?: AbortSignal;
  /** The action changes nothing, so it may be repeated. Default: false. */
  isRepeatable?: boolean;
}

/** An action that waits for its response. */
interface PendingAction {
  respond(response: Fields): void;
  /** @param end what happened before the response */
  lose(end: string): void;
}

/** The actions that wait for the response of one client socket. */
export class Actions {
  readonly #socket: SocketConnection;
  /** By their echo. */
  readonly #pending = new Map<string, PendingAction>();

  constructor(socket: SocketConnection) {
    this.#socket = socket;
    void socket.closed.then(() => {
      for (const action of this.#pending.values()) action.lose('The connection ended');
    });
  }

  /**
   * Calls an action and waits for its response.
   * @returns the data of the response; undefined when the client accepted the action without one
   * @throws DeliveryError; `unknown` when no response came, because nothing is known of the action then
   */
  async call(
    action: string,
    params: Fields,
    { timeoutMs, signal, isRepeatable = false }: CallOptions,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    const echo = randomUUID();
    const { promise, resolve, reject } = Promise.withResolvers<Fields>();
    // It may fail when no caller waits any more.
    promise.catch(() => undefined);
    const lose = (end: string) => {
      const text = `${end} before the QQ client responded to ${action}`;
      reject(new DeliveryError('unknown', 'platform_failed', text, { isRepeatable }));
    };
    this.#pending.set(echo, { respond: resolve, lose });
    const timer = setTimeout(lose, timeoutMs, 'The time was over');
    try {
      await this.#socket.send(JSON.stringify({ action, params, echo }));
      const response = await (signal ? untilAborted(promise, signal) : promise);
      if (!isSuccess(response)) throw refusedAction(action, response);
      return response.data;
    } finally {
      clearTimeout(timer);
      this.#pending.delete(echo);
    }
  }

  /** Takes the response of a client. One that no call waits for is ignored. */
  settle(response: Fields): void {
    this.#pending.get(textOf(response.echo))?.respond(response);
  }
}

function isSuccess({ status, retcode }: Fields): boolean {
  return status === 'ok' || status === 'async' || (status === undefined && retcode === 0);
}
