import {
  type ListenAddress,
  type Logger,
  ParleyError,
  type Reason,
  type SocketConnection,
  type SocketDecision,
  type SocketListener,
  type SocketRequest,
} from '@parley/sdk';

/** Takes a websocket after its handshake. */
export type TakeSocket = (socket: SocketConnection) => void;

/**
 * Listens for websockets on an address of its own.
 * @param accept called before anything of a socket is read; its ParleyError refuses the socket
 * @throws ParleyError `invalid_request` when the address cannot be used
 */
export type ListenForSockets = (
  address: ListenAddress,
  accept: (request: SocketRequest) => TakeSocket,
) => Promise<SocketListener>;

/** How many websockets platforms may have open, and have. */
export class SocketCount {
  readonly #perBot: number;
  readonly #inAll: number;
  #open = 0;

  constructor(limits: { perBot: number; inAll: number }) {
    this.#perBot = limits.perBot;
    this.#inAll = limits.inAll;
  }

  /** @throws ParleyError `too_many_requests` when a bot with `own` sockets may not have another one */
  check(own: number): void {
    if (own < this.#perBot && this.#open < this.#inAll) return;
    const limit = own < this.#perBot ? `${this.#open} in all` : `${own} of this bot`;
    throw new ParleyError('too_many_requests', `Too many open sockets: ${limit}`, { retryAfterSeconds: 30 });
  }

  add(socket: SocketConnection): void {
    this.#open += 1;
    void socket.closed.then(() => {
      this.#open -= 1;
    });
  }
}

export interface BotSocketsOptions {
  bot_uuid: string;
  listen: ListenForSockets;
  count: SocketCount;
  /** Gives a socket that is checked before each message. Default: the same. */
  fenced?: ((socket: SocketConnection) => SocketConnection) | undefined;
  logger: Logger;
}

const refusals: Record<Extract<SocketDecision, { status: number }>['status'], [Reason, string]> = {
  400: ['invalid_request', 'The bot does not accept this request'],
  401: ['invalid_signature', 'The credentials are missing or wrong'],
  403: ['forbidden', 'The bot does not accept this client'],
  404: ['not_found', 'There is nothing at this path'],
};

/** Close code "service restart": the platform may connect again, perhaps to another replica. */
const serviceRestart = 1012;

/** The websockets that a platform opens to one connection of a bot. They end with it. */
export class BotSockets {
  readonly #options: BotSocketsOptions;
  readonly #open = new Set<SocketConnection>();
  readonly #listeners = new Set<SocketListener>();
  #isClosed = false;

  constructor(options: BotSocketsOptions) {
    this.#options = options;
  }

  /**
   * Lets the adapter decide on a socket.
   * @returns what takes it, to be called at once
   * @throws ParleyError that refuses it; `too_many_requests`, `bot_not_running`
   */
  accept(decide: () => SocketDecision): TakeSocket {
    if (this.#isClosed) throw stopped();
    const decision = this.#guarded(decide);
    if (typeof decision !== 'function') throw new ParleyError(...(refusals[decision.status] ?? refusals[400]));
    this.#options.count.check(this.#open.size);
    return (socket) => {
      this.#options.count.add(socket);
      this.#open.add(socket);
      void socket.closed.then(() => this.#open.delete(socket));
      try {
        this.#guarded(() => decision(this.#options.fenced?.(socket) ?? socket));
      } catch {
        socket.terminate();
      }
    };
  }

  /** As `listen` of a platform's context. */
  async listen(address: ListenAddress, accept: (request: SocketRequest) => SocketDecision): Promise<SocketListener> {
    if (this.#isClosed) throw stopped();
    const listener = await this.#options.listen(address, (request) => this.accept(() => accept(request)));
    const close = () => {
      this.#listeners.delete(listener);
      return listener.close();
    };
    this.#listeners.add(listener);
    // The owner has closed its listeners already.
    if (this.#isClosed) await close();
    return { port: listener.port, close };
  }

  /** Ends all sockets and listeners, in a few seconds. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const socket of this.#open) socket.close(serviceRestart);
    await Promise.all([...this.#listeners].map((listener) => listener.close()));
  }

  /** @throws ParleyError `internal` instead of an unexpected error, which is logged */
  #guarded<Result>(call: () => Result): Result {
    try {
      return call();
    } catch (error) {
      if (error instanceof ParleyError) throw error;
      const { bot_uuid, logger } = this.#options;
      logger.error({ bot: bot_uuid, error }, 'an adapter failed to accept a websocket');
      throw new ParleyError('internal', 'An unexpected fault', { cause: error });
    }
  }
}

function stopped(): ParleyError {
  return new ParleyError('bot_not_running', 'The connection was closed');
}
