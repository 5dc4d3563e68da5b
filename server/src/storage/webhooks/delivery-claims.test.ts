import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runsTried } from '../../../test/shared/looks-closely.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import { openWebhookFixture, textIn, type WebhookFixture } from '../../../test/stores/webhook-fixture.ts';
import type { ClaimedDelivery, DeliveryProgress } from '../../core/webhooks/webhook-delivery-store.ts';
import { messagePayload } from '../../core/webhooks/webhook-payload.ts';
import type { Storage } from '../storage.ts';
import { KyselyWebhookDeliveryStore } from './kysely-webhook-delivery-store.ts';

const attempt = { started_at: '2026', milliseconds: 1, status: 200, error: null, answer: null };
const delivered: DeliveryProgress = {
  state: 'delivered',
  due_at: null,
  skips: true,
  disables: null,
  paused_until: null,
};
const gone: DeliveryProgress = { ...delivered, state: 'failed', disables: 'gone', paused_until: 9 };

/** A replica and its store of deliveries. */
async function replicaOf(storage: Storage) {
  const replica = await otherReplica(storage);
  return { replica, store: new KyselyWebhookDeliveryStore(replica.database, replica.engine, replica.replica) };
}

describeOnEachEngine('claims of webhook deliveries', (storage) => {
  let fixture: WebhookFixture;
  let webhook: number;
  let first: Awaited<ReturnType<typeof replicaOf>>;
  let second: Awaited<ReturnType<typeof replicaOf>>;
  beforeEach(async () => {
    fixture = await openWebhookFixture(storage());
    webhook = (await fixture.service.create({ name: 'n', url: 'http://127.0.0.1/' })).id;
    first = await replicaOf(storage());
    second = await replicaOf(storage());
  });
  afterEach(() => fixture.stop());

  const soon = () => Date.now() + 1000;
  const claimAll = (store: KyselyWebhookDeliveryStore, limit = 10, running: ClaimedDelivery[] = []) =>
    store.claim(webhook, { now: soon(), limit, running: running.map(({ position }) => position) });
  const claimOne = async (store: KyselyWebhookDeliveryStore) => {
    const [delivery, ...more] = await claimAll(store);
    if (delivery === undefined || more.length > 0) throw new Error('one was to be due');
    return delivery;
  };
  const everything = async () => {
    const { database } = storage();
    return {
      deliveries: await database.selectFrom('webhook_deliveries').selectAll().orderBy('position').execute(),
      attempts: await database.selectFrom('webhook_attempts').selectAll().execute(),
      webhooks: await database.selectFrom('webhooks').selectAll().execute(),
    };
  };

  it('give each due delivery to one of many replicas, those never sent first', async () => {
    const people = Array.from({ length: 20 }, (_, index) => `person ${index}`);
    for (const person of people) for (const text of ['one', 'two']) await fixture.say(text, person);
    const [tried] = await claimAll(first.store, 1);
    await first.store.record(tried as ClaimedDelivery, attempt, { ...delivered, state: 'pending', due_at: 1 }, 1);
    const replicas = [first, second, await replicaOf(storage()), await replicaOf(storage())];
    const claimed = (await Promise.all(replicas.map(({ store }) => claimAll(store, 4)))).flat();
    expect(claimed.every(({ attempts }) => attempts === 0)).toBe(true);
    // Those that another one was claiming at the same time were passed over.
    claimed.push(...(await claimAll(first.store, 20 - claimed.length, claimed)));
    expect(new Set(claimed.map(({ message }) => message.conversation_uuid)).size).toBe(20);
    expect(claimed.every(({ message }) => message.text === 'one')).toBe(true);
    expect(claimed.find(({ position }) => position === tried?.position)).toMatchObject({ attempts: 1, claim: 2 });
    expect(claimed.filter(({ attempts, claim }) => attempts === 0 && claim === 1)).toHaveLength(19);
    expect(await claimAll(second.store, 20, claimed)).toEqual([]);
    expect(await second.store.nextDue(webhook)).toBeNull();
    expect(JSON.stringify(messagePayload(claimed[0] as ClaimedDelivery))).not.toContain('claim');
  });

  it.each(['another replica', 'the same replica'])('of an earlier one store nothing when %s claimed it', async (by) => {
    await fixture.say('one');
    await fixture.say('two');
    const outdated = await claimOne(first.store);
    if (by === 'another replica') await takeOver(first.replica, second.store);
    const store = by === 'another replica' ? second.store : first.store;
    const present = await claimOne(store);
    expect(present).toMatchObject({ position: outdated.position, attempts: 0, claim: outdated.claim + 1 });
    const before = await everything();
    for (const progress of [delivered, gone, { ...delivered, state: 'pending', due_at: 5 } as const]) {
      expect(await first.store.record(outdated, attempt, progress, 1)).toBe(false);
    }
    expect(await everything()).toEqual(before);
    expect(await store.record(present, attempt, delivered, 1)).toBe(true);
    const after = await everything();
    expect(await first.store.record(outdated, attempt, gone, 1)).toBe(false);
    expect(await store.record(present, attempt, gone, 1)).toBe(false);
    expect(await everything()).toEqual(after);
    expect(after.deliveries).toMatchObject([
      { state: 'delivered', attempts: 1, claimed_by: null },
      { state: 'pending', due_at: 1, claimed_by: null },
    ]);
  });

  it('are taken over from dead replicas alone, uncounted', async () => {
    await fixture.say('one', 'ada');
    const [lost] = await claimAll(first.store);
    await fixture.say('one', 'bob');
    const [kept] = await claimAll(second.store);
    const before = await everything();
    await second.store.recover();
    expect(await everything()).toEqual(before);
    await takeOver(first.replica, second.store);
    const [ada, bob] = before.deliveries;
    expect((await everything()).deliveries).toEqual([{ ...ada, claimed_by: null }, bob]);
    expect(await claimAll(second.store, 10, [kept as ClaimedDelivery])).toMatchObject([
      { position: lost?.position, attempts: 0, claim: 2 },
    ]);
  });

  it('that were lost on the way to the dispatcher are claimed again, and by no other', async () => {
    await fixture.say('one', 'ada');
    await fixture.say('one', 'bob');
    const [running, lost] = await claimAll(first.store);
    expect(await claimAll(second.store)).toEqual([]);
    expect(await claimAll(first.store, 10, [running as ClaimedDelivery])).toMatchObject([
      { position: lost?.position, claim: 2 },
    ]);
  });

  it('are not affected by a retry, a repair or another delivery of the conversation', async () => {
    const { uuid } = await fixture.say('one');
    const later = await fixture.say('two');
    const claimed = await claimOne(first.store);
    const { deliveries } = await everything();
    const times = { now: soon(), expires_at: claimed.expires_at };
    await first.store.retryNow(webhook, soon());
    await first.store.mend(soon());
    expect(await first.store.redeliver(webhook, uuid, times)).toBe(true);
    expect(await first.store.redeliver(webhook, later.uuid, times)).toBe(true);
    expect((await everything()).deliveries).toEqual(
      deliveries.map((row) => ({ ...row, expires_at: times.expires_at })),
    );
    expect(await claimAll(second.store)).toEqual([]);
    expect(await first.store.record(claimed, attempt, delivered, soon())).toBe(true);
    expect(await claimOne(second.store)).toMatchObject({ message: { text: 'two' } });
  });

  it('leave the next one due when the webhook or the message was removed', async () => {
    const { uuid } = await fixture.say('one');
    await fixture.say('two');
    const claimed = await claimOne(first.store);
    await storage().database.deleteFrom('messages').where('uuid', '=', uuid).execute();
    expect(await first.store.nextDue(webhook)).toBeNull();
    expect(await first.store.record(claimed, attempt, delivered, 5)).toBe(true);
    expect(await first.store.nextDue(webhook)).toBe(5);
  });

  it('say when the next unclaimed one is due, also when that is past', async () => {
    await fixture.say('one', 'ada');
    await fixture.say('one', 'bob');
    const [ada] = await claimAll(first.store, 1);
    const past = await second.store.nextDue(webhook);
    expect(past).toBeLessThanOrEqual(Date.now());
    const [bob] = await claimAll(second.store, 1);
    expect(await second.store.nextDue(webhook)).toBeNull();
    const later = { ...delivered, state: 'pending', paused_until: 77 } as const;
    await first.store.record(ada as ClaimedDelivery, attempt, { ...later, due_at: 900 }, 1);
    await second.store.record(bob as ClaimedDelivery, attempt, { ...later, due_at: 800 }, 1);
    expect(await second.store.nextDue(webhook)).toBe(800);
    expect(await second.store.receivers()).toMatchObject([{ paused_until: 77 }]);
    await second.store.retryNow(webhook, 5);
    expect(await second.store.nextDue(webhook)).toBe(5);
    expect(await second.store.receivers()).toMatchObject([{ paused_until: null }]);
  });

  it('keep the order of each conversation, whichever replica claims, dies and comes late', async () => {
    const step = fc.record({
      act: fc.constantFrom('say', 'claim', 'claim', 'deliver', 'deliver', 'fail', 'die', 'mend', 'redeliver'),
      replica: fc.nat({ max: 1 }),
      person: fc.constantFrom('ada', 'bob'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        await storage().database.deleteFrom('webhook_deliveries').execute();
        const replicas = [await replicaOf(storage()), await replicaOf(storage())];
        /** Claims by their delivery, and those that others have been given since. */
        const present = new Map<number, { by: number; delivery: ClaimedDelivery }>();
        const outdated: { by: KyselyWebhookDeliveryStore; delivery: ClaimedDelivery }[] = [];
        const accepted: string[] = [];
        let said = 0;
        const uuids: string[] = [];
        for (const { act, replica: by, person } of steps) {
          const { replica, store } = replicas[by] as (typeof replicas)[number];
          const mine = [...present.values()].filter((one) => one.by === by);
          const [oldest] = mine;
          if (act === 'say') {
            said += 1;
            uuids.push((await fixture.say(String(said), person)).uuid);
          }
          if (act === 'claim') {
            const running = mine.map(({ delivery }) => delivery);
            for (const delivery of await claimAll(store, 1, running)) {
              expect(present.has(delivery.position)).toBe(false);
              const beside = [...present.values()].map(({ delivery: { message } }) => message.conversation_uuid);
              expect(beside).not.toContain(delivery.message.conversation_uuid);
              present.set(delivery.position, { by, delivery });
            }
          }
          if ((act === 'deliver' || act === 'fail') && oldest !== undefined) {
            const { delivery } = oldest;
            const text = textIn({ data: { message: delivery.message.message_chain as never } });
            if (act === 'deliver') accepted.push(`${delivery.message.session_id} ${text}`);
            const progress = act === 'deliver' ? delivered : ({ ...delivered, state: 'pending', due_at: 1 } as const);
            expect(await store.record(delivery, attempt, progress, 1)).toBe(true);
            present.delete(delivery.position);
            outdated.push({ by: store, delivery });
          }
          if (act === 'die') {
            const next = await replicaOf(storage());
            await takeOver(replica, next.store);
            replicas[by] = next;
            for (const { delivery } of mine) {
              present.delete(delivery.position);
              outdated.push({ by: store, delivery });
            }
          }
          if (act === 'mend') await store.mend(1);
          if (act === 'redeliver' && uuids[0] !== undefined && accepted.length === 0) {
            await store.redeliver(webhook, uuids[0], { now: 1, expires_at: soon() });
          }
          for (const late of outdated) expect(await late.by.record(late.delivery, attempt, gone, 1)).toBe(false);
        }
        for (const { by, delivery } of present.values()) {
          await replicas[by]?.store.record(delivery, attempt, { ...delivered, state: 'pending', due_at: 1 }, 1);
        }
        for (;;) {
          const rest = await claimAll((replicas[0] as (typeof replicas)[number]).store);
          if (rest.length === 0) break;
          for (const delivery of rest) {
            accepted.push(`${delivery.message.session_id} ${delivery.message.text}`);
            expect(await replicas[0]?.store.record(delivery, attempt, delivered, 1)).toBe(true);
          }
        }
        expect(accepted).toHaveLength(said);
        for (const person of ['ada', 'bob']) {
          const numbers = accepted.filter((one) => one.startsWith(person)).map((one) => Number(one.split(' ')[1]));
          expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
        }
        expect(await fixture.states()).toEqual(Array.from({ length: said }, () => 'delivered'));
      }),
      { numRuns: runsTried(25) },
    );
  }, 60_000);
});
