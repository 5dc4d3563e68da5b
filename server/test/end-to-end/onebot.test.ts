import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type FakeOneBot,
  type FakeOneBotOptions,
  startFakeOneBot,
} from '../../src/platforms/aiocqhttp/testing/fake-onebot.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

/** Waits for what must come, also on a machine that has much to do. */
const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 10_000 });

let service: TestService;
let pipeline: string;
const fakes: FakeOneBot[] = [];
const bots: string[] = [];

beforeAll(async () => {
  service = await startTestService();
  const { body } = await request('GET', '/api/v1/pipelines');
  pipeline = body.data.pipelines[0].uuid;
});
afterAll(() => service.stop());
beforeEach(() => fakes.splice(0));
afterEach(async () => {
  for (const uuid of bots.splice(0)) await request('DELETE', `/api/v1/platform/bots/${uuid}`);
  for (const fake of fakes) await fake.close();
});

const request = (method: string, url: string, json?: unknown) =>
  service.request({ method, url, bearer: service.account.token, ...(json === undefined ? {} : { json }) });

async function client(options: FakeOneBotOptions = {}): Promise<FakeOneBot> {
  const fake = await startFakeOneBot(options);
  fakes.push(fake);
  return fake;
}

async function createBot(adapter_config: Record<string, unknown>, over: object = {}): Promise<string> {
  const { status, text, body } = await request('POST', '/api/v1/platform/bots', {
    name: 'Parrot',
    adapter: 'aiocqhttp',
    adapter_config,
    enable: true,
    use_pipeline_uuid: pipeline,
    ...over,
  });
  if (status !== 200) throw new Error(text);
  bots.push(body.data.uuid);
  return body.data.uuid;
}

async function botOf(uuid: string) {
  const { body } = await request('GET', `/api/v1/platform/bots/${uuid}`);
  return body.data.bot;
}

const stateOf = async (uuid: string) => (await botOf(uuid)).adapter_runtime_values;
const textsIn = (fake: FakeOneBot, type: string) =>
  fake.sent().flatMap(({ chat, text }) => (chat.session_type === type ? [text] : []));

