import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FakeSlack, startFakeSlack } from '../../src/platforms/slack/testing/fake-slack.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

/** Waits for what must come, also on a machine that has much to do. */
const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 10_000 });

let service: TestService;
let pipeline: string;
const fakes: FakeSlack[] = [];
const bots: string[] = [];

beforeAll(async () => {
  service = await startTestService();
  const { body } = await request('GET', '/api/v1/pipelines');
  pipeline = body.data.pipelines[0].uuid;
});
afterAll(() => service.stop());
afterEach(async () => {
  for (const uuid of bots.splice(0)) await request('DELETE', `/api/v1/platform/bots/${uuid}`);
  for (const fake of fakes.splice(0)) await fake.close();
});

const request = (method: string, url: string, json?: unknown) =>
  service.request({ method, url, bearer: service.account.token, ...(json === undefined ? {} : { json }) });

async function workspace(mode: 'webhook' | 'socket'): Promise<FakeSlack> {
  const fake = await startFakeSlack(mode);
  fakes.push(fake);
  return fake;
}

async function createBot(fake: FakeSlack, adapter_config: Record<string, unknown>): Promise<string> {
  const { status, text, body } = await request('POST', '/api/v1/platform/bots', {
    name: 'Parrot',
    adapter: 'slack',
    adapter_config,
    enable: true,
    use_pipeline_uuid: pipeline,
  });
  if (status !== 200) throw new Error(text);
  const { uuid } = body.data;
  bots.push(uuid);
  fake.enterAddress({ url: `${service.address}/bots/${uuid}` });
  return uuid;
}

async function stateOf(uuid: string) {
  const { body } = await request('GET', `/api/v1/platform/bots/${uuid}`);
  return body.data.bot.adapter_runtime_values;
}

const textsIn = (fake: FakeSlack, type: string, thread = '') =>
  fake.sent().flatMap(({ chat, text }) => (chat.session_type === type && chat.thread_id === thread ? [text] : []));

describe('a Slack bot', () => {
  it('answers at its webhook with a configuration as the reference system saves it', async () => {
    const fake = await workspace('webhook');
    const { bot_token, signing_secret, api_base_url } = fake.config();
    const saved = { webhook_url: 'shown only', bot_token, signing_secret, api_base_url };
    const uuid = await createBot(fake, saved);
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'running', bot_account_id: 'U0PARROT' });
    expect(await fake.verifyAddress()).toBe(true);
    expect(await fake.verifyAddress('wrong')).toBe(false);
    const { id } = await fake.deliver({ text: 'from Ada' });
    await fake.redeliver(id);
    const mentioned = await fake.deliver({ chat: fake.group(), mention: 'account', text: 'from the channel' });
    await fake.redeliver(mentioned.id, { asOtherKind: true });
    await fake.deliver({ chat: fake.thread(), mention: 'account', text: 'from the thread' });
    await eventually(() => textsIn(fake, 'person')).toHaveLength(1);
    await eventually(() => textsIn(fake, 'group')).toHaveLength(1);
    await eventually(() => textsIn(fake, 'group', fake.thread().thread_id)).toHaveLength(1);
    await fake.deliver({ text: 'once more' });
    await eventually(() => textsIn(fake, 'person')).toHaveLength(2);
    expect(fake.sent()).toHaveLength(4);
    expect(await fake.forge('wrong_signature')).toEqual(['refused']);
    expect(fake.violations()).toEqual([]);
  });

  it('answers in socket mode, while the answer grows', async () => {
    const fake = await workspace('socket');
    const uuid = await createBot(fake, fake.config());
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'running' });
    expect((await fake.deliver({ text: 'Hello' })).outcome).toBe('acknowledged');
    await eventually(() => textsIn(fake, 'person').join()).toMatch(/demo/i);
    expect(fake.sent()).toHaveLength(1);
    await fake.goAway();
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'reconnecting' });
    await fake.comeBack();
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'running' });
  });

  it('answers the verification of its address before its token is right', async () => {
    const fake = await workspace('webhook');
    const uuid = await createBot(fake, { ...fake.config(), bot_token: 'xoxb-wrong' });
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'error', error_reason: 'platform_unauthorized' });
    expect(await fake.verifyAddress()).toBe(true);
  });

  it('is tested with findings, and needs something to receive with', async () => {
    const fake = await workspace('webhook');
    const tested = (over: object) =>
      request('POST', '/api/v1/platform/adapters/slack/test', { adapter_config: { ...fake.config(), ...over } });
    expect((await tested({})).body.data).toMatchObject({
      account_id: 'U0PARROT',
      account_name: 'parrot',
      findings: [],
    });
    expect((await tested({ bot_token: 'xoxb-wrong' })).body.reason).toBe('platform_unauthorized');
    expect((await tested({ signing_secret: '' })).body.reason).toBe('invalid_request');
  });

  it('writes to users, channels and threads unasked, and tells why when it cannot', async () => {
    const fake = await workspace('webhook');
    const uuid = await createBot(fake, fake.config());
    await eventually(() => stateOf(uuid)).toMatchObject({ state: 'running' });
    const { key } = await service.createApiKey();
    const send = (target_type: string, target_id: string, ...message_chain: object[]) =>
      service.request({
        method: 'POST',
        url: `/api/v1/platform/bots/${uuid}/send_message`,
        apiKey: key,
        json: { target_type, target_id, message_chain },
      });
    const hello = { type: 'Plain', text: 'Good *morning* <!everyone>' };
    const { session_id: channel, thread_id: thread } = fake.thread();
    expect(await send('person', 'U0ADA', hello)).toMatchObject({ status: 200 });
    expect(await send('group', channel, hello)).toMatchObject({ status: 200 });
    expect(await send('group', `${channel}#${thread}`, hello)).toMatchObject({ status: 200 });
    expect(fake.sent().map(({ chat, notifies }) => [chat.session_id, chat.thread_id, notifies])).toEqual([
      ['U0ADA', '', []],
      [channel, '', []],
      [channel, thread, []],
    ]);
    expect((await send('person', 'U0NOBODY', hello)).body.reason).toBe('unknown_target');
    expect((await send('group', 'not a channel', hello)).body.reason).toBe('invalid_request');
  });
});
