import { reasons } from '@parley/sdk';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createService } from '../../src/service.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { answerWith, startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { enginesInTurns, looksClosely } from '../shared/looks-closely.ts';
import { messageEvent } from '../stores/ledger-records.ts';
import { textIn } from '../stores/webhook-fixture.ts';

const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 15_000 });

describe.each(enginesInTurns)('a service that tells webhooks of messages, with %s', (engine) => {
  const fake = createFakePlatform();
  let fresh: FreshDatabase | undefined;
  let service: TestService;
  let receiver: WebhookReceiver;
  let bot: string;
  let webhook: { id: number; secret: string };

  const data = async (method: string, url: string, json?: object) => {
    const request = { method, url: `/api/v1${url}`, bearer: service.account.token };
    const { status, text, body } = await service.request(json === undefined ? request : { ...request, json });
    expect(status, text).toBe(200);
    return body.data;
  };
  const say = async (text: string, person = 'ada') => {
    const event = messageEvent(text, { session_id: person, sender_id: person, sender_name: person });
    return (await fake.adapters.at(-1)?.context.receive(event))?.uuid ?? '';
  };
  const explained = async (uuid: string) => {
    await eventually(async () => (await data('GET', `/messages/${uuid}`)).message.finished_at).not.toBeNull();
    return data('GET', `/messages/${uuid}/explain`);
  };
  const answersTo = (person: string) => fake.sent.filter(({ target }) => target.session_id === person).length;
  const start = async () => {
    service = await startTestService({
      extensions: { platforms: [fake.platform] },
      ...(fresh === undefined ? {} : { databaseUrl: fresh.url }),
    });
    const [{ uuid: pipeline }] = (await data('GET', '/pipelines')).pipelines;
    const record = { name: 'Bot', adapter: 'fake', adapter_config: {}, enable: true, use_pipeline_uuid: pipeline };
    bot = (await data('POST', '/platform/bots', record)).uuid;
    await vi.waitFor(() => expect(fake.up()).toHaveLength(1), { timeout: 15_000 });
  };

  beforeAll(async () => {
    if (engine === 'postgres') fresh = await migratedDatabase();
    await start();
  });
  afterAll(async () => {
    await service.stop();
    await fresh?.drop();
  });
  beforeEach(async () => {
    receiver = await startWebhookReceiver();
    ({ webhook } = await data('POST', '/webhooks', { name: 'Office', url: receiver.url }));
  });
  afterEach(async () => {
    await data('DELETE', `/webhooks/${webhook.id}`);
    await receiver.close();
  });

  it('tells them of each message, signed, and answers it when they have said nothing', async () => {
    const uuid = await say('Hello');
    expect(await explained(uuid)).toMatchObject({
      outcome: 'answered',
      attempts: 1,
      steps: expect.arrayContaining([
        expect.objectContaining({ name: 'webhooks', outcome: 'passed', details: { told: 1, answered: 1 } }),
      ]),
    });
    const [received] = receiver.received;
    expect(received?.payload).toMatchObject({
      uuid,
      event_type: 'bot.person_message',
      data: { bot_uuid: bot, adapter_name: 'fake', sender: { id: 'ada', name: 'ada' } },
    });
    expect(new StandardWebhook(webhook.secret).verify(received?.body ?? '', received?.headers ?? {})).toBeTruthy();
    const { deliveries } = await data('GET', `/webhooks/${webhook.id}/deliveries?state=delivered`);
    expect(deliveries).toMatchObject([{ uuid, state: 'delivered', attempts: 1, skip_pipeline: false }]);
  });

  it('leaves a message alone when one of them says so, and tells why', async () => {
    receiver.behave(({ payload }, response) =>
      answerWith(200, { skip_pipeline: textIn(payload).includes('human') })({} as never, response),
    );
    const before = answersTo('bob');
    const left = await explained(await say('I want a human', 'bob'));
    expect(left).toMatchObject({
      outcome: 'stopped',
      reason: 'skipped_by_webhook',
      summary: `The message was not answered. ${reasons.skipped_by_webhook}`,
      attempts: 1,
    });
    expect(left.steps).toMatchObject([
      {
        name: 'webhooks',
        outcome: 'stopped',
        reason: 'skipped_by_webhook',
        details: { webhook: { id: webhook.id, name: 'Office' } },
      },
    ]);
    expect(await explained(await say('Thank you', 'bob'))).toMatchObject({ outcome: 'answered' });
    expect(answersTo('bob')).toBe(before + 1);
  });

  it('blocks no other conversation while a webhook does not respond, and preserves the order of a conversation', async () => {
    const answer = Promise.withResolvers<void>();
    receiver.behave(async ({ payload }, response) => {
      if (textIn(payload) === 'slow') await answer.promise;
      response.end('{}');
    });
    const slow = await say('slow', 'cid');
    const behind = await say('behind', 'cid');
    await eventually(() => receiver.received).toHaveLength(1);
    const waits = await data('GET', `/messages/${slow}/explain`);
    expect(waits).toMatchObject({ outcome: 'received', waiting: { reason: 'awaiting_webhook' }, attempts: 0 });
    expect(waits.summary).toMatch(/^The message is queued until .*\. Waiting for the response of a webhook\.$/);
    expect(await data('GET', `/messages/${behind}/explain`)).toMatchObject({ waiting: { reason: null } });
    expect(await explained(await say('quick', 'dora'))).toMatchObject({ outcome: 'answered' });
    expect(answersTo('cid')).toBe(0);
    answer.resolve();
    await explained(slow);
    await explained(behind);
    const order = receiver.received.filter(({ payload }) => payload.data.sender.id === 'cid').map(({ id }) => id);
    expect(order).toEqual([slow, behind]);
    const [first, second] = await Promise.all([slow, behind].map(async (uuid) => (await explained(uuid)).message));
    expect(Date.parse(first.finished_at)).toBeLessThanOrEqual(Date.parse(second.finished_at));
  });

  it('answers without them when they are down, and tells them later', async () => {
    receiver.behave(answerWith(500, 'out of order'));
    const one = await say('one', 'eve');
    expect(await explained(one)).toMatchObject({ outcome: 'answered' });
    expect(await explained(await say('two', 'eve'))).toMatchObject({ outcome: 'answered' });
    const { deliveries } = await data('GET', `/webhooks/${webhook.id}/deliveries`);
    expect(deliveries).toMatchObject([
      { state: 'pending', attempts: 0, next_attempt_at: null },
      { uuid: one, state: 'pending', error: 'HTTP 500', finished_at: null },
    ]);
    receiver.behave(answerWith(200));
    await data('POST', `/webhooks/${webhook.id}/deliveries/${one}/redeliver`);
    await eventually(
      async () => (await data('GET', `/webhooks/${webhook.id}/deliveries?state=delivered`)).deliveries.length,
    ).toBe(2);
    const { delivery, attempts } = await data('GET', `/webhooks/${webhook.id}/deliveries/${one}`);
    expect(delivery).toMatchObject({ state: 'delivered', error: null });
    expect(attempts.at(0)).toMatchObject({ number: 1, status: 500, error: 'HTTP 500', answer: 'out of order' });
    expect(attempts.at(-1)).toMatchObject({ status: 200, error: null });
    expect(receiver.received.map(({ payload }) => textIn(payload)).slice(-2)).toEqual(['one', 'two']);
  });

  it('carries commands out, and a cancellation at once, also while messages wait for them', async () => {
    const answer = Promise.withResolvers<void>();
    receiver.behave(async ({ payload }, response) => {
      if (textIn(payload) === 'slow') await answer.promise;
      response.end('{}');
    });
    const slow = await say('slow', 'fay');
    await eventually(() => receiver.received).toHaveLength(1);
    const cancel = await say('!cancel', 'fay');
    expect(await explained(slow)).toMatchObject({ outcome: 'stopped', reason: 'cancelled' });
    answer.resolve();
    expect(await explained(cancel)).toMatchObject({ outcome: 'stopped', reason: 'command' });
    expect(answersTo('fay')).toBe(1);
  });

  it('does not merge a message that a webhook stopped', async () => {
    const [{ uuid: pipeline }] = (await data('GET', '/pipelines')).pipelines;
    const { config } = (await data('GET', `/pipelines/${pipeline}`)).pipeline;
    config.trigger['message-aggregation'] = { enabled: true, delay: 1 };
    await data('PUT', `/pipelines/${pipeline}`, { config });
    receiver.behave(({ payload }, response) =>
      answerWith(200, { skip_pipeline: textIn(payload) === 'not this' })({} as never, response),
    );
    const uuids = [await say('this', 'gus'), await say('not this', 'gus'), await say('and that', 'gus')];
    const [one, two, three] = await Promise.all(uuids.map(explained));
    expect(one).toMatchObject({ outcome: 'answered', merged: [uuids[2]] });
    expect(two).toMatchObject({ reason: 'skipped_by_webhook' });
    expect(three).toMatchObject({ reason: 'merged' });
    config.trigger['message-aggregation'] = { enabled: false, delay: 1 };
    await data('PUT', `/pipelines/${pipeline}`, { config });
  });
});

