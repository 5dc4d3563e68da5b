import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FakeWecomBot, startFakeWecomBot } from '../../src/platforms/wecombot/testing/fake-wecombot.ts';
import { eventually } from '../factories/eventually.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

let service: TestService;
let pipeline: string;
const fakes: FakeWecomBot[] = [];
const bots: string[] = [];

beforeAll(async () => {
  service = await startTestService();
  const { body } = await request('GET', '/api/v1/pipelines');
  pipeline = body.data.pipelines[0].uuid;
});
afterAll(() => service.stop());
afterEach(async () => {
  for (const uuid of bots.splice(0)) await request('DELETE', `/api/v1/platform/bots/${uuid}`);
  for (const fake of fakes.splice(0)) {
    expect(fake.violations()).toEqual([]);
    await fake.close();
  }
});

const request = (method: string, url: string, json?: unknown) =>
  service.request({ method, url, bearer: service.account.token, ...(json === undefined ? {} : { json }) });

async function createBot(mode: 'webhook' | 'socket', over: object = {}) {
  const fake = await startFakeWecomBot({ mode });
  fakes.push(fake);
  const { status, text, body } = await request('POST', '/api/v1/platform/bots', {
    name: 'Parrot',
    adapter: 'wecombot',
    adapter_config: { ...fake.config(), ...over },
    enable: true,
    use_pipeline_uuid: pipeline,
  });
  if (status !== 200) throw new Error(text);
  const uuid: string = body.data.uuid;
  bots.push(uuid);
  fake.enterAddress({ url: `${service.address}/bots/${uuid}` });
  const state = async () =>
    (await request('GET', `/api/v1/platform/bots/${uuid}`)).body.data.bot.adapter_runtime_values;
  return { fake, uuid, state };
}

const textsIn = (fake: FakeWecomBot, type: string) =>
  fake.sent().flatMap(({ chat, text, isUnfinished }) => (chat.session_type === type && !isUnfinished ? [text] : []));

describe('a bot of WeCom by webhook', () => {
  it('answers in the stream that WeCom fetches, once', async () => {
    const { fake, state } = await createBot('webhook');
    await eventually(state).toMatchObject({ state: 'running', bot_account_id: fake.accountId });
    const { id, outcome } = await fake.deliver({ text: 'from Ada' });
    expect(outcome).toBe('acknowledged');
    await fake.redeliver(id);
    await fake.deliver({ chat: fake.group(), mention: 'account', text: 'from the team' });
    await eventually(() => textsIn(fake, 'person').join()).toContain('from Ada');
    await eventually(() => textsIn(fake, 'group').join()).toContain('from the team');
    expect(fake.sent()).toHaveLength(2);
    for (const how of ['wrong_signature', 'replayed', 'of_another_bot'] as const) {
      expect(await fake.forge(how)).not.toContain('acknowledged');
    }
  });

  it('answers the verification of its address also after a failed start', async () => {
    const { fake, state } = await createBot('webhook', { BotId: '' });
    await eventually(state).toMatchObject({ state: 'error', error_reason: 'invalid_request' });
    expect(await fake.verifyAddress('right')).toBe(true);
    expect(await fake.verifyAddress('wrong')).toBe(false);
  });

  it('greets a user in the response to the event, and refuses unsolicited messages', async () => {
    const { fake, uuid, state } = await createBot('webhook', { welcome_text: 'Welcome!' });
    await eventually(state).toMatchObject({ state: 'running' });
    await fake.addBot();
    await eventually(() => textsIn(fake, 'person')).toEqual(['Welcome!']);
    const { key } = await service.createApiKey();
    const json = { target_type: 'person', target_id: 'ada', message_chain: [{ type: 'Plain', text: 'News' }] };
    const url = `/api/v1/platform/bots/${uuid}/send_message`;
    expect(await service.request({ method: 'POST', url, apiKey: key, json })).toMatchObject({
      status: 422,
      body: { reason: 'reply_expired' },
    });
  });
});

describe('a bot of WeCom with a long connection', () => {
  it('stays disconnected after a takeover until it is saved', async () => {
    const { fake, uuid, state } = await createBot('socket');
    await eventually(state).toMatchObject({ state: 'running' });
    fake.takeOver();
    await eventually(state).toMatchObject({
      state: 'error',
      error_reason: 'invalid_request',
      error: expect.stringContaining('Another program connected with this bot ID'),
    });
    expect(fake.connections()).toEqual({ open: 0, attempts: 1 });
    await request('PUT', `/api/v1/platform/bots/${uuid}`, { enable: false });
    await request('PUT', `/api/v1/platform/bots/${uuid}`, { enable: true });
    await eventually(state).toMatchObject({ state: 'running' });
  });

  it('greets users, and stores what they think of an answer', async () => {
    const { fake, state } = await createBot('socket', { welcome_text: 'Welcome!' });
    await eventually(state).toMatchObject({ state: 'running' });
    await fake.addBot();
    await eventually(() => textsIn(fake, 'person')).toEqual(['Welcome!']);
    const { id } = await fake.deliver({ text: 'Hello' });
    await eventually(() => textsIn(fake, 'person')).toHaveLength(2);
    const stream = fake.sent()[1]?.id;
    await fake.judge(`${stream} ${id}`, 1, 'Nice');
    const feedback = () => service.database.selectFrom('feedbacks').selectAll().execute();
    await eventually(feedback).toMatchObject([
      { feedback_type: 1, feedback_content: 'Nice', stream_id: stream, message_uuid: expect.any(String) },
    ]);
  });
});
