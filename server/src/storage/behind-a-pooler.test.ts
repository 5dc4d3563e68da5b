import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FreshDatabase } from '../../test/postgres/fresh-database.ts';
import { startReplica } from '../../test/postgres/start-replica.ts';
import { migratedDatabase } from '../../test/postgres/test-database.ts';
import { startTransactionPooler, type TransactionPooler } from '../../test/postgres/transaction-pooler.ts';
import { conversationKey, messageEvent } from '../../test/stores/ledger-records.ts';
import { answered, answerOf, noRecord, partOf, sent, times } from '../../test/stores/ledger-steps.ts';
import { openLedger } from './messages/open-ledger.ts';
import { connectionsOf, openPostgres } from './postgres-database.ts';
import { sessionName } from './replicas/replica-statements.ts';
import { openStorage, type Storage, type StorageOptions } from './storage.ts';

describe('behind a pooler of transactions', () => {
  let database: FreshDatabase;
  let pooler: TransactionPooler;
  let folder: string;
  const ends: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    database = await migratedDatabase();
    pooler = await startTransactionPooler(database.url, 4);
    folder = mkdtempSync(join(tmpdir(), 'parley-pooler-'));
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    await pooler.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });
  const open = async (name: string, options: Partial<StorageOptions> = {}): Promise<Storage> => {
    const place = { dataDir: join(folder, name), databaseUrl: pooler.url, databaseNamedStatements: false };
    const storage = await openStorage(Object.assign(place, options));
    ends.push(() => storage.close());
    return storage;
  };

  it('two replicas answer messages, and leave nothing in its sessions', async () => {
    const storages = [await open('first'), await open('second')] as const;
    expect(storages.map(({ connections }) => connections)).toEqual([null, null]);
    const ledgers = await Promise.all(storages.map((storage) => openLedger(storage)));
    const count = 60;
    const ended = await Promise.all(
      ledgers.map(async (ledger, replica) => {
        await times(count, (index) => {
          const session_id = `${replica} ${index}`;
          return ledger.messages.accept(conversationKey({ session_id }), messageEvent(session_id, { session_id }));
        });
        const texts: string[] = [];
        for (;;) {
          const messages = await ledger.messages.claim({ except: [] }, 16);
          if (messages.length === 0) return texts;
          await Promise.all(
            messages.map(async (message) => {
              const { message: answer } = await ledger.deliveries.finishAnswer(message, answerOf('yes'), noRecord);
              const end = { answer: { uuid: answer.uuid, piece: 0, delivery: sent }, merged: [], record: null };
              await ledger.deliveries.beginDelivery(partOf(answer.uuid, 0, message));
              expect(await ledger.messages.settle(message, answered, end)).not.toBeNull();
              texts.push(message.text);
            }),
          );
        }
      }),
    );
    const all = ledgers.flatMap((_, replica) => Array.from({ length: count }, (__, index) => `${replica} ${index}`));
    expect(ended.flat().toSorted()).toEqual(all.toSorted());
    expect(pooler.switches()).toBeGreaterThan(20);
    for (const { replica } of storages) expect(replica.mayWork).toBe(true);
    for (const end of ends.splice(0)) await end();
    expect(await pooler.leftSettings()).toEqual([]);
  });

  it('named statements are what it does not keep', async () => {
    const storage = await open('first', { databaseNamedStatements: true });
    const ledger = await openLedger(storage);
    const accept = (session_id: string) =>
      ledger.messages.accept(conversationKey({ session_id }), messageEvent('word', { session_id }));
    const all = async () => {
      for (let index = 0; index < 20; index += 1) await accept(`${index}`);
    };
    await expect(all()).rejects.toThrow(/prepared statement/);
  });

  it('a takeover ends no sessions, which the pooler may have given to others', async () => {
    const dead = await startReplica(pooler.url);
    const { id } = dead.replica;
    // As a pooler names its connection after the client that had it first.
    const others = new Client({ connectionString: database.url, application_name: sessionName(id) });
    await others.connect();
    ends.push(() => others.end());
    const living = await startReplica(pooler.url);
    ends.push(() => living.close());
    await dead.close();
    await others.query("update replicas set state = 'live' where id = $1", [id]);
    await expect.poll(() => living.seen, { timeout: 5000 }).toContain('takeover');
    expect((await others.query('select 1 as there')).rows).toEqual([{ there: 1 }]);
  });

  it('is noticed, and the connections of the server are only counted without it', async () => {
    const [direct, pooled] = await Promise.all([openPostgres(database.url), openPostgres(pooler.url)]);
    ends.push(
      () => direct.destroy(),
      () => pooled.destroy(),
    );
    expect([await direct.isDirect(), await pooled.isDirect()]).toEqual([true, false]);
    await open('many', { databasePoolSize: 500 });
    const refused = open('too many', { databasePoolSize: 500, databaseUrl: database.url });
    await expect(refused).rejects.toThrow(
      `connections and this process may need ${connectionsOf(500)}: lower PARLEY_DATABASE_POOL_SIZE`,
    );
    const { connections } = await open('few', { databasePoolSize: 4, databaseUrl: database.url });
    expect(connections).toEqual({ perReplica: 9, available: expect.any(Number) });
    expect(connections?.available).toBeGreaterThan(100);
  });
});