it.runIf(looksClosely)(
  'tells webhooks after a restart what it could not tell them before',
  async () => {
    const fake = createFakePlatform();
    const receiver = await startWebhookReceiver();
    receiver.behave(answerWith(503));
    const bots = [{ adapter: 'fake' }];
    const service = await startTestService({ extensions: { platforms: [fake.platform] }, bots });
    try {
      const json = { name: 'Office', url: receiver.url };
      await service.request({ method: 'POST', url: '/api/v1/webhooks', bearer: service.account.token, json });
      await vi.waitFor(() => expect(fake.up()).toHaveLength(1));
      const uuid = (await fake.up()[0]?.context.receive(messageEvent('stored')))?.uuid;
      await eventually(() => receiver.received.length).toBe(1);
      await service.service.stop();
      receiver.behave(answerWith(200));
      const again = await createService(service.config, { platforms: [createFakePlatform().platform] });
      await again.start();
      try {
        // It is due some seconds after it failed.
        const rows = () => service.database.selectFrom('webhook_deliveries').selectAll().execute();
        await eventually(async () => (await rows()).map(({ state }) => state)).toEqual(['delivered']);
        expect(receiver.received.map(({ id }) => id)).toEqual([uuid, uuid]);
      } finally {
        await again.stop();
      }
    } finally {
      await service.stop();
      await receiver.close();
    }
  },
  60_000,
);
