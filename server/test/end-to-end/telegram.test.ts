import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { ada, bob, fileFields, forum, group, incoming } from '../../src/platforms/telegram/testing/fixtures.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { freePort } from '../shared/free-port.ts';

/** Waits for what must come, also on a machine that has much to do. */
const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 10_000 });

let service: TestService;
let pipeline: string;
let fake: FakeTelegram;
const bots: string[] = [];

beforeAll(async () => {
  const port = await freePort();
  service = await startTestService({ config: { port, publicUrl: `http://127.0.0.1:${port}` } });
  const { body } = await request('GET', '/api/v1/pipelines');
  pipeline = body.data.pipelines[0].uuid;
});
afterAll(() => service.stop());
beforeEach(async () => {
  fake = await startFakeTelegram();
});
afterEach(async () => {
  for (const uuid of bots.splice(0)) await request('DELETE', `/api/v1/platform/bots/${uuid}`);
  await fake.close();
});

const request = (method: string, url: string, json?: unknown) =>
  service.request({ method, url, bearer: service.account.token, ...(json === undefined ? {} : { json }) });

/** Creates a bot that talks to the fake. */
async function createBot(config: Record<string, unknown> = {}): Promise<string> {
  const { status, text, body } = await request('POST', '/api/v1/platform/bots', {
    name: 'Parrot',
    adapter: 'telegram',
    adapter_config: { token: fake.token, api_base_url: fake.apiBaseUrl, ...config },
    enable: true,
    use_pipeline_uuid: pipeline,
  });
  if (status !== 200) throw new Error(text);
  bots.push(body.data.uuid);
  return body.data.uuid;
}

async function stateOf(uuid: string) {
  const { body } = await request('GET', `/api/v1/platform/bots/${uuid}`);
  const { state, error_reason, error, bot_account_id } = body.data.bot.adapter_runtime_values;
  return { state, error_reason, error, bot_account_id };
}

/** Current texts of a chat. */
const textsIn = (chat: number) => fake.messages.filter(({ chat_id }) => chat_id === chat).map(({ text }) => text ?? '');
const say = (text: string, over: object = {}) => incoming({ text, ...over });
/** In groups, a bot answers those who mention it. */
const ask = (text: string, over: object) =>
  say(`@parrot_bot ${text}`, { entities: [{ type: 'mention', offset: 0, length: 11 }], ...over });

