import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  answerWith,
  closedAddress,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../../test/fakes/webhook-receiver.ts';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { openWebhookFixture, type WebhookFixture } from '../../../test/stores/webhook-fixture.ts';
import type { ClaimedMessage } from '../messages/message.ts';

const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 15_000 });

describeOnEachEngine('what webhooks say of messages', (storage) => {
  let receiver: WebhookReceiver;
  let fixture: WebhookFixture;
  const create = (over: object = {}) => fixture.service.create({ name: 'n', url: receiver.url, ...over });
  const outcomeOf = async (uuid: string) => {
    const row = await storage()
      .database.selectFrom('messages')
      .select(['uuid', 'webhook_wait_until'])
      .where('uuid', '=', uuid)
      .executeTakeFirstOrThrow();
    return fixture.dispatcher.outcomeOf(row);
  };
  /** Ends a message that was taken from the queue. */
  const end = async (message: ClaimedMessage | null) => {
    if (message === null) throw new Error('no message was taken');
    const nothing = { answer: null, merged: [], record: null };
    await fixture.ledger.messages.settle(message, { state: 'stopped', reason: 'ignored' }, nothing);
  };
  beforeEach(async () => {
    receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    await fixture.stop();
    await receiver.close();
  });

  it('is awaited, and the message is dispatched when all have responded', async () => {
    fixture = await openWebhookFixture(storage());
    const { id } = await create({ name: 'first' });
    const answer = Promise.withResolvers<void>();
    receiver.behave(async (_, response) => {
      await answer.promise;
      response.end(JSON.stringify({ skip_pipeline: true }));
    });
    const { uuid } = await fixture.say('one');
    expect(await claimOne(fixture.ledger.messages, [])).toBeNull();
    expect(await outcomeOf(uuid)).toEqual({ outcome: 'awaited', told: 1 });
    await fixture.dispatcher.start();
    await eventually(() => receiver.received).toHaveLength(1);
    expect(await claimOne(fixture.ledger.messages, [])).toBeNull();
    answer.resolve();
    await eventually(async () => (await claimOne(fixture.ledger.messages, []))?.uuid).toBe(uuid);
    expect(await outcomeOf(uuid)).toEqual({ outcome: 'skipped', webhook: { id, name: 'first' } });
    expect((await fixture.service.delivery(id, uuid)).delivery).toMatchObject({ skip_pipeline: true });
  });

  it('is awaited up to the timeout, and late responses are ignored', async () => {
    fixture = await openWebhookFixture(storage(), { waitMs: 200 });
    const { id } = await create();
    const answer = Promise.withResolvers<void>();
    receiver.behave(async (_, response) => {
      await answer.promise;
      response.end(JSON.stringify({ skip_pipeline: true }));
    });
    await fixture.dispatcher.start();
    const { uuid } = await fixture.say('one');
    fixture.dispatcher.wake();
    await eventually(async () => (await claimOne(fixture.ledger.messages, []))?.uuid).toBe(uuid);
    expect(await outcomeOf(uuid)).toEqual({ outcome: 'passed', told: 1, answered: 0 });
    answer.resolve();
    await eventually(fixture.states).toEqual(['delivered']);
    expect(await outcomeOf(uuid)).toEqual({ outcome: 'passed', told: 1, answered: 1 });
    expect((await fixture.service.delivery(id, uuid)).delivery.skip_pipeline).toBe(false);
  });

  it('is not waited for when it failed, also by those that come behind it', async () => {
    fixture = await openWebhookFixture(storage());
    await create({ url: await closedAddress() });
    const one = await fixture.say('one');
    const two = await fixture.say('two');
    expect(await outcomeOf(two.uuid)).toMatchObject({ outcome: 'awaited' });
    await fixture.dispatcher.start();
    let claimed: ClaimedMessage | null = null;
    const taken = async () => {
      claimed = await claimOne(fixture.ledger.messages, []);
      return claimed;
    };
    await eventually(taken).toMatchObject({ uuid: one.uuid });
    expect(await outcomeOf(one.uuid)).toEqual({ outcome: 'passed', told: 1, answered: 0 });
    expect(await outcomeOf(two.uuid)).toEqual({ outcome: 'passed', told: 1, answered: 0 });
    // A new one does not wait in the first place.
    await end(claimed);
    expect(await taken()).toMatchObject({ uuid: two.uuid });
    await end(claimed);
    const three = await fixture.say('three');
    expect(await claimOne(fixture.ledger.messages, [])).toBeNull();
    fixture.dispatcher.notifyWebhooks({ ...three, webhook_wait_until: three.webhook_wait_until ?? null });
    await eventually(async () => (await claimOne(fixture.ledger.messages, []))?.uuid).toBe(three.uuid);
  });

  it('is not awaited from a webhook that requested a pause, is disabled, or was deleted', async () => {
    fixture = await openWebhookFixture(storage());
    const { id } = await create();
    receiver.behave(answerWith(429, {}, { 'retry-after': '60' }));
    await fixture.dispatcher.start();
    await fixture.say('one', 'ada');
    fixture.dispatcher.wake();
    await eventually(async () => (await claimOne(fixture.ledger.messages, []))?.text).toBe('one');
    const { uuid } = await fixture.say('two', 'bob');
    expect(await outcomeOf(uuid)).toMatchObject({ outcome: 'passed' });
    await fixture.service.update(id, { enabled: false });
    expect(await outcomeOf(uuid)).toEqual({ outcome: 'passed', told: 1, answered: 0 });
    await fixture.service.delete(id);
    expect(await outcomeOf(uuid)).toEqual({ outcome: 'passed', told: 0, answered: 0 });
  });

  it('counts when one of several decides, before the others have responded', async () => {
    fixture = await openWebhookFixture(storage());
    const silent = await startWebhookReceiver();
    silent.behave(() => undefined);
    await fixture.service.create({ name: 'silent', url: silent.url });
    await create({ name: 'skips' });
    receiver.behave(answerWith(200, { skip_pipeline: true }));
    const { uuid } = await fixture.say('one');
    await fixture.dispatcher.start();
    await eventually(async () => (await claimOne(fixture.ledger.messages, []))?.uuid).toBe(uuid);
    expect(await outcomeOf(uuid)).toMatchObject({ outcome: 'skipped', webhook: { name: 'skips' } });
    await fixture.dispatcher.stop(10);
    await silent.close();
  });

  it('is not waited for at all when the setting says so', async () => {
    fixture = await openWebhookFixture(storage(), { waitMs: 0 });
    await create();
    const { uuid } = await fixture.say('one');
    expect(await claimOne(fixture.ledger.messages, [])).toMatchObject({ uuid, webhook_wait_until: null });
  });

  it('does not end the wait of a message that waits for something else', async () => {
    fixture = await openWebhookFixture(storage());
    await create();
    const { conversation_uuid } = await fixture.say('one');
    await fixture.ledger.messages.hurry(conversation_uuid);
    const message = await claimOne(fixture.ledger.messages, []);
    if (message === null) throw new Error('no message was waiting');
    // While it is worked on, and while it waits for the next window.
    await fixture.ledger.messages.hurry(conversation_uuid);
    expect(await claimOne(fixture.ledger.messages, [])).toBeNull();
    await fixture.ledger.messages.release(message, {
      until: '2099-01-01T00:00:00.000Z',
      reason: 'rate_limited',
    });
    await fixture.ledger.messages.hurry(conversation_uuid);
    expect(await claimOne(fixture.ledger.messages, [])).toBeNull();
  });
});
