// Runs a PGlite with pgvector in a thread of its own, which several connections use in turn. PGlite is one session, so a
// connection has it to itself from the first message of a query to the end of the query, or of its transaction. (The
// socket server that comes with PGlite takes turns message by message: queries of two connections overwrite each
// other's unnamed statements.)
import { createServer, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { ConcurrencyLimit } from '../../src/lib/concurrency-limit.ts';

const sslRequest = 80_877_103;
const cancelRequest = 80_877_102;
/** The type bytes of messages. */
const types = {
  query: 0x51,
  sync: 0x53,
  terminate: 0x58,
  readyForQuery: 0x5a,
  parse: 0x50,
  bind: 0x42,
  describe: 0x44,
  close: 0x43,
};
/** What `Describe` and `Close` are about, if it is a statement. */
const statement = 0x53;
/** What `ReadyForQuery` says outside a transaction. */
const idle = 0x49;

const { dataDir } = workerData as { dataDir: string | null };
const database = await PGlite.create({ ...(dataDir === null ? {} : { dataDir }), extensions: { vector } });
const turns = new ConcurrencyLimit(1);
/** Connections so far. */
let connections = 0;

/** A message with the name of its prepared statement made that of its connection, as names are with PostgreSQL. */
function withOwnName(message: Buffer, connection: number): Buffer {
  const start = startOfName(message);
  if (start === null || message[start] === 0) return message;
  const end = message.indexOf(0, start);
  const renamed = Buffer.concat([message.subarray(0, end), Buffer.from(`_${connection}`), message.subarray(end)]);
  renamed.writeInt32BE(renamed.length - 1, 1);
  return renamed;
}

/** Where the name of the statement is; null if the message has none. */
function startOfName(message: Buffer): number | null {
  switch (message[0]) {
    case types.parse:
      return 5;
    case types.bind:
      // Behind the name of the portal.
      return message.indexOf(0, 5) + 1;
    case types.describe:
    case types.close:
      return message[5] === statement ? 6 : null;
    default:
      return null;
  }
}

/** What a client sends, in pieces that are answered with one `ReadyForQuery`, until it goes. */
async function* readBatches(socket: Socket, connection: number): AsyncGenerator<Uint8Array, void> {
  let received: Buffer = Buffer.alloc(0);
  let batch: Buffer[] = [];
  let isStarted = false;
  for await (const data of socket as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, data]);
    while (true) {
      // Only the first message has no type.
      const typeLength = isStarted ? 1 : 0;
      if (received.length < typeLength + 4) break;
      const length = typeLength + received.readInt32BE(typeLength);
      if (received.length < length) break;
      const message = received.subarray(0, length);
      received = received.subarray(length);
      if (!isStarted) {
        const code = message.readInt32BE(4);
        if (code === cancelRequest) return;
        if (code === sslRequest) {
          socket.write('N');
          continue;
        }
        isStarted = true;
        yield new Uint8Array(message);
        continue;
      }
      if (message[0] === types.terminate) return;
      batch.push(withOwnName(message, connection));
      if (message[0] !== types.sync && message[0] !== types.query) continue;
      yield new Uint8Array(Buffer.concat(batch));
      batch = [];
    }
  }
}

/** @returns whether no transaction is open after it */
async function answer(socket: Socket, batch: Uint8Array): Promise<boolean> {
  let tail: Buffer = Buffer.alloc(0);
  await database.execProtocolRawStream(batch, {
    onRawData: (data) => {
      const copy = Buffer.from(data);
      if (socket.writable) socket.write(copy);
      tail = Buffer.concat([tail, copy]).subarray(-6);
    },
  });
  return tail[0] === types.readyForQuery && tail[5] === idle;
}

async function serve(socket: Socket): Promise<void> {
  connections += 1;
  const batches = readBatches(socket, connections);
  for await (const first of batches) {
    await turns.run(async () => {
      let isIdle = await answer(socket, first);
      while (!isIdle) {
        const next = await batches.next().catch(() => ({ done: true as const, value: undefined }));
        if (next.done === true) {
          await database.exec('rollback');
          return;
        }
        isIdle = await answer(socket, next.value);
      }
    });
  }
}

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => {});
  void serve(socket)
    .catch(() => {})
    .finally(() => socket.destroy());
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as { port: number }).port));