describe('a Telegram bot', () => {
  it('answers a person, a group and a topic, each message once, however often it is delivered', async () => {
    const bot = await createBot();
    await eventually(() => stateOf(bot)).toMatchObject({ state: 'running', bot_account_id: '987654321' });
    const messages = [
      say('from Ada'),
      ask('from the group', { chat: group, from: bob }),
      ask('from the topic', { chat: forum, message_thread_id: 77, is_topic_message: true }),
    ];
    for (const message of messages) fake.deliver(message);
    for (const message of messages) fake.deliver(message);
    for (const chat of [ada.id, group.id, forum.id]) await eventually(() => textsIn(chat)).toHaveLength(1);
    expect(fake.messages.find(({ chat_id }) => chat_id === forum.id)?.message_thread_id).toBe(77);
    // Whatever is answered twice is answered before what comes later.
    fake.deliver(say('once more'));
    await eventually(() => textsIn(ada.id)).toHaveLength(2);
    expect(fake.messages).toHaveLength(4);
    expect(fake.pending).toBe(0);
    const answered = fake.messages.find(({ chat_id }) => chat_id === group.id);
    expect(answered?.text).toMatch(/^Bob/);
    fake.deliver(say('to another user', { chat: group, from: bob }));
    const reasonOf = async (text: string) =>
      (await service.database.selectFrom('messages').select('reason').where('text', '=', text).executeTakeFirst())
        ?.reason;
    await eventually(() => reasonOf('to another user')).toBe('group_rule_not_matched');
    expect(fake.messages).toHaveLength(4);
  });

  it('receives and stores images', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    fake.addFile('photo', png);
    await createBot();
    fake.deliver(incoming({ photo: [{ ...fileFields('photo', png.length), width: 1, height: 1 }], caption: 'Look' }));
    await eventually(() => textsIn(ada.id)).toHaveLength(1);
    const files = await service.database.selectFrom('files').selectAll().where('purpose', '=', 'media').execute();
    expect(files).toMatchObject([{ media_type: 'image/png', size: png.length }]);
    const { message_chain: chain } = await service.database
      .selectFrom('messages')
      .select('message_chain')
      .where('text', 'like', 'Look%')
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(chain)).toContain(files[0]?.access_key as string);
    expect(JSON.stringify(chain)).not.toContain(fake.token);
  });

  it('shows an answer while it grows', async () => {
    await createBot({ 'enable-stream-reply': true });
    fake.deliver(say('Tell me'));
    await eventually(() => fake.callsOf('sendMessage')).toHaveLength(1);
    const [answer] = fake.messages;
    await eventually(() => answer?.text).toMatch(/demo/i);
    expect(fake.messages).toHaveLength(1);
  });

  it('writes to people and groups unasked, and tells why when it cannot', async () => {
    const bot = await createBot();
    await eventually(() => stateOf(bot)).toMatchObject({ state: 'running' });
    fake.addChat(ada.id);
    fake.addChat(group.id);
    const { key } = await service.createApiKey();
    const send = (target_type: string, target_id: string, ...message_chain: object[]) =>
      service.request({
        method: 'POST',
        url: `/api/v1/platform/bots/${bot}/send_message`,
        apiKey: key,
        json: { target_type, target_id, message_chain },
      });
    const hello = { type: 'Plain', text: 'Good *morning*' };
    expect(await send('person', '1001', hello)).toMatchObject({ status: 200, body: { code: 0, data: { sent: true } } });
    expect(await send('group', String(group.id), hello)).toMatchObject({ status: 200 });
    expect(fake.messages).toMatchObject([
      { chat_id: 1001, text: 'Good morning', entities: [{ type: 'italic' }] },
      { chat_id: group.id, text: 'Good morning' },
    ]);
    const unknown = await send('person', '404', hello);
    expect(unknown.body).toMatchObject({ reason: 'unknown_target', msg: 'Telegram: Bad Request: chat not found' });
    expect((await send('person', '1001', { type: 'AtAll' })).body).toMatchObject({ reason: 'unsupported_element' });
    expect(fake.messages).toHaveLength(2);
  });

  it('with a wrong token says so on its record, until it has the right one', async () => {
    const bot = await createBot({ token: '987654321:AAwrong-one_of_some_length' });
    await eventually(() => stateOf(bot)).toEqual({
      state: 'error',
      error_reason: 'platform_unauthorized',
      error: 'Telegram refuses the token: Unauthorized',
      bot_account_id: null,
    });
    const adapter_config = { token: fake.token, api_base_url: fake.apiBaseUrl };
    expect(await request('PUT', `/api/v1/platform/bots/${bot}`, { adapter_config })).toMatchObject({ status: 200 });
    await eventually(() => stateOf(bot)).toMatchObject({ state: 'running', error: null });
    const { text } = await request('GET', `/api/v1/platform/bots/${bot}`);
    expect(text).not.toContain(fake.token);
  });

  it('outlives Telegram: what is said while it is away is answered once when it is back', async () => {
    const bot = await createBot();
    fake.deliver(say('before'));
    await eventually(() => textsIn(ada.id)).toHaveLength(1);
    await fake.goAway();
    await eventually(() => stateOf(bot)).toMatchObject({ state: 'reconnecting', error_reason: 'platform_failed' });
    const meanwhile = say('meanwhile');
    fake.deliver(meanwhile);
    fake.deliver(meanwhile);
    await fake.comeBack();
    await eventually(() => textsIn(ada.id)).toHaveLength(2);
    await eventually(() => stateOf(bot)).toMatchObject({ state: 'running' });
    fake.deliver(say('after'));
    await eventually(() => textsIn(ada.id)).toHaveLength(3);
    expect(fake.messages).toHaveLength(3);
  });

  it('stops when it is switched off, and then takes what waited', async () => {
    const bot = await createBot();
    await eventually(() => fake.callsOf('getUpdates')).toHaveLength(1);
    await request('PUT', `/api/v1/platform/bots/${bot}`, { enable: false });
    await eventually(() => stateOf(bot)).toMatchObject({ state: 'stopped' });
    fake.deliver(say('Hello?'));
    expect(fake.pending).toBe(1);
    await request('PUT', `/api/v1/platform/bots/${bot}`, { enable: true });
    await eventually(() => textsIn(ada.id)).toHaveLength(1);
  });
});

