import { afterAll, describe, expect, it } from 'vitest';
import { startTestService } from '../factories/start-test-service.ts';
import { createTrackedPlatform } from '../factories/tracked-platform.ts';
import { ReferenceClient, unknownUuid } from './reference-client.ts';

const tracked = createTrackedPlatform('tracked');
const line = createTrackedPlatform('LINE');
const service = await startTestService({ extensions: { platforms: [tracked.platform, line.platform] } });
const client = new ReferenceClient(service);
const adapters = '/api/v1/platform/adapters';
const list = '/api/v1/platform/bots';
const token = 'token-0123456789abcdef';
const form = { name: 'A bot', description: 'for tests', adapter: 'tracked', adapter_config: { token } };
let bot = '';
let pipeline = '';

afterAll(() => service.stop());

const shown = async () => (await client.get(`${list}/${bot}`)).bot;

describe('the list of adapters', () => {
  it('GET /api/v1/platform/adapters: what the form of each needs, without the web chat', async () => {
    const { adapters: all } = await client.get(adapters);
    const names = all.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['telegram', 'tracked']));
    expect(names).not.toContain('websocket');
    const telegram = all.find(({ name }: { name: string }) => name === 'telegram');
    expect(telegram).toMatchObject({ label: { en_US: 'Telegram' }, description: { en_US: expect.any(String) } });
    expect(telegram.spec.categories).toContain('popular');
    expect(telegram.spec.config[0]).toMatchObject({ name: 'token', type: 'string', required: true });
  });

  it('GET /api/v1/platform/adapters/{adapter_name}: one of them, the web chat included', async () => {
    expect((await client.get(`${adapters}/telegram`)).adapter.name).toBe('telegram');
    expect((await client.get(`${adapters}/websocket`)).adapter.name).toBe('websocket');
    expect(await client.refused('GET', `${adapters}/nothing`)).toMatchObject({ status: 404, msg: 'adapter not found' });
  });

  it('GET /api/v1/platform/adapters/{adapter_name}/icon: a picture for an <img>, without a credential', async () => {
    const answer = await fetch(`${service.address}${adapters}/telegram/icon`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect((await fetch(`${service.address}${adapters}/nothing/icon`)).status).toBe(404);
  });
});

