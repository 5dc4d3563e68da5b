import { beforeEach, expect, it } from 'vitest';
import { addBot } from '../../../test/stores/add-bot.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { enterReplica } from '../../../test/stores/replicas.ts';
import { botLease } from '../../core/replicas/leases.ts';
import { secondsFromNow } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { forgetEndedReplicas, forgetLeases, listReplicas } from './replica-list.ts';

describeOnEachEngine('the list of replicas', (storage) => {
  const end = (id: string, ended_at: string, ended_by: string) =>
    storage()
      .database.updateTable('replicas')
      .set({ state: 'ended', ended_at, ended_by })
      .where('id', '=', id)
      .execute();
  const lease = (name: string, replica: string | null) =>
    storage().database.insertInto('leases').values({ name, replica, token: 1 }).execute();

  beforeEach(async () => {
    const { database, replica } = storage();
    await database.deleteFrom('leases').execute();
    await database.deleteFrom('replicas').where('id', '<>', replica.id).execute();
  });

  it('has those that live and those that ended lately, with what they hold and how they ended', async () => {
    const { database, replica, engine } = storage();
    const [living, stopped, dead, old] = [
      await enterReplica(database),
      await enterReplica(database),
      await enterReplica(database),
      await enterReplica(database),
    ];
    await end(stopped.id, secondsFromNow(-60), stopped.id);
    await end(dead.id, secondsFromNow(-3600), living.id);
    await end(old.id, secondsFromNow(-100_000), old.id);
    await lease(botLease('b1'), living.id);
    await lease(botLease('b2'), living.id);
    await lease('alerts', living.id);
    await lease('roll-ups', null);
    // As the other one does while the list is made.
    const beating = setInterval(() => {
      void database
        .updateTable('replicas')
        .set(({ eb }) => ({ beat: eb('beat', '+', 1) }))
        .where('id', '=', living.id)
        .execute();
    }, 10);
    const listed = await listReplicas({ database, engine }, 200).finally(() => clearInterval(beating));
    expect(listed.map(({ id }) => id).toSorted()).toEqual([replica.id, living.id, stopped.id, dead.id].toSorted());
    const found = (id: string) => listed.find((one) => one.id === id);
    expect(found(living.id)).toMatchObject({
      state: 'live',
      is_beating: engine === 'sqlite' ? null : true,
      beat_age_ms: engine === 'sqlite' ? null : expect.any(Number),
      leases: ['alerts', botLease('b1'), botLease('b2')],
      bots: 2,
      duties: ['alerts'],
    });
    expect(found(replica.id)).toMatchObject({
      state: 'live',
      is_beating: engine === 'sqlite' ? null : false,
      beat_age_ms: null,
      bots: 0,
      duties: [],
    });
    expect(found(stopped.id)).toMatchObject({ state: 'ended', is_beating: null, taken_over_by: null });
    expect(found(dead.id)).toMatchObject({ state: 'ended', taken_over_by: living.id });
  });

  it('forgets replicas that ended long ago, and no others', async () => {
    const { database } = storage();
    const [old, later] = [await enterReplica(database), await enterReplica(database)];
    await end(old.id, secondsFromNow(-40 * 86_400), old.id);
    await end(later.id, secondsFromNow(-20 * 86_400), later.id);
    const ids = async () => (await database.selectFrom('replicas').select('id').execute()).map(({ id }) => id);
    const before = await ids();
    expect(await forgetEndedReplicas(database, 0)).toBe(0);
    expect(await forgetEndedReplicas(database, 10)).toBe(1);
    expect(await ids()).toEqual(before.filter((id) => id !== old.id));
  });

  it('forgets the leases of deleted bots that no replica holds', async () => {
    const { database, replica } = storage();
    const uuid = await addBot(storage());
    const [deleted, held] = [newUuid(), newUuid()];
    await lease(botLease(uuid), null);
    await lease(botLease(deleted), null);
    await lease(botLease(held), replica.id);
    await lease('alerts', null);
    expect(await forgetLeases(database, 10)).toBe(1);
    const names = (await database.selectFrom('leases').select('name').execute()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['alerts', botLease(uuid), botLease(held)].toSorted());
  });
});