describe('a Telegram bot with a webhook', () => {
  it('is called by Telegram, and answers each message once', async () => {
    const bot = await createBot({ 'enable-webhook': true });
    await eventually(() => stateOf(bot)).toMatchObject({ state: 'running' });
    expect(fake.webhook?.url).toBe(`${service.address}/bots/${bot}`);
    const message = say('Hi');
    fake.deliver(message);
    fake.deliver(message);
    fake.deliver(ask('Hello, all', { chat: group, from: bob }));
    for (const chat of [ada.id, group.id]) await eventually(() => textsIn(chat)).toHaveLength(1);
    await eventually(() => fake.pending).toBe(0);
    expect(fake.messages).toHaveLength(2);
    expect(fake.callsOf('getUpdates')).toEqual([]);
  });

  it('accepts no other callers', async () => {
    const bot = await createBot({ 'enable-webhook': true });
    await eventually(() => stateOf(bot)).toMatchObject({ state: 'running' });
    const post = (secret: string) =>
      fetch(`${service.address}/bots/${bot}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
        body: JSON.stringify({ update_id: 1, message: say('Hi') }),
      });
    expect((await post('guessed')).status).toBe(401);
    expect((await post('')).status).toBe(401);
    expect((await post(fake.webhook?.secret as string)).status).toBe(200);
    await eventually(() => textsIn(ada.id).length + fake.callsOf('sendMessage').length).toBeGreaterThan(0);
  });

  it('takes no calls while it fetches its messages, and takes the webhook away', async () => {
    fake.setWebhook(`${service.address}/somewhere`);
    const bot = await createBot();
    await eventually(() => fake.callsOf('getUpdates').length).toBeGreaterThan(0);
    expect(fake.webhook).toBeNull();
    const response = await fetch(`${service.address}/bots/${bot}`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(501);
  });
});

describe('the test of a configuration', () => {
  const test = (json: object) => request('POST', '/api/v1/platform/adapters/telegram/test', json);

  it('says who the bot is, without receiving or storing anything', async () => {
    fake.deliver(say('Are you there?'));
    const config = { token: fake.token, api_base_url: fake.apiBaseUrl };
    const { status, body } = await test({ adapter_config: config });
    expect([status, body.data]).toEqual([200, { account_id: '987654321', account_name: '@parrot_bot', findings: [] }]);
    expect(fake.calls.map(({ method }) => method)).toEqual(['getMe']);
    expect(fake.pending).toBe(1);
    const { body: listed } = await request('GET', '/api/v1/platform/bots');
    expect(listed.data.bots.filter(({ adapter }: { adapter: string }) => adapter === 'telegram')).toEqual([]);
  });

  it('takes the stored token for a masked one, and not for another address', async () => {
    const uuid = await createBot();
    const { body } = await request('GET', `/api/v1/platform/bots/${uuid}`);
    const { adapter_config } = body.data.bot;
    expect(adapter_config.token).not.toBe(fake.token);
    expect((await test({ adapter_config, bot_uuid: uuid })).status).toBe(200);
    const elsewhere = { ...adapter_config, api_base_url: 'http://127.0.0.1:9' };
    const refusal = await test({ adapter_config: elsewhere, bot_uuid: uuid });
    expect([refusal.status, refusal.body.reason]).toEqual([400, 'secret_required']);
    // The bot went on all the while.
    expect(await stateOf(uuid)).toMatchObject({ state: 'running' });
  });

  it('says why it does not work, without the token', async () => {
    const wrong = { token: '1:AAwrong-token-0123456789', api_base_url: fake.apiBaseUrl };
    const { status, body, text } = await test({ adapter_config: wrong });
    expect([status, body.reason]).toEqual([502, 'platform_unauthorized']);
    expect(text).not.toContain('AAwrong');
    const silent = await test({ adapter_config: { ...wrong, api_base_url: 'http://127.0.0.1:9' } });
    expect([silent.status, silent.body.reason]).toEqual([502, 'platform_failed']);
    const other = await request('POST', '/api/v1/platform/adapters/websocket/test', { adapter_config: {} });
    expect([other.status, other.body.reason]).toEqual([409, 'conflict']);
    expect((await request('POST', '/api/v1/platform/adapters/nothing/test', { adapter_config: {} })).status).toBe(404);
  });
});
