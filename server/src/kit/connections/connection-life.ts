import { ParleyError } from '@parley/sdk';

/** What connects one bot to its platform. */
export interface StartableConnection {
  start(): Promise<void>;
  /** Ends a `start` that is going on, too. */
  stop(): Promise<void>;
}

/** The connection of an adapter from a start to a stop, however often these are called and in which order. */
export class ConnectionLife<Connection extends StartableConnection> {
  readonly #create: () => Connection;
  #present: { connection: Connection; started: Promise<void> } | null = null;
  #isUp = false;

  constructor(create: () => Connection) {
    this.#create = create;
  }

  /** Resolves when the connection is up. @throws why it is not; it is stopped then */
  async start(): Promise<void> {
    if (this.#present === null) {
      const connection = this.#create();
      this.#present = { connection, started: connection.start() };
    }
    const present = this.#present;
    try {
      await present.started;
      if (this.#present === present) this.#isUp = true;
    } catch (error) {
      if (this.#present === present) await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    const present = this.#present;
    this.#present = null;
    this.#isUp = false;
    await present?.connection.stop();
    await present?.started.catch(() => undefined);
  }

  /** The connection since its start began; null after a stop. */
  get present(): Connection | null {
    return this.#present?.connection ?? null;
  }

  /** The connection that is up. @throws ParleyError `bot_not_running` */
  get up(): Connection {
    if (this.#present === null || !this.#isUp) {
      throw new ParleyError('bot_not_running', 'The bot is not connected to its platform');
    }
    return this.#present.connection;
  }
}

/** As {@link ConnectionLife}, for a connection that exists once it is made. */
export class MadeConnectionLife<Connection extends Pick<StartableConnection, 'stop'>> {
  readonly #life: ConnectionLife<MadeConnection<Connection>>;

  /** @param connect rejects when its signal is aborted, if it can */
  constructor(connect: (signal: AbortSignal) => Promise<Connection>) {
    this.#life = new ConnectionLife(() => new MadeConnection(connect));
  }

  start(): Promise<void> {
    return this.#life.start();
  }

  stop(): Promise<void> {
    return this.#life.stop();
  }

  get present(): Connection | null {
    return this.#life.present?.made ?? null;
  }

  get up(): Connection {
    // It is up once it is made.
    return this.#life.up.made as Connection;
  }
}

class MadeConnection<Connection extends Pick<StartableConnection, 'stop'>> implements StartableConnection {
  readonly #connect: (signal: AbortSignal) => Promise<Connection>;
  readonly #end = new AbortController();
  /** Null before the start has ended. */
  made: Connection | null = null;

  constructor(connect: (signal: AbortSignal) => Promise<Connection>) {
    this.#connect = connect;
  }

  async start(): Promise<void> {
    const { signal } = this.#end;
    const made = await this.#connect(signal);
    if (signal.aborted) {
      await made.stop();
      throw signal.reason;
    }
    this.made = made;
  }

  async stop(): Promise<void> {
    this.#end.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
    await this.made?.stop();
  }
}