describe('the bot form', () => {
  it('POST /api/v1/platform/bots: makes a bot that is off, bound to the default pipeline', async () => {
    const made = await client.post(list, { ...form, enable: false });
    expect(made).toEqual({ uuid: expect.any(String) });
    bot = made.uuid;
    const { pipelines } = await client.get('/api/v1/pipelines');
    pipeline = pipelines.find(({ is_default }: { is_default: boolean }) => is_default).uuid;
    expect(await shown()).toMatchObject({ enable: false, use_pipeline_uuid: pipeline });
    expect(tracked.attempts.size).toBe(0);

    const before = await client.get(list);
    for (const wrong of [
      { ...form, adapter: 'nothing' },
      { ...form, adapter_config: {} },
      { ...form, use_pipeline_uuid: unknownUuid },
      { ...form, name: undefined },
    ]) {
      expect((await client.refused('POST', list, wrong)).status).toBe(400);
    }
    expect(await client.get(list)).toEqual(before);

    const { uuid: enabled } = await client.post(list, { ...form, name: 'On', enable: true });
    await expect.poll(() => tracked.running.get(enabled)?.token).toBe(token);
    await client.delete(`${list}/${enabled}`);
    expect(tracked.running.size).toBe(0);
  });

  it('POST /api/v1/platform/bots: takes a configuration as it was saved, with shown fields and texts for values', async () => {
    const saved = {
      token: '123456:ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghi',
      markdown_card: 'true',
      'enable-stream-reply': 'False',
      webhook_url: 'https://example.com/bots/1',
    };
    const telegram = { ...form, adapter: 'telegram', adapter_config: saved };
    const { uuid } = await client.post(list, telegram);
    const { bot: stored } = await client.get(`${list}/${uuid}`);
    expect(stored.adapter_config).toMatchObject({ markdown_card: true, 'enable-stream-reply': false });
    expect(stored.adapter_config).not.toHaveProperty('webhook_url');
    await client.put(`${list}/${uuid}`, {
      ...stored,
      adapter_config: { ...stored.adapter_config, markdown_card: 'false', webhook_url: '' },
    });
    const { bot: changed } = await client.get(`${list}/${uuid}`);
    expect(changed.adapter_config).toEqual({ ...stored.adapter_config, markdown_card: false });
    const other = { ...telegram, adapter_config: { ...saved, lark_tenant_key: '' } };
    expect((await client.refused('POST', list, other)).status).toBe(400);
    await client.delete(`${list}/${uuid}`);
  });

  it('POST /api/v1/platform/bots: takes a platform whose name is in capital letters', async () => {
    expect((await client.get(`${adapters}/LINE`)).adapter.name).toBe('LINE');
    const { uuid } = await client.post(list, { ...form, adapter: 'LINE', enable: true });
    await expect.poll(() => line.running.has(uuid)).toBe(true);
    expect((await client.get(`${list}/${uuid}`)).bot.adapter).toBe('LINE');
    await client.delete(`${list}/${uuid}`);
  });

  it('GET /api/v1/platform/bots: with masked secrets, the web chat among them', async () => {
    const { bots } = await client.get(list);
    expect(bots.map(({ adapter }: { adapter: string }) => adapter).sort()).toEqual(['tracked', 'websocket']);
    const found = bots.find(({ uuid }: { uuid: string }) => uuid === bot);
    expect(found).toMatchObject({ name: 'A bot', description: 'for tests', use_pipeline_uuid: pipeline });
    expect(found.adapter_config.token).toMatch(/…/);
  });

  it('GET /api/v1/platform/bots/{bot_uuid}: with the values that the form shows of what runs', async () => {
    const { adapter_runtime_values: values } = await shown();
    expect(values).toMatchObject({
      bot_account_id: null,
      webhook_url: `/bots/${bot}`,
      webhook_full_url: `${service.address}/bots/${bot}`,
      extra_webhook_full_url: '',
    });
    expect(await client.refused('GET', `${list}/${unknownUuid}`)).toMatchObject({ status: 404, msg: 'Bot not found' });
  });

  it('PUT /api/v1/platform/bots/{bot_uuid}: the switch, the form with its masked token, and what was read', async () => {
    const url = `${list}/${bot}`;
    // The switch sends everything but the binding.
    const { name, description, adapter, adapter_config } = await shown();
    const sent = { name, description, adapter, adapter_config };
    expect(await client.put(url, { ...sent, enable: true })).toEqual({});
    await expect.poll(() => tracked.running.get(bot)?.token).toBe(token);
    expect(await shown()).toMatchObject({ enable: true, use_pipeline_uuid: pipeline });
    expect((await shown()).adapter_runtime_values).toMatchObject({ bot_account_id: `account-of-${bot}` });

    // The form sends also the uuid and the binding, empty for none.
    await client.put(url, { ...sent, uuid: bot, name: 'Renamed', enable: true, use_pipeline_uuid: '' });
    expect(await shown()).toMatchObject({ name: 'Renamed', use_pipeline_uuid: null, use_pipeline_name: null });
    await client.put(url, { use_pipeline_uuid: pipeline });
    expect(await shown()).toMatchObject({ use_pipeline_uuid: pipeline, use_pipeline_name: expect.any(String) });
    const read = await shown();
    await client.put(url, read);
    expect(await shown()).toEqual({ ...read, updated_at: expect.any(String) });
    // Nothing of this concerned the connection.
    expect(tracked.starts.get(bot)).toBe(1);

    expect((await client.refused('PUT', url, { use_pipeline_uuid: unknownUuid })).status).toBe(400);
    const elsewhere = { adapter_config: { ...adapter_config, api_base_url: 'https://elsewhere.example.com' } };
    expect(await client.refused('PUT', url, elsewhere)).toMatchObject({ status: 400, reason: 'secret_required' });
    expect((await client.refused('PUT', `${list}/${unknownUuid}`, { name })).status).toBe(404);

    await client.put(url, { ...sent, enable: false });
    await expect.poll(() => tracked.running.has(bot)).toBe(false);
    expect((await shown()).use_pipeline_uuid).toBe(pipeline);
  });

  it('POST /api/v1/platform/bots/{bot_uuid}/logs: outlives changes of the bot, page by page', async () => {
    const url = `${list}/${bot}/logs`;
    await expect.poll(async () => (await client.post(url, {})).total_count).toBeGreaterThanOrEqual(3);
    const { logs, total_count } = await client.post(url, { from_index: -1, max_count: 10 });
    expect(logs).toHaveLength(total_count);
    const numbers = logs.map(({ seq_id }: { seq_id: number }) => seq_id);
    expect(numbers).toEqual([...numbers].sort((left, right) => left - right));
    expect(logs.at(-1)).toEqual({
      seq_id: expect.any(Number),
      timestamp: expect.any(Number),
      level: expect.stringMatching(/^(debug|info|warning|error)$/),
      text: expect.any(String),
      // An addition; the client shows the text.
      code: expect.any(String),
      reason: null,
      images: [],
      message_session_id: '',
    });
    expect(Math.abs(logs.at(-1).timestamp - Date.now() / 1000)).toBeLessThan(60);
    const older = await client.post(url, { from_index: numbers.at(-2), max_count: 1 });
    expect(older.logs).toEqual([logs.at(-2)]);
    expect(await client.post(url, { from_index: -1, max_count: 0 })).toEqual({ logs: [], total_count });
    expect((await client.refused('POST', `${list}/${unknownUuid}/logs`, {})).status).toBe(404);
  });
});

