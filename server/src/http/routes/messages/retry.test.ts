import { DeliveryError, ParleyError, type Runner } from '@parley/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakePlatform } from '../../../../test/factories/fake-platform.ts';
import { startTestService, type TestService } from '../../../../test/factories/start-test-service.ts';
import { messageEvent, plain } from '../../../../test/stores/ledger-records.ts';
import { newUuid } from '../../../lib/uuid.ts';

const fake = createFakePlatform();
const runner: Runner = {
  name: 'echo',
  label: { en_US: 'Echo' },
  async *answer({ text }) {
    yield { type: 'text', text: `You said: ${text}` };
  },
};
const refused = new ParleyError('unknown_target', 'Unknown recipient');
const unknown = new DeliveryError('unknown', 'platform_failed', 'No answer');

let service: TestService;
let bot: string;

const call = (method: string, url: string, json?: object, more: object = { bearer: service.account.token }) =>
  service.request({ method, url, ...(json === undefined ? {} : { json }), ...more });
const get = async (url: string) => (await call('GET', url)).body.data;
const retry = (uuid: string, part = 0, more?: object) =>
  call('POST', `/api/v1/messages/${uuid}/deliveries/${part}/retry`, undefined, more);
const stateOf = async (uuid: string) => (await get(`/api/v1/messages/${uuid}`)).message.state;
const sentTexts = () => fake.sent.map(({ message_chain }) => message_chain);
/** A message whose answer ends in some state. */
const asked = async (text: string, state: string) => {
  const adapter = fake.adapters.at(-1);
  if (adapter === undefined) throw new Error('there is no bot');
  const { uuid } = await adapter.context.receive(messageEvent(text, { session_id: newUuid(), sender_id: 'ada' }));
  await expect.poll(() => stateOf(uuid)).toBe(state);
  return uuid;
};
const failOnce = (failure: Error) => {
  fake.refuse = () => {
    fake.refuse = () => {};
    throw failure;
  };
};

beforeAll(async () => {
  service = await startTestService({ extensions: { platforms: [fake.platform], runners: [runner] } });
  const [{ uuid: pipeline }] = (await get('/api/v1/pipelines')).pipelines;
  const { config } = (await get(`/api/v1/pipelines/${pipeline}`)).pipeline;
  config.ai.runner.runner = 'echo';
  await call('PUT', `/api/v1/pipelines/${pipeline}`, { config });
  const made = { name: 'Parrot', adapter: 'fake', adapter_config: {}, enable: true, use_pipeline_uuid: pipeline };
  bot = (await call('POST', '/api/v1/platform/bots', made)).body.data.uuid;
  await vi.waitFor(() => expect(fake.up()).toHaveLength(1));
});
afterAll(() => service.stop());
beforeEach(() => {
  fake.sent.length = 0;
  fake.refuse = () => {};
});

