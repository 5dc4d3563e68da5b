import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  answerWith,
  closedAddress,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../../test/fakes/webhook-receiver.ts';
import { runsTried } from '../../../test/shared/looks-closely.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { openWebhookFixture, textIn, type WebhookFixture } from '../../../test/stores/webhook-fixture.ts';
import type { WebhookDeliveryStore } from './webhook-delivery-store.ts';

const minute = 60_000;
const hour = 3_600_000;
const patience = { timeout: 15_000 };
const eventually = <Value>(actual: () => Value) => expect.poll(actual, patience);

describeOnEachEngine('webhook deliveries', (storage) => {
  let receiver: WebhookReceiver;
  let fixture: WebhookFixture;
  const open = async (
    ...options: Parameters<typeof openWebhookFixture> extends [unknown, ...infer Rest] ? Rest : never
  ) => {
    fixture = await openWebhookFixture(storage(), ...options);
    return fixture;
  };
  const create = (over: object = {}) => fixture.service.create({ name: 'n', url: receiver.url, ...over });
  const texts = (person?: string) =>
    receiver.received
      .filter(({ payload }) => person === undefined || payload.data.sender.id === person)
      .map(({ payload }) => textIn(payload));

  beforeEach(async () => {
    receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    await fixture.stop();
    await receiver.close();
  });

  it('are signed for standard libraries, with the payload of the reference system', async () => {
    const { service, dispatcher, say } = await open();
    const { secret } = await service.create({ name: 'n', url: receiver.url });
    await dispatcher.start();
    const sent_at = '2026-01-02T03:04:05.500Z';
    const receipt = await say('Grüße', 'ada', { sender_name: 'Ada', sent_at, platform_message_id: 'p1' });
    const facts = { group_name: 'Chess' };
    await say(
      'In a group',
      'g1',
      { session_type: 'group', sender_id: 'bob', sender_name: 'Bob', facts },
      { session_type: 'group' },
    );
    dispatcher.wake();
    await eventually(() => receiver.received).toHaveLength(2);
    for (const { body, headers, payload } of receiver.received) {
      expect(new StandardWebhook(secret).verify(body, headers)).toEqual(payload);
      expect(() => new StandardWebhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
      expect(headers['content-type']).toBe('application/json');
      expect(headers['webhook-id']).toBe(payload.uuid);
    }
    const [person, group] = ['bot.person_message', 'bot.group_message'].map((type) =>
      receiver.received.find(({ payload }) => payload.event_type === type),
    );
    expect(person?.payload).toEqual({
      uuid: receipt.uuid,
      event_type: 'bot.person_message',
      data: {
        bot_uuid: expect.any(String),
        adapter_name: '',
        sender: { id: 'ada', name: 'Ada' },
        message: [
          { type: 'Source', id: 'p1', timestamp: 1_767_323_045 },
          { type: 'Plain', text: 'Grüße' },
        ],
        timestamp: 1_767_323_045.5,
      },
    });
    expect(group?.payload.data).toMatchObject({
      sender: { id: 'bob', name: 'Bob' },
      group: { id: 'g1', name: 'Chess' },
    });
  });

  it('do not exist while no webhook is enabled', async () => {
    const { service, say, states } = await open();
    await create({ enabled: false });
    expect(await say('one')).not.toHaveProperty('webhook_wait_until');
    expect(await states()).toEqual([]);
    const { id } = await create();
    expect(await say('two')).toMatchObject({ webhook_wait_until: expect.stringMatching(/Z$/) });
    expect(await states()).toEqual(['pending']);
    await service.delete(id);
    expect(await states()).toEqual([]);
  });

  it('is stored once for a message that the platform delivers again', async () => {
    const { say, states } = await open();
    await create();
    await say('one', 'ada', { platform_message_id: 'same' });
    expect(await say('one', 'ada', { platform_message_id: 'same' })).toMatchObject({ outcome: 'repeated' });
    expect(await states()).toEqual(['pending']);
  });

  it('comes once each and in order per conversation when the receiver was down for ten minutes', async () => {
    const { dispatcher, say, pass, states } = await open();
    await create();
    receiver.behave((_, response) => void response.destroy());
    await dispatcher.start();
    const people = ['ada', 'bob', 'cid'];
    for (let index = 0; index < 8; index += 1) {
      for (const person of people) await say(`${person} ${index}`, person);
      dispatcher.wake();
      pass(minute);
    }
    await eventually(() => receiver.received.length).toBeGreaterThan(3);
    // Only the first of each conversation was tried.
    expect(new Set(texts())).toEqual(new Set(people.map((person) => `${person} 0`)));
    pass(2 * minute);
    receiver.behave(answerWith(200));
    const refused = receiver.received.length;
    for (let turn = 0; turn < 20; turn += 1) {
      pass(minute);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await eventually(states).toEqual(Array.from({ length: 24 }, () => 'delivered'));
    for (const person of people) {
      const came = texts(person).filter((_, index, all) => all.lastIndexOf(all[index] as string) === index);
      expect(came).toEqual(Array.from({ length: 8 }, (_, index) => `${person} ${index}`));
    }
    // Once each after the recovery: earlier attempts had been refused.
    const ids = receiver.received.filter(({ payload }) => !/ 0$/.test(textIn(payload))).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(receiver.received.length).toBeGreaterThan(refused);
  });

  it('wait for a failing delivery in the same conversation, and in no other', async () => {
    const { dispatcher, say, pass, states } = await open();
    await create();
    receiver.behave(({ payload }, response) =>
      answerWith(textIn(payload) === 'poison' ? 500 : 200)({} as never, response),
    );
    const attempts = async () => (await storage().database.selectFrom('webhook_attempts').selectAll().execute()).length;
    await dispatcher.start();
    await say('poison', 'ada');
    await say('behind', 'ada');
    await say('beside', 'bob');
    dispatcher.wake();
    await eventually(states).toEqual(['pending', 'pending', 'delivered']);
    await eventually(attempts).toBe(2);
    // Expired after more than a day, and the next one continues.
    for (let hours = 0; hours < 24; hours += 1) {
      const before = await attempts();
      pass(hour * 1.3);
      if (hours > 18) break;
      await eventually(attempts).toBeGreaterThan(before);
      expect(texts('ada')).not.toContain('behind');
    }
    await eventually(states).toEqual(['failed', 'delivered', 'delivered']);
    expect(texts('ada').at(-1)).toBe('behind');
  }, 60_000);

  it('are resent with the same id when the process ended between sending and storing the result', async () => {
    let dies = true;
    const around = (store: WebhookDeliveryStore) =>
      new Proxy(store, {
        get: (target, name) => {
          if (name === 'record' && dies) return () => new Promise(() => undefined);
          const member = target[name as keyof WebhookDeliveryStore];
          return typeof member === 'function' ? (member as (...all: unknown[]) => unknown).bind(target) : member;
        },
      });
    const { dispatcher, restarted, say, states } = await open({ around });
    const { secret } = await create();
    await dispatcher.start();
    await say('one');
    await say('two');
    dispatcher.wake();
    await eventually(() => receiver.received).toHaveLength(1);
    dies = false;
    await (await restarted()).start();
    await eventually(states).toEqual(['delivered', 'delivered']);
    expect(texts()).toEqual(['one', 'one', 'two']);
    const [first, second] = receiver.received;
    expect(second?.id).toBe(first?.id);
    expect(second?.body).toBe(first?.body);
    expect(new StandardWebhook(secret).verify(second?.body ?? '', second?.headers ?? {})).toEqual(first?.payload);
    // The first dispatcher never ends its work.
    fixture.stop = async () => [];
  });

  it('wait while another replica works', async () => {
    let asked = 0;
    let isOpen = false;
    const maySend = () => {
      asked += 1;
      return isOpen;
    };
    const { dispatcher, say, states } = await open({ maySend });
    await create();
    await say('one');
    await dispatcher.start();
    await eventually(() => asked).toBeGreaterThan(0);
    dispatcher.wake();
    await eventually(() => asked).toBeGreaterThan(1);
    expect([await states(), receiver.received]).toEqual([['pending'], []]);
    isOpen = true;
    dispatcher.wake();
    await eventually(states).toEqual(['delivered']);
  });

  it('continue after a failure of the store', async () => {
    let faults = 3;
    const around = (store: WebhookDeliveryStore) =>
      new Proxy(store, {
        get: (target, name) => {
          const member = target[name as keyof WebhookDeliveryStore] as (...all: unknown[]) => unknown;
          if ((name === 'record' || name === 'receivers') && faults > 0) {
            faults -= 1;
            return () => Promise.reject(new Error('the disk is full'));
          }
          return member.bind(target);
        },
      });
    const { dispatcher, say, states } = await open({ around });
    await create();
    await say('one');
    await dispatcher.start();
    await eventually(states).toEqual(['delivered']);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });

  it('fail immediately after a 410, which disables the webhook; the others wait', async () => {
    const { service, dispatcher, say, states } = await open();
    const { id } = await create();
    receiver.behave(answerWith(410, { bye: true }));
    await dispatcher.start();
    await say('one');
    await say('two');
    dispatcher.wake();
    await eventually(states).toEqual(['failed', 'pending']);
    expect(await service.get(id)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    expect(await say('three')).not.toHaveProperty('webhook_wait_until');
    await expect(service.redeliver(id, receiver.received[0]?.id ?? '')).rejects.toMatchObject({ reason: 'conflict' });
    receiver.behave(answerWith(204, ''));
    expect(await service.update(id, { enabled: true })).toMatchObject({ disabled_reason: null });
    await eventually(states).toEqual(['failed', 'delivered']);
    expect(texts()).toEqual(['one', 'two']);
    await service.redeliver(id, receiver.received[0]?.id ?? '');
    await eventually(states).toEqual(['delivered', 'delivered']);
  });

  it('are sent once each, in order, by several replicas, and taken over from one that died', async () => {
    const stored = Promise.withResolvers<void>();
    const around = (store: WebhookDeliveryStore) =>
      new Proxy(store, {
        get: (target, name) => {
          const member = target[name as keyof WebhookDeliveryStore] as (...all: unknown[]) => unknown;
          if (name !== 'record') return member.bind(target);
          return async (...all: unknown[]) => {
            await stored.promise;
            return member.apply(target, all);
          };
        },
      });
    const people = Array.from({ length: 6 }, (_, index) => `person ${index}`);
    const { dispatcher, say, states, beside, restarted } = await open({ around, concurrency: { each: 4, all: 4 } });
    await create();
    for (const person of people) for (const text of ['one', 'two']) await say(text, person);
    await dispatcher.start();
    await eventually(() => receiver.received).toHaveLength(4);
    const other = await beside();
    await other.start();
    await eventually(() => receiver.received).toHaveLength(6);
    for (const person of people) expect(texts(person)).toEqual(['one']);
    // The results of the first replica come when it was taken over.
    const next = await restarted();
    await next.start();
    await eventually(() => receiver.received).toHaveLength(10);
    stored.resolve();
    await eventually(states).toEqual(people.flatMap(() => ['delivered', 'delivered']));
    const again = people.filter((person) => texts(person).length === 3);
    expect(again).toHaveLength(4);
    for (const person of people) {
      expect(texts(person)).toEqual(again.includes(person) ? ['one', 'one', 'two'] : ['one', 'two']);
    }
    const attempts = await storage().database.selectFrom('webhook_attempts').select('number').execute();
    expect(attempts.map(({ number }) => number)).toEqual(people.flatMap(() => [1, 1]));
  });

  it.each([429, 503])('pause as long as a receiver requests with %i', async (status) => {
    const { dispatcher, say, pass, states, beside } = await open();
    await create();
    receiver.behave(answerWith(status, {}, { 'retry-after': '600' }));
    await dispatcher.start();
    const other = await beside();
    await other.start();
    await say('one', 'ada');
    dispatcher.wake();
    await eventually(() => receiver.received).toHaveLength(1);
    await eventually(
      async () => (await storage().database.selectFrom('webhook_attempts').selectAll().execute()).length,
    ).toBe(1);
    receiver.behave(answerWith(200));
    await say('two', 'bob');
    pass(9 * minute);
    dispatcher.wake();
    other.wake();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(texts()).toEqual(['one']);
    pass(2 * minute);
    await eventually(states).toEqual(['delivered', 'delivered']);
  });

  it('are retried immediately when the address is changed, and record each attempt', async () => {
    const { service, dispatcher, say, states } = await open();
    const { id, secret } = await create({ url: await closedAddress() });
    await dispatcher.start();
    const { uuid } = await say('one');
    dispatcher.wake();
    await eventually(async () => (await service.delivery(id, uuid)).attempts.length).toBe(1);
    const failed = await service.delivery(id, uuid);
    expect(failed).toMatchObject({
      delivery: {
        uuid,
        state: 'pending',
        attempts: 1,
        error: expect.stringContaining('ECONNREFUSED'),
        finished_at: null,
      },
      attempts: [{ number: 1, status: null, answer: null }],
    });
    expect(Date.parse(failed.delivery.next_attempt_at ?? '')).toBeGreaterThan(Date.now());
    // A receiver that knows the secret may say it.
    receiver.behave(answerWith(200, `ok ${secret} ${secret.slice(6)}`));
    await service.update(id, { url: receiver.url });
    await eventually(states).toEqual(['delivered']);
    const delivered = await service.delivery(id, uuid.toUpperCase());
    expect(delivered).toMatchObject({
      delivery: { state: 'delivered', error: null, next_attempt_at: null, finished_at: expect.stringMatching(/Z$/) },
      attempts: [{ number: 1 }, { number: 2, status: 200, error: null, answer: 'ok … …' }],
    });
  });

  it('are limited in concurrency', async () => {
    const { dispatcher, say, states } = await open({ concurrency: { each: 3, all: 4 } });
    const other = await startWebhookReceiver();
    await create();
    await fixture.service.create({ name: 'other', url: other.url });
    const slow = async (_: unknown, response: Parameters<Parameters<typeof receiver.behave>[0]>[1]) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      response.end();
    };
    receiver.behave(slow);
    other.behave(slow);
    for (let index = 0; index < 12; index += 1) await say(`${index}`, `person ${index}`);
    await dispatcher.start();
    await eventually(states).toEqual(Array.from({ length: 24 }, () => 'delivered'));
    expect(receiver.mostOpen).toBe(3);
    expect(other.mostOpen).toBeLessThanOrEqual(3);
    await other.close();
  });

  it('end within the stop timeout, and interrupted ones are resent after the next start', async () => {
    const { dispatcher, restarted, say, states } = await open();
    await create();
    receiver.behave(() => undefined);
    await say('one');
    await dispatcher.start();
    await eventually(() => receiver.received).toHaveLength(1);
    const startedAt = performance.now();
    await dispatcher.stop(100);
    expect(performance.now() - startedAt).toBeLessThan(3000);
    await eventually(() => receiver.open).toBe(0);
    expect(await states()).toEqual(['pending']);
    receiver.behave(answerWith(200));
    await (await restarted()).start();
    await eventually(states).toEqual(['delivered']);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });

  it('continue after one that was removed before it was sent', async () => {
    const { service, dispatcher, say, states, pass } = await open();
    const { id } = await create({ url: await closedAddress() });
    await dispatcher.start();
    const { uuid } = await say('one');
    await say('two');
    dispatcher.wake();
    await eventually(async () => (await service.delivery(id, uuid)).attempts.length).toBe(1);
    await storage().database.deleteFrom('messages').where('uuid', '=', uuid).execute();
    await service.update(id, { url: receiver.url });
    expect(await states()).toEqual(['pending']);
    expect(await service.prune(500)).toBe(0);
    pass(0);
    await eventually(states).toEqual(['delivered']);
    expect(texts()).toEqual(['two']);
  });

  it('is removed from the log when it is old, unless it is still to be sent', async () => {
    const { service, say, states } = await open();
    await create();
    const database = storage().database;
    for (const text of ['one', 'two', 'three']) await say(text, text);
    const ages = [40, 40, 40];
    const rows = await database.selectFrom('webhook_deliveries').select('position').orderBy('position').execute();
    const day = 86_400_000;
    for (const [index, { position }] of rows.entries()) {
      const created_at = new Date(Date.now() - (ages[index] as number) * day).toISOString();
      const ended = index === 0 ? { state: 'delivered', due_at: null } : {};
      const expires_at = index === 1 ? Date.now() - 39 * day : Date.now() + day;
      await database
        .updateTable('webhook_deliveries')
        .set({ created_at, expires_at, ...ended })
        .where('position', '=', position)
        .execute();
    }
    expect(await service.prune(1)).toBe(1);
    expect(await service.prune(500)).toBe(1);
    expect(await states()).toEqual(['pending']);
  });

  it('comes once each, in order per conversation, whatever fails in between', async () => {
    const behaviours = ['ok', 'ok', 'error', 'cut', 'slow', 'junk'] as const;
    const { dispatcher, say, pass, states, beside } = await open({
      concurrency: { each: 4, all: 4 },
      timeoutMs: 250,
    });
    await create();
    let plan: (typeof behaviours)[number][] = [];
    let accepted: string[] = [];
    receiver.behave(async ({ payload }, response) => {
      const next = plan.shift() ?? 'ok';
      if (next === 'cut') return void response.destroy();
      if (next === 'error') return answerWith(500)(payload, response);
      // A late response was processed all the same.
      accepted.push(`${payload.data.sender.id} ${textIn(payload)}`);
      if (next === 'slow') await new Promise((resolve) => setTimeout(resolve, 400));
      return answerWith(200, next === 'junk' ? '{' : {})(payload, response);
    });
    await dispatcher.start();
    await (await beside()).start();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...behaviours), { maxLength: 12 }),
        fc.array(fc.constantFrom('ada', 'bob', 'cid'), { minLength: 1, maxLength: 8 }),
        async (outages, people) => {
          await storage().database.deleteFrom('webhook_deliveries').execute();
          // A delivery has a day, and those before this one took as much.
          fixture.resetClock();
          plan = outages;
          accepted = [];
          const said: Record<string, string[]> = {};
          for (const [index, person] of people.entries()) {
            await say(String(index), person);
            const own = said[person] ?? [];
            said[person] = [...own, String(index)];
            dispatcher.wake();
          }
          await expect
            .poll(
              async () => {
                pass(minute);
                return (await states()).every((state) => state === 'delivered');
              },
              { timeout: 20_000, interval: 10 },
            )
            .toBe(true);
          for (const [person, texts] of Object.entries(said)) {
            const came = accepted
              .filter((one) => one.startsWith(`${person} `))
              .map((one) => one.slice(person.length + 1));
            // At least once: a repeated one directly follows the first.
            expect(came.filter((text, index) => text !== came[index - 1])).toEqual(texts);
          }
        },
      ),
      { numRuns: runsTried(12) },
    );
  }, 120_000);
});
