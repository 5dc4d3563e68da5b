import { ParleyError, type PlatformAdapter, type WebhookRequest } from '@parley/sdk';
import type { FakePlatformContext } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from './testing/fake-telegram.ts';
import { incoming } from './testing/fixtures.ts';
import { type AdapterOptions, createAdapter } from './testing/start-adapter.ts';
import { webhookSecret } from './webhook.ts';

/** Waits for a condition, also on a slow machine. */
const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 10_000 });

const address = 'https://chat.example.org/bots/00000000-0000-7000-8000-000000000001';
let fake: FakeTelegram;
const adapters: PlatformAdapter[] = [];
beforeEach(async () => {
  fake = await startFakeTelegram();
});
afterEach(async () => {
  await Promise.all(adapters.splice(0).map((adapter) => adapter.stop()));
  await fake.close();
});

async function start({ config, context, timing }: AdapterOptions = {}) {
  const created = await createAdapter(fake, {
    config: { 'enable-webhook': true, ...config },
    context: { webhook_url: address, ...context },
    timing: { webhookCheckMs: 60_000, ...timing },
  });
  adapters.push(created.adapter);
  await created.adapter.start();
  return created;
}

/** A request of Telegram. */
function request(update: unknown, over: Partial<WebhookRequest> = {}): WebhookRequest {
  return {
    method: 'POST',
    path: '',
    query: {},
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': fake.webhook?.secret ?? '' },
    body: Buffer.from(typeof update === 'string' ? update : JSON.stringify(update)),
    ...over,
  };
}
const update = (text: string) => ({ update_id: 1, message: incoming({ text }) });
const texts = ({ received }: FakePlatformContext) =>
  received.map(({ message_chain }) => (message_chain.at(-1) as { text?: string }).text);