describe('sending', () => {
  it('POST /api/v1/platform/bots/{bot_uuid}/send_message: by a program or a person', async () => {
    await client.put(`${list}/${bot}`, { enable: true });
    await expect.poll(() => tracked.running.has(bot)).toBe(true);
    const url = `${list}/${bot}/send_message`;
    const body = { target_type: 'person', target_id: 42, message_chain: [{ type: 'Plain', text: 'Hello' }] };
    const { key: apiKey } = await service.createApiKey(['send']);
    const program = await new ReferenceClient(service, null).send('POST', url, body, { apiKey });
    expect(program.body.data).toEqual({ sent: true });
    expect(await client.post(url, { ...body, target_type: 'group' })).toEqual({ sent: true });
    expect(tracked.sent.map(({ target }) => [target.session_type, target.session_id])).toEqual([
      ['person', '42'],
      ['group', '42'],
    ]);
    for (const [field, wrong] of [
      ['target_type', { ...body, target_type: 'channel' }],
      ['target_id', { ...body, target_id: undefined }],
      ['message_chain', { ...body, message_chain: [] }],
    ] as const) {
      const refusal = await client.refused('POST', url, wrong);
      expect(refusal).toMatchObject({ status: 400, code: -1, msg: expect.stringContaining(field) });
    }
    expect((await client.refused('POST', `${list}/${unknownUuid}/send_message`, body)).status).toBe(404);
  });
});

describe('what platforms send', () => {
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${service.address}/bots/${path}`, init);
    return [answer.status, await answer.text()] as const;
  };
  const refused = async (path: string, init: RequestInit = {}) => {
    const [status, text] = await call(path, init);
    return [status, JSON.parse(text).error];
  };
  const event = (signature = token): RequestInit => ({
    method: 'POST',
    headers: { 'x-signature': signature, 'content-type': 'application/json' },
    body: '{"event": ',
  });

  it('GET /bots/{bot_uuid}: verification of the address by the adapter', async () => {
    expect(await call(`${bot}?challenge=abc`)).toEqual([200, ':abc']);
    expect(await refused(unknownUuid)).toEqual([404, 'Bot not found']);
  });

  it('GET /bots/{bot_uuid}/{path}: the same below the address', async () => {
    expect(await call(`${bot}/events/verify?challenge=abc`)).toEqual([200, 'events/verify:abc']);
  });

  it('POST /bots/{bot_uuid}: the raw body, once its signature was checked', async () => {
    expect(await call(bot, event())).toEqual([200, ':{"event": ']);
    const [status, error] = await refused(bot, event('wrong'));
    expect(status).toBe(401);
    expect(error).toEqual(expect.any(String));
  });

  it('POST /bots/{bot_uuid}/{path}: the same below the address, unless the bot is off or takes none', async () => {
    expect(await call(`${bot}/events`, event())).toEqual([200, 'events:{"event": ']);
    const { bots } = await client.get(list);
    const webChat = bots.find(({ adapter }: { adapter: string }) => adapter === 'websocket').uuid;
    expect(await refused(`${webChat}/events`, event())).toEqual([501, 'Adapter does not support unified webhook']);
    await client.put(`${list}/${bot}`, { enable: false });
    expect(await refused(`${bot}/events`, event())).toEqual([403, 'Bot is disabled']);
  });
});

describe('the end of a bot', () => {
  it('DELETE /api/v1/platform/bots/{bot_uuid}: once, running or not', async () => {
    await client.put(`${list}/${bot}`, { enable: true });
    await expect.poll(() => tracked.running.has(bot)).toBe(true);
    expect(await client.delete(`${list}/${bot}`)).toEqual({});
    expect(tracked.running.size).toBe(0);
    expect((await client.refused('DELETE', `${list}/${bot}`)).status).toBe(404);
    expect((await client.get(list)).bots).toHaveLength(1);
  });
});

it('never sends the client back to the sign-in page', () => {
  expect([client.reloads, client.token]).toEqual([0, service.account.token]);
});
