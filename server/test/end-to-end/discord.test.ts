import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeDiscord, startFakeDiscord } from '../../src/platforms/discord/testing/fake-discord.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

/** Waits for what must come, also on a machine that has much to do. */
const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 15_000 });

let fake: FakeDiscord;
beforeEach(async () => {
  fake = await startFakeDiscord();
});
afterEach(() => fake.close());

/** As the reference saves it: texts throughout. The address leads to the fake. */
const saved = () => ({
  client_id: fake.bot.applicationId,
  token: fake.bot.token,
  'enable-stream-reply': 'false',
  api_base_url: fake.apiBaseUrl,
});

describe('a Discord bot', () => {
  let service: TestService;
  let pipeline: string;
  const bots: string[] = [];
  beforeAll(async () => {
    service = await startTestService();
    const { body } = await request('GET', '/api/v1/pipelines');
    pipeline = body.data.pipelines[0].uuid;
  });
  afterAll(() => service.stop());
  afterEach(async () => {
    for (const uuid of bots.splice(0)) await request('DELETE', `/api/v1/platform/bots/${uuid}`);
  });

  const request = (method: string, url: string, json?: unknown) =>
    service.request({ method, url, bearer: service.account.token, ...(json === undefined ? {} : { json }) });

  async function createBot(config: Record<string, unknown> = {}): Promise<string> {
    const adapter_config = { ...saved(), ...config };
    const json = { name: 'Parrot', adapter: 'discord', adapter_config, enable: true, use_pipeline_uuid: pipeline };
    const { status, text, body } = await request('POST', '/api/v1/platform/bots', json);
    if (status !== 200) throw new Error(text);
    bots.push(body.data.uuid);
    await eventually(() => stateOf(body.data.uuid)).not.toBe('connecting');
    return body.data.uuid;
  }

  async function runtimeOf(uuid: string) {
    const { body } = await request('GET', `/api/v1/platform/bots/${uuid}`);
    return body.data.bot.adapter_runtime_values;
  }
  const stateOf = async (uuid: string) => (await runtimeOf(uuid)).state;

  it('answers a person, a channel and a thread, each message once, however often it is delivered', async () => {
    const bot = await createBot();
    await eventually(() => runtimeOf(bot)).toMatchObject({ state: 'running', bot_account_id: fake.accountId });
    const chats = [fake.person(), fake.group(), fake.thread()];
    for (const chat of chats) {
      const { id } = await fake.deliver({ chat, text: 'Are you there?', mention: 'account' });
      await fake.redeliver(id);
    }
    await eventually(() => fake.sent().length).toBe(3);
    // Whatever is answered twice is answered before what comes later.
    await fake.deliver({ text: 'And now?' });
    await eventually(() => fake.sent().length).toBe(4);
    expect(fake.sent().map(({ chat }) => chat)).toEqual(expect.arrayContaining(chats));
    expect(fake.violations()).toEqual([]);
    const { text } = await request('GET', `/api/v1/platform/bots/${bot}`);
    expect(text).not.toContain(fake.bot.token);
  });

  it('writes to a person, a channel and a thread unasked, and tells why when it cannot', async () => {
    const bot = await createBot();
    const { key } = await service.createApiKey();
    const send = (target_type: string, target_id: string, ...message_chain: object[]) =>
      service.request({
        method: 'POST',
        url: `/api/v1/platform/bots/${bot}/send_message`,
        apiKey: key,
        json: { target_type, target_id, message_chain },
      });
    const hello = { type: 'Plain', text: 'Good **morning** @everyone' };
    const { session_id: channel, thread_id: thread } = fake.thread();
    for (const [type, id] of [
      ['person', fake.userId],
      ['group', channel],
      ['group', `${channel}_${thread}`],
    ] as const) {
      expect(await send(type, id, hello)).toMatchObject({ status: 200, body: { data: { sent: true } } });
    }
    expect(fake.sent().map(({ chat }) => chat)).toEqual([fake.person(), fake.group(), fake.thread()]);
    expect(fake.sent().flatMap(({ notifies }) => notifies)).toEqual([]);
    expect(await send('group', '#general', hello)).toMatchObject({ status: 400, body: { reason: 'invalid_request' } });
    const unknown = await send('group', '404', hello);
    expect(unknown.body).toMatchObject({ reason: 'unknown_target', msg: 'Discord: Unknown Channel' });
    expect(fake.sent()).toHaveLength(3);
  });

  it('names the missing intent on its record, until it was switched on', async () => {
    fake.bot.flags = 0;
    const bot = await createBot();
    await eventually(() => runtimeOf(bot)).toMatchObject({
      state: 'error',
      error_reason: 'invalid_request',
      error: expect.stringContaining('Message Content Intent'),
    });
    const attempts = fake.connections().attempts;
    fake.bot.flags = 1 << 19;
    await request('PUT', `/api/v1/platform/bots/${bot}`, { enable: false });
    await request('PUT', `/api/v1/platform/bots/${bot}`, { enable: true });
    await eventually(() => stateOf(bot)).toBe('running');
    expect(fake.connections().attempts).toBe(attempts + 1);
  });

  it('is tested with findings that name the fix', async () => {
    fake.bot.flags = 0;
    const { status, body } = await request('POST', '/api/v1/platform/adapters/discord/test', {
      adapter_config: { ...saved(), client_id: '5' },
    });
    expect([status, body.data]).toMatchObject([200, { account_id: fake.accountId, account_name: 'parrot' }]);
    expect(body.data.findings.map(({ field }: { field: string }) => field)).toEqual(['token', 'client_id']);
  });
});