describe('a webhook', () => {
  it('is registered with the secret of its token, and pending updates are not dropped', async () => {
    fake.deliver(incoming({ text: 'early' }));
    const { adapter } = await start();
    const { parameters } = fake.callsOf('setWebhook')[0] ?? {};
    expect(parameters).toEqual({
      url: address,
      secret_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      allowed_updates: ['message', 'edited_message', 'my_chat_member'],
    });
    expect(fake.pending).toBe(1);
    await adapter.stop();
    // Requests that are under way are taken after a restart, and by other replicas.
    await start();
    expect(fake.callsOf('setWebhook')[1]?.parameters.secret_token).toBe(parameters?.secret_token);
    const of = (webhook_secret: string, token: string) => webhookSecret({ webhook_secret }, token);
    expect(of('one', 'token')).not.toBe(of('other', 'token'));
    expect(of('one', 'token')).not.toBe(of('one', 'other token'));
    expect(fake.callsOf('getUpdates')).toEqual([]);
    expect(fake.callsOf('deleteWebhook')).toEqual([]);
  });

  it('hands messages over, and answers when they are stored', async () => {
    const gate = Promise.withResolvers<void>();
    const { adapter, context } = await start();
    const receive = context.receive;
    context.receive = async (event) => {
      await gate.promise;
      return receive(event);
    };
    let answered = false;
    const answer = adapter.handleWebhook?.(request(update('Hi')))?.then((response) => {
      answered = true;
      return response;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    gate.resolve();
    expect(await answer).toEqual({ status: 200 });
    expect(texts(context)).toEqual(['Hi']);
  });

  it.each<[string, Partial<WebhookRequest>]>([
    ['no secret', { headers: {} }],
    ['an empty secret', { headers: { 'x-telegram-bot-api-secret-token': '' } }],
    ['another secret', { headers: { 'x-telegram-bot-api-secret-token': 'x'.repeat(32) } }],
    ['no secret and no JSON', { headers: {}, body: Buffer.from('{') }],
    ['no secret and another path', { headers: {}, path: 'x', method: 'GET' }],
  ])('refuses a request with %s before it reads it', async (_, over) => {
    const { adapter, context } = await start();
    await expect(adapter.handleWebhook?.(request(update('Hi'), over))).rejects.toMatchObject({
      reason: 'invalid_signature',
    });
    expect(context.received).toEqual([]);
  });

  it.each<[string, unknown, Partial<WebhookRequest>?]>([
    ['no JSON', '{'],
    ['nothing', ''],
    ['no update', []],
    ['null', 'null'],
    ['bytes that are no text', '', { body: Buffer.from([0xff, 0xfe]) }],
    ['a GET', update('Hi'), { method: 'GET' }],
    ['another path', update('Hi'), { path: 'deeper' }],
  ])('refuses %s', async (_, body, over = {}) => {
    const { adapter, context } = await start();
    await expect(adapter.handleWebhook?.(request(body, over))).rejects.toMatchObject({ reason: 'invalid_request' });
    expect(context.received).toEqual([]);
  });

  it('passes over updates that are no messages', async () => {
    const { adapter, context } = await start();
    for (const nothing of [
      { update_id: 1 },
      { update_id: 2, poll: {} },
      { update_id: 3, message: { message_id: 1 } },
    ]) {
      expect(await adapter.handleWebhook?.(request(nothing))).toEqual({ status: 200 });
    }
    expect(context.received).toEqual([]);
  });

  it('fails when storing does, so that Telegram sends the update again', async () => {
    const failure = new ParleyError('not_ready', 'The server is stopping');
    const { adapter } = await start({ context: { receive: () => Promise.reject(failure) } });
    await expect(adapter.handleWebhook?.(request(update('Hi')))).rejects.toBe(failure);
  });

  it('needs an address that Telegram can reach', async () => {
    await expect(start({ context: { webhook_url: null } })).rejects.toMatchObject({
      reason: 'invalid_request',
      message: expect.stringContaining('PARLEY_PUBLIC_URL'),
    });
    const description = 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook';
    fake.fail('setWebhook', { kind: 'error', code: 400, description });
    await expect(start()).rejects.toMatchObject({ message: `Connecting to Telegram failed: ${description}` });
  });

  it('is refused while the bot fetches its messages, and before and after it runs', async () => {
    const { adapter } = await start({ config: { 'enable-webhook': false } });
    await expect(adapter.handleWebhook?.(request(update('Hi')))).rejects.toMatchObject({
      reason: 'webhook_unsupported',
    });
    await adapter.stop();
    await expect(adapter.handleWebhook?.(request(update('Hi')))).rejects.toMatchObject({ reason: 'bot_not_running' });
  });

  it('is set again after a foreign change', async () => {
    const { context } = await start({ timing: { webhookCheckMs: 20 } });
    fake.setWebhook('https://other.example.org/');
    await eventually(() => fake.webhook?.url).toBe(address);
    await eventually(() => fake.callsOf('getWebhookInfo').length).toBeGreaterThan(2);
    expect(context.reports).toEqual([]);
  });

  it('is monitored: an unreachable webhook is reported', async () => {
    const local = `http://127.0.0.1:1/bots/x`;
    const { context } = await start({ context: { webhook_url: local }, timing: { webhookCheckMs: 50 } });
    fake.deliver(incoming({ text: 'Hi' }));
    await eventually(() => context.reports).toEqual([
      {
        state: 'reconnecting',
        reason: 'platform_failed',
        message: `Telegram cannot deliver to ${local}: Wrong response from the webhook: 0`,
      },
    ]);
  });

  it('ends when the token is revoked, and continues after other errors', async () => {
    const { context } = await start({ timing: { webhookCheckMs: 20 } });
    fake.fail('getWebhookInfo', { kind: 'error', code: 500, description: 'Internal Server Error' });
    await eventually(() => context.reports.map(({ state }) => state)).toEqual(['reconnecting', 'connected']);
    fake.revoke();
    await eventually(() => context.reports.at(-1)).toMatchObject({ state: 'failed', reason: 'platform_unauthorized' });
  });
});