describe('sending a part of an answer again', () => {
  it.each([
    ['failed', refused],
    ['uncertain', unknown],
  ])('delivers a %s one once, and says so in the audit log', async (state, failure) => {
    failOnce(failure);
    const uuid = await asked(state, state);
    expect(fake.sent).toEqual([]);
    const answered = await retry(uuid);
    expect(answered.body, answered.text).toMatchObject({
      code: 0,
      data: { message_uuid: uuid, part: 0, state: 'pending' },
    });
    await expect.poll(() => stateOf(uuid)).toBe('answered');
    expect(sentTexts()).toEqual([plain(`You said: ${state}`)]);
    const { answer } = await get(`/api/v1/messages/${uuid}`);
    expect(answer.deliveries).toMatchObject([{ piece: 0, state: 'sent', reason: null, error: null }]);
    const { entries } = await get('/api/v1/audit?limit=1');
    expect(entries[0]).toMatchObject({ action: 'message.retry', record_id: `${uuid}/0` });
    // By the uuid of the answer as well, which was delivered now.
    const again = await retry(answer.message.uuid);
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ reason: 'conflict' });
    expect(fake.sent).toHaveLength(1);
  });

  it('answers a repeated request as the first one', async () => {
    failOnce(refused);
    const uuid = await asked('twice', 'failed');
    const more = { bearer: service.account.token, headers: { 'idempotency-key': newUuid() } };
    const first = await retry(uuid, 0, more);
    expect(first.status, first.text).toBe(200);
    await expect.poll(() => stateOf(uuid)).toBe('answered');
    const second = await retry(uuid, 0, more);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(fake.sent).toHaveLength(1);
  });

  it('can fail again', async () => {
    failOnce(refused);
    const uuid = await asked('again', 'failed');
    failOnce(refused);
    expect((await retry(uuid)).status).toBe(200);
    await expect.poll(async () => (await get(`/api/v1/messages/${uuid}`)).message.finished_at).not.toBeNull();
    expect(await stateOf(uuid)).toBe('failed');
    expect(fake.sent).toEqual([]);
  });

  it('is refused for what is not there or was delivered, and for malformed requests', async () => {
    const uuid = await asked('fine', 'answered');
    expect((await retry(uuid)).status).toBe(409);
    expect((await retry(uuid, 1)).status).toBe(404);
    expect((await retry(newUuid())).status).toBe(404);
    for (const part of ['-1', 'x', '1.5', '99999999999']) {
      expect((await retry(uuid, part as never)).status, part).toBe(404);
    }
    expect((await retry('nothing')).status).toBe(404);
  });

  it('needs the right to send', async () => {
    const uuid = await asked('rights', 'answered');
    const { key } = await service.createApiKey(['read']);
    expect((await retry(uuid, 0, { apiKey: key })).status).toBe(403);
    const sender = await service.createApiKey(['send']);
    expect((await retry(uuid, 0, { apiKey: sender.key })).status).toBe(409);
    expect((await retry(uuid, 0, {})).status).toBe(401);
  });

  it('is refused while the bot is not connected', async () => {
    failOnce(refused);
    const uuid = await asked('away', 'failed');
    await call('PUT', `/api/v1/platform/bots/${bot}`, { enable: false });
    const answered = await retry(uuid);
    expect(answered.body).toMatchObject({ reason: 'bot_not_running' });
    expect(await stateOf(uuid)).toBe('failed');
    await call('PUT', `/api/v1/platform/bots/${bot}`, { enable: true });
    await vi.waitFor(() => expect(fake.up()).toHaveLength(1));
    expect((await retry(uuid)).status).toBe(200);
    await expect.poll(() => stateOf(uuid)).toBe('answered');
  });
});

describe('a message that a program sends', () => {
  const send = (text: string) =>
    call('POST', `/api/v1/platform/bots/${bot}/send_message`, {
      target_type: 'person',
      target_id: newUuid(),
      message_chain: plain(text),
    });
  const latest = async () => (await get('/api/v1/messages?limit=1')).messages[0];

  it('is sent again at once', async () => {
    failOnce(unknown);
    expect((await send('News')).status).toBe(502);
    const message = await latest();
    expect(message).toMatchObject({ direction: 'outbound', delivery_state: 'uncertain' });
    expect((await retry(message.uuid)).body.data).toMatchObject({ state: 'sent' });
    expect(await latest()).toMatchObject({ delivery_state: 'sent' });
    expect(sentTexts()).toEqual([plain('News')]);
    expect((await retry(message.uuid)).status).toBe(409);
  });

  it('tells its caller why it failed again', async () => {
    failOnce(refused);
    expect((await send('Old')).body).toMatchObject({ reason: 'unknown_target' });
    const { uuid } = await latest();
    failOnce(refused);
    expect((await retry(uuid)).body).toMatchObject({ reason: 'unknown_target' });
    expect(await latest()).toMatchObject({ uuid, delivery_state: 'failed' });
  });
});
