import type { MessageLedger } from '../../src/core/messages/message-ledger.ts';
import { now } from '../../src/lib/clock.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import type { Database } from '../../src/storage/database.ts';
import type { Claimant } from '../../src/storage/replicas/claimant.ts';
import { SoleReplica } from '../../src/storage/replicas/replica.ts';
import type { TakesOver } from '../../src/storage/replicas/replica-rows.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** Enters another living replica. */
export async function enterReplica(database: Database): Promise<Claimant> {
  const id = newUuid();
  await database
    .insertInto('replicas')
    .values({
      id,
      folder: id,
      version: '',
      address: null,
      state: 'live',
      beat: 0,
      started_at: now(),
      ended_at: null,
      ended_by: null,
    })
    .execute();
  return { id };
}

/** The replica that lives, as of a service; a new one where none does. */
export async function livingReplica(database: Database): Promise<Claimant> {
  const living = await database.selectFrom('replicas').select('id').where('state', '!=', 'ended').executeTakeFirst();
  return living ?? enterReplica(database);
}

/** The same storage as another living replica has it. */
export async function otherReplica(storage: Storage): Promise<Storage> {
  const { id } = await enterReplica(storage.database);
  return { ...storage, replica: new SoleReplica(id) };
}

/** The replica of a storage died and another took its messages over; it goes on as if it had been started under its id. */
export async function afterDeath(
  { database, replica }: Pick<Storage, 'database' | 'replica'>,
  messages: Pick<MessageLedger, 'recover'>,
): Promise<{ messages: number; deliveries: number }> {
  const become = (state: 'live' | 'ended') =>
    database.updateTable('replicas').set({ state }).where('id', '=', replica.id).execute();
  await become('ended');
  const taken = await messages.recover();
  await become('live');
  return taken;
}

/** The storage as the same process has it after a restart, which ended the replica before. */
export async function afterRestart(storage: Storage): Promise<Storage> {
  const next = await otherReplica(storage);
  await takeOver(storage);
  return next;
}

/** A replica is dead, and another takes its rows over. */
export async function takeOver(dead: Storage, ...stores: readonly TakesOver[]): Promise<void> {
  await dead.database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('replicas')
      .set({ state: 'ended', ended_at: now() })
      .where('id', '=', dead.replica.id)
      .execute();
    for (const store of stores) await store.takeOver(transaction);
  });
}
