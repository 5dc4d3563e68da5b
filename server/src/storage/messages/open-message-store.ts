import type { Storage } from '../storage.ts';
import { KyselyMessageStore, type MessageStoreOptions } from './kysely-message-store.ts';
import type { MessageQueue } from './message-queue.ts';
import { PostgresMessageQueue } from './postgres-message-queue.ts';
import { SqliteMessageQueue } from './sqlite-message-queue.ts';

/** The ledger of a storage. With PostgreSQL, this also creates or updates the tables of the queue. */
export async function openMessageStore(storage: Storage, options?: MessageStoreOptions): Promise<KyselyMessageStore> {
  const queue = await openQueue(storage);
  const { owner } = storage.ownership;
  return new KyselyMessageStore(storage.database, storage.engine, queue, {
    webhookWaitMs: 0,
    owner,
    ...options,
  });
}

async function openQueue({ database, engine, onClose }: Storage): Promise<MessageQueue> {
  if (engine === 'sqlite') return new SqliteMessageQueue(database);
  const queue = await PostgresMessageQueue.open(database);
  onClose(() => queue.close());
  return queue;
}
