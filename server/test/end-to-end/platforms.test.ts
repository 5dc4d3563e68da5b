import type { FakeChat, FakePlatform } from '@parley/sdk/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../factories/eventually.ts';
import { fakedPlatforms } from '../factories/faked-platforms.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

/** As a program names a chat. */
const targetOf = ({ session_id, thread_id }: FakeChat, separator: string) =>
  thread_id === '' ? session_id : session_id + separator + thread_id;

describe.each(Object.entries(fakedPlatforms))('a bot of %s', (adapter, { start, saved, separator = '_' }) => {
  let service: TestService;
  let pipeline: string;
  let fake: FakePlatform;
  let bot: string;
  beforeAll(async () => {
    service = await startTestService();
    const { body } = await request('GET', '/api/v1/pipelines');
    pipeline = body.data.pipelines[0].uuid;
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    fake = await start();
    const json = { name: 'Parrot', adapter, adapter_config: saved(fake), enable: true, use_pipeline_uuid: pipeline };
    const { status, text, body } = await request('POST', '/api/v1/platform/bots', json);
    if (status !== 200) throw new Error(text);
    bot = body.data.uuid;
    await eventually(runtime).toMatchObject({ state: 'running', bot_account_id: fake.accountId });
  });
  afterEach(async () => {
    await request('DELETE', `/api/v1/platform/bots/${bot}`);
    expect(fake.violations()).toEqual([]);
    await fake.close();
  });

  const request = (method: string, url: string, json?: unknown) =>
    service.request({ method, url, bearer: service.account.token, ...(json === undefined ? {} : { json }) });
  const runtime = async () =>
    (await request('GET', `/api/v1/platform/bots/${bot}`)).body.data.bot.adapter_runtime_values;
  /** The chats that the platform has. */
  const chats = () => [fake.person(), fake.group(), fake.thread()].filter((chat) => chat !== null);

  it('answers each message once, however often it is delivered', async () => {
    for (const chat of chats()) {
      const { id } = await fake.deliver({ chat, text: 'Are you there?', mention: 'account' });
      await fake.redeliver(id).catch(() => undefined);
    }
    await eventually(() => fake.sent().length).toBe(chats().length);
    // Whatever is answered twice is answered before what comes later.
    await fake.deliver({ text: 'And now?' });
    await eventually(() => fake.sent().length).toBe(chats().length + 1);
    expect(fake.sent().map(({ chat }) => chat)).toEqual(expect.arrayContaining(chats()));
  });

  it('stores the content of files', async () => {
    const content = new TextEncoder().encode(`A list for ${adapter}`);
    await fake.deliver({ text: 'Look', media: [{ kind: 'file', name: 'list.txt', content }] });
    await eventually(() => fake.sent().length).toBe(1);
    const files = await service.database.selectFrom('files').select('size').where('purpose', '=', 'media').execute();
    expect(files).toEqual([{ size: content.length }]);
  });

  it('writes unasked to each kind of chat, and tells why when it cannot', async () => {
    const { key } = await service.createApiKey();
    const send = (target_type: string, target_id: string) =>
      service.request({
        method: 'POST',
        url: `/api/v1/platform/bots/${bot}/send_message`,
        apiKey: key,
        json: { target_type, target_id, message_chain: [{ type: 'Plain', text: 'Good morning' }] },
      });
    for (const chat of chats()) {
      const { status, text } = await send(chat.session_type, targetOf(chat, separator));
      expect([status, text]).toEqual([200, expect.stringContaining('"sent":true')]);
    }
    expect(fake.sent().map(({ chat, text }) => [chat, text])).toEqual(chats().map((chat) => [chat, 'Good morning']));
    const { session_type, session_id } = fake.unknownChat();
    expect(await send(session_type, session_id)).toMatchObject({ status: 422, body: { reason: 'unknown_target' } });
  });

  it('keeps its secrets', async () => {
    const { text } = await request('GET', `/api/v1/platform/bots/${bot}`);
    const secrets = Object.entries(saved(fake))
      .filter(([name]) => /secret|token|key/i.test(name))
      .map(([, value]) => String(value))
      .filter((value) => value !== '');
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});