describe('a QQ bot', () => {
  it('answers with a configuration as the reference system saves it', async () => {
    const fake = await client();
    const { port, 'access-token': token } = fake.config();
    const uuid = await createBot({ host: '127.0.0.1', port: String(port), 'access-token': token });
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'running', bot_account_id: '10000' });
    expect((await botOf(uuid)).adapter_config).toMatchObject({ port, connection: 'reverse', 'require-token': false });
    const { id } = await fake.deliver({ text: 'from Ada' });
    await fake.redeliver(id);
    await fake.deliver({ chat: fake.group(), mention: 'account', text: ' from the group' });
    await eventually(() => textsIn(fake, 'person')).toHaveLength(1);
    await eventually(() => textsIn(fake, 'group')).toHaveLength(1);
    await fake.deliver({ text: 'once more' });
    await eventually(() => textsIn(fake, 'person')).toHaveLength(2);
    expect(textsIn(fake, 'group')[0]).toMatch(/^@10001/);
    // Its client sends back what it has read, with everything that it knows.
    const { name, adapter, adapter_config } = await botOf(uuid);
    const edited = { name, description: 'edited', adapter, adapter_config, enable: true };
    expect((await request('PUT', `/api/v1/platform/bots/${uuid}`, edited)).status).toBe(200);
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'running' });
    await fake.deliver({ text: 'after the edit' });
    await eventually(() => textsIn(fake, 'person')).toHaveLength(3);
    expect(fake.violations()).toEqual([]);
  });

  it('stores pictures, with the name of their group', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const fake = await client();
    await createBot(fake.config());
    const media = [{ kind: 'image' as const, name: 'look.png', content: png }];
    await fake.deliver({ chat: fake.group(), mention: 'account', text: 'Look', media });
    await eventually(() => textsIn(fake, 'group')).toHaveLength(1);
    const row = await service.database
      .selectFrom('messages')
      .select(['message_chain', 'facts'])
      .where('text', 'like', '%Look%')
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row.message_chain)).toMatch(/"path\\*":/);
    expect(JSON.stringify(row.facts)).toContain('Group 20001');
  });

  it('connects to the client in forward mode, and tells why it cannot', async () => {
    const fake = await client({ mode: 'forward' });
    const tested = (adapter_config: object) =>
      request('POST', '/api/v1/platform/adapters/aiocqhttp/test', { adapter_config });
    expect((await tested(fake.config())).body.data).toMatchObject({ account_id: '10000', account_name: 'Parrot' });
    expect((await tested({ ...fake.config(), 'access-token': 'wrong' })).body.reason).toBe('platform_unauthorized');
    const uuid = await createBot(fake.config());
    await fake.deliver({ text: 'Hello' });
    await eventually(() => textsIn(fake, 'person')).toHaveLength(1);
    fake.revoke();
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'error', error_reason: 'platform_unauthorized' });
  });

  it('is reached at its webhook URL', async () => {
    const fake = await client({ mode: 'webhook' });
    const uuid = await createBot(fake.config());
    const { webhook_url } = await stateOf(uuid);
    expect(webhook_url).toBe(`/bots/${uuid}`);
    fake.enterAddress({ url: `${service.address}${webhook_url}` });
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'running' });
    await fake.deliver({ text: 'Hello' });
    await eventually(() => textsIn(fake, 'person')).toHaveLength(1);
  });

  it('does not start beyond this machine without a token, when it is new', async () => {
    const { body } = await request('GET', '/api/v1/platform/adapters/aiocqhttp');
    const fields: { name: string; default: unknown }[] = body.data.adapter.spec.config;
    const initial = Object.fromEntries(fields.map((field) => [field.name, field.default]));
    expect(initial).toMatchObject({ host: '127.0.0.1', 'require-token': true });
    const uuid = await createBot({ ...initial, host: '0.0.0.0' });
    const expected = {
      state: 'error',
      error_reason: 'invalid_request',
      error: expect.stringContaining('access-token'),
    };
    await eventually(() => stateOf(uuid)).toMatchObject(expected);
    const answer = await request('POST', '/api/v1/platform/adapters/aiocqhttp/test', {
      adapter_config: { ...initial, host: '0.0.0.0' },
    });
    expect(answer.body.data.findings).toMatchObject([{ level: 'error', field: 'access-token' }]);
  });

  it('holds messages while its client is away, and sends them afterwards', async () => {
    const fake = await client();
    const uuid = await createBot(fake.config());
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'running' });
    await fake.goAway();
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'reconnecting', error: 'No QQ client is connected' });
    await fake.deliver({ text: 'meanwhile' });
    await fake.comeBack();
    await eventually(() => textsIn(fake, 'person')).toHaveLength(1);
  });

  it('writes to users and groups unasked, and tells why when it cannot', async () => {
    const fake = await client();
    const uuid = await createBot(fake.config());
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'running' });
    const { key } = await service.createApiKey();
    const send = (target_type: string, target_id: string, ...message_chain: object[]) =>
      service.request({
        method: 'POST',
        url: `/api/v1/platform/bots/${uuid}/send_message`,
        apiKey: key,
        json: { target_type, target_id, message_chain },
      });
    const hello = { type: 'Plain', text: 'Good morning' };
    expect(await send('person', '10001', hello)).toMatchObject({ status: 200, body: { data: { sent: true } } });
    expect(await send('group', '20001', hello, { type: 'AtAll' })).toMatchObject({ status: 200 });
    expect(fake.sent().map(({ chat, notifies }) => [chat.session_id, notifies])).toEqual([
      ['10001', []],
      ['20001', ['everyone']],
    ]);
    const unknown = await send('group', '20404', hello);
    expect([unknown.status, unknown.body.reason]).toEqual([422, 'unknown_target']);
    const topic = await send('group', '20001#7', hello);
    expect([topic.status, topic.body.reason]).toEqual([400, 'invalid_request']);
    const empty = await send('person', '10001', { type: 'Quote', id: 1, origin: [] });
    expect([empty.status, empty.body.reason]).toEqual([422, 'unsupported_element']);
  });

  it('shows its token to nobody', async () => {
    const fake = await client();
    await createBot(fake.config());
    // The port is taken.
    const uuid = await createBot(fake.config(), { name: 'Second' });
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'error', error_reason: 'conflict' });
    const logs = await request('POST', `/api/v1/platform/bots/${uuid}/logs`, { from_index: -1, max_count: 50 });
    expect(logs.status).toBe(200);
    expect(JSON.stringify([await botOf(uuid), logs.body])).not.toContain(fake.token);
  });
});
