import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/**
 * A pooler of transactions, as the strictest of them are: a client has a connection of the server for one transaction or
 * statement, and another one for the next. It keeps no named statements, and sets nothing for a client.
 */
export interface TransactionPooler {
  /** The address of the server, through the pooler. */
  url: string;
  /** How often a client got another connection than for its last transaction. */
  switches(): number;
  /** Settings that clients have left in its connections: pooled sessions must have none. */
  leftSettings(): Promise<string[]>;
  close(): Promise<void>;
}

/** Pause before a connection to the server is tried again, milliseconds. */
const retryMs = 100;

const sslRequest = 80_877_103;
const cancelRequest = 80_877_102;

/** @param size of its connections to the server */
export async function startTransactionPooler(url: string, size: number): Promise<TransactionPooler> {
  const free: ServerConnection[] = [];
  const waiting: ((connection: ServerConnection) => void)[] = [];
  const all = new Set<ServerConnection>();
  let switched = 0;
  const give = (connection: ServerConnection) => {
    if (connection.socket.destroyed) return;
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    else next(connection);
  };
  const closing = new AbortController();
  const { signal } = closing;
  const add = async () => {
    const connection = await ServerConnection.open(url);
    if (signal.aborted) return void connection.socket.destroy();
    all.add(connection);
    connection.socket.once('close', () => {
      all.delete(connection);
      const index = free.indexOf(connection);
      if (index >= 0) free.splice(index, 1);
      connection.ended();
      void replace();
    });
    give(connection);
  };
  /** The server may be away. */
  const replace = async (): Promise<void> => {
    while (!signal.aborted) {
      const isOpen = await add().then(
        () => true,
        () => false,
      );
      if (isOpen) return;
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
  };
  for (let index = 0; index < size; index += 1) await add();
  const sockets = new Set<Socket>();
  // What is written piece by piece would otherwise wait for acknowledgements, 40 ms each.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, {
      // The one that has been free for longest: hardly ever the same again.
      take: () => {
        const found = free.shift();
        return found === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(found);
      },
      give,
      // What a client leaves in a transaction ends with the connection.
      drop: (connection) => {
        connection.socket.destroy();
      },
      switched: () => {
        switched += 1;
      },
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = new URL(url);
  address.port = String((server.address() as AddressInfo).port);
  return {
    url: address.href,
    switches: () => switched,
    leftSettings: async () => {
      const found: string[] = [];
      for (const connection of all) found.push(...(await connection.settings()));
      return found;
    },
    close: async () => {
      closing.abort();
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
      for (const connection of all) connection.socket.destroy();
    },
  };
}

/** A connection to the server that `pg` has opened, whose bytes are passed on. */
class ServerConnection {
  readonly socket: Socket;
  /** Receives each message of the server. */
  take: (message: Buffer) => void = () => {};
  /** Called when the server has ended it. */
  ended: () => void = () => {};

  private constructor(socket: Socket) {
    this.socket = socket;
    const messages = new Messages();
    socket.on('data', (bytes: Buffer) => {
      for (const message of messages.read(bytes)) this.take(message);
    });
    socket.on('error', () => {});
  }

  static async open(connectionString: string): Promise<ServerConnection> {
    const client = new Client({ connectionString, application_name: 'pooler' });
    client.on('error', () => {});
    await client.connect();
    const { stream } = client.connection;
    stream.removeAllListeners('data');
    return new ServerConnection(stream as Socket);
  }

  /** What is set in its session. While it is not in use. */
  async settings(): Promise<string[]> {
    const rows: string[] = [];
    const ended = new Promise<void>((resolve) => {
      this.take = (message) => {
        const type = message.toString('latin1', 0, 1);
        // One column of text.
        if (type === 'D') rows.push(message.toString('utf8', 11));
        if (type === 'Z') resolve();
      };
    });
    const text = "select name from pg_settings where source = 'session'\0";
    const query = Buffer.alloc(5 + text.length);
    query.write(`Q`);
    query.writeInt32BE(4 + text.length, 1);
    query.write(text, 5);
    this.socket.write(query);
    await ended;
    return rows;
  }
}

interface Pool {
  take(): Promise<ServerConnection>;
  give(connection: ServerConnection): void;
  drop(connection: ServerConnection): void;
  switched(): void;
}

function serve(socket: Socket, pool: Pool): void {
  const messages = new Messages();
  let isStarted = false;
  let linked: ServerConnection | null = null;
  let last: ServerConnection | null = null;
  let isLinking = false;
  let isGone = false;
  const unsent: Buffer[] = [];
  /** Answers that end with a status, which the server owes. */
  let owed = 0;
  /** Whether messages were sent that no `Sync` has ended. */
  let isOpen = false;

  const unlink = (isIdle: boolean) => {
    const connection = linked;
    linked = null;
    if (connection === null) return;
    connection.take = () => {};
    connection.ended = () => {};
    if (isIdle) pool.give(connection);
    else pool.drop(connection);
  };
  const pass = () => {
    for (const message of unsent.splice(0)) {
      const type = message.toString('latin1', 0, 1);
      isOpen = type !== 'Q' && type !== 'S';
      if (!isOpen) owed += 1;
      linked?.socket.write(message);
    }
  };
  const answer = (message: Buffer) => {
    socket.write(message);
    if (message.toString('latin1', 0, 1) !== 'Z') return;
    owed -= 1;
    const isIdle = message.toString('latin1', 5, 6) === 'I';
    if (isIdle && owed === 0 && !isOpen) unlink(true);
  };
  const link = async () => {
    isLinking = true;
    const connection = await pool.take();
    isLinking = false;
    if (isGone) return pool.give(connection);
    if (connection.socket.destroyed) return void socket.destroy();
    if (last !== null && last !== connection) pool.switched();
    linked = connection;
    last = connection;
    connection.take = answer;
    connection.ended = () => {
      linked = null;
      socket.destroy();
    };
    pass();
  };
  socket.on('error', () => {});
  socket.on('close', () => {
    isGone = true;
    unlink(false);
  });
  socket.on('data', (bytes: Buffer) => {
    for (const message of messages.read(bytes, isStarted)) {
      if (!isStarted) {
        const code = message.readInt32BE(4);
        if (code === sslRequest) socket.write('N');
        else if (code === cancelRequest) socket.end();
        else {
          isStarted = true;
          socket.write(greeting());
        }
      } else if (message.toString('latin1', 0, 1) === 'X') socket.end();
      else unsent.push(message);
    }
    if (unsent.length === 0) return;
    if (linked !== null) pass();
    else if (!isLinking) void link();
  });
}

/** What a client waits for: it is authenticated, a process id that no session has, and ready for queries. */
function greeting(): Buffer {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(4 + body.length, 1);
    return Buffer.concat([head, body]);
  };
  const parameter = (name: string, value: string) => message('S', Buffer.from(`${name}\0${value}\0`));
  const key = Buffer.alloc(8);
  key.writeInt32BE(2 ** 31 - 1, 0);
  return Buffer.concat([
    message('R', Buffer.alloc(4)),
    parameter('client_encoding', 'UTF8'),
    parameter('standard_conforming_strings', 'on'),
    message('K', key),
    message('Z', Buffer.from('I')),
  ]);
}

/** Cuts what arrives into messages: a letter, except in the first, then the length. */
class Messages {
  #rest: Buffer = Buffer.alloc(0);

  read(bytes: Buffer, hasType = true): Buffer[] {
    const found: Buffer[] = [];
    const start = hasType ? 1 : 0;
    let rest = Buffer.concat([this.#rest, bytes]);
    while (rest.length >= start + 4) {
      const length = start + rest.readInt32BE(start);
      if (rest.length < length) break;
      found.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    this.#rest = rest;
    return found;
  }
}
