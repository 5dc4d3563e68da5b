import { afterAll, describe, expect, it } from 'vitest';
import { everyCredential } from '../../../../test/factories/every-credential.ts';
import { createFakePlatform } from '../../../../test/factories/fake-platform.ts';
import { startTestService, type TestRequest } from '../../../../test/factories/start-test-service.ts';
import { messageEvent } from '../../../../test/stores/ledger-records.ts';
import { newUuid } from '../../../lib/uuid.ts';

const fake = createFakePlatform({ webhook: true });
const service = await startTestService({ extensions: { platforms: [fake.platform] }, config: { maxBots: 40 } });
const bearer = service.account.token;
const list = '/api/v1/platform/bots';
const secret = 'a token of some length';
const credentials = await everyCredential(service, 'write');

afterAll(() => service.stop());

const request = (method: string, path: string, json?: unknown, part: Partial<TestRequest> = {}) =>
  service.request({ method, url: `${list}${path}`, bearer, ...(json === undefined ? {} : { json }), ...part });
const bot = { name: 'Parrot', description: 'says it again', adapter: 'fake', adapter_config: { token: secret } };
const create = async (over: object = {}): Promise<string> =>
  (await request('POST', '', { ...bot, ...over })).body.data.uuid;
const read = async (uuid: string) => (await request('GET', `/${uuid}`)).body.data.bot;
const defaultPipeline = async () =>
  (await service.request({ url: '/api/v1/pipelines', bearer })).body.data.pipelines[0].uuid;

describe('a bot', () => {
  it.each(credentials)('is made for %s', async (_name, part) => {
    const answer = await request('POST', '', bot, { bearer: undefined, ...part } as Partial<TestRequest>);
    expect([answer.status, answer.body]).toEqual([200, { code: 0, msg: 'ok', data: { uuid: expect.any(String) } }]);
    await request('DELETE', `/${answer.body.data.uuid}`);
  });

  it('is shown with its secrets masked and how its connection is', async () => {
    fake.accountId = () => '@parrot';
    const uuid = await create({ enable: true });
    const use_pipeline_uuid = await defaultPipeline();
    const shown = await read(uuid);
    expect(shown).toEqual({
      uuid,
      ...bot,
      adapter_config: { token: 'a t…ngth', server: '', nickname: 'fake', limits: { rate: 5, key: '' } },
      enable: true,
      use_pipeline_uuid,
      use_pipeline_name: 'Default pipeline',
      pipeline_routing_rules: [],
      uncertain_sends: 'continue',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      adapter_runtime_values: {
        bot_account_id: '@parrot',
        bot_account_name: null,
        bot_account_url: null,
        webhook_url: `/bots/${uuid}`,
        webhook_full_url: `${service.address}/bots/${uuid}`,
        extra_webhook_full_url: '',
        uses_webhook: true,
        state: 'running',
        error: null,
        error_reason: null,
        since: expect.stringMatching(/Z$/),
      },
    });
    expect((await request('GET', '')).body.data.bots).toContainEqual(shown);
    expect(fake.adapters.at(-1)?.config).toMatchObject({ token: secret });
    // The other bots of these tests are connected, too.
    fake.accountId = () => null;
  });

  it('can be read and written back', async () => {
    const uuid = await create({ enable: true });
    const shown = await read(uuid);
    const adapters = fake.adapters.length;
    const answer = await request('PUT', `/${uuid}`, shown);
    expect([answer.status, answer.body]).toEqual([200, { code: 0, msg: 'ok', data: {} }]);
    expect(await read(uuid)).toEqual({ ...shown, updated_at: expect.any(String) });
    expect(fake.adapters).toHaveLength(adapters);
  });

  it('is switched off and on as clients do it, and keeps its pipeline', async () => {
    const uuid = await create({ enable: true });
    const { use_pipeline_uuid: pipeline } = await read(uuid);
    const { name, description, adapter, adapter_config } = await read(uuid);
    for (const enable of [false, true]) {
      await request('PUT', `/${uuid}`, { name, description, adapter, adapter_config, enable });
      const shown = await read(uuid);
      expect(shown).toMatchObject({ enable, use_pipeline_uuid: pipeline });
      expect(shown.adapter_runtime_values.state).toBe(enable ? 'running' : 'stopped');
    }
    expect(fake.adapters.at(-1)?.config).toMatchObject({ token: secret });
    await request('PUT', `/${uuid}`, { use_pipeline_uuid: '' });
    expect(await read(uuid)).toMatchObject({ use_pipeline_uuid: null, use_pipeline_name: null });
  });

  it('sends messages to the pipelines that its rules name, and these stay while it does', async () => {
    const pipeline = async (name: string): Promise<string> =>
      (await service.request({ method: 'POST', url: '/api/v1/pipelines', bearer, json: { name } })).body.data.uuid;
    const [day, night] = [await pipeline('Day'), await pipeline('Night')];
    const uuid = await create({ name: 'Ruled', pipeline_routing_rules: [{ pipeline_uuid: day, mentioned: false }] });
    const rule = { pipeline_uuid: night, groups: ['g1'], time: { from: '22:00', to: '06:00', days: [1, 7] } };
    expect((await request('PUT', `/${uuid}`, { pipeline_routing_rules: [rule] })).status).toBe(200);
    expect(await read(uuid)).toMatchObject({ name: 'Ruled', pipeline_routing_rules: [rule] });
    const remove = (id: string) => service.request({ method: 'DELETE', url: `/api/v1/pipelines/${id}`, bearer });
    expect((await remove(day)).status).toBe(200);
    const refused = await remove(night);
    expect([refused.status, refused.body.reason]).toEqual([409, 'in_use']);
    expect(refused.body.details).toEqual([{ path: `bots/${uuid}`, message: 'Ruled' }]);
    await request('DELETE', `/${uuid}`);
    expect((await remove(night)).status).toBe(200);
  });

  it.each<[string, object]>([
    ['[0].pipeline_uuid', { mentioned: true }],
    ['[0].pipeline_uuid', { pipeline_uuid: null, mentioned: true }],
    ['[0].pipeline_uuid', { pipeline_uuid: newUuid(), mentioned: true }],
    ['[0].pipeline_uuid', { pipeline_uuid: 'x'.repeat(256), mentioned: true }],
    ['[0]', {}],
    ['[0].mentioned', { mentioned: 'true' }],
    ['[0].persons', { persons: [] }],
    ['[0].persons', { persons: null }],
    ['[0].persons', { persons: Array.from({ length: 201 }, () => 'ada') }],
    ['[0].persons[1]', { persons: ['ada', 7] }],
    ['[0].groups[0]', { groups: [''] }],
    ['[0].keywords[0]', { keywords: ['x'.repeat(256)] }],
    ['[0].time.to', { time: { from: '08:00' } }],
    ['[0].time.from', { time: { from: '24:00', to: '08:00' } }],
    ['[0].time.to', { time: { from: '08:00', to: '8:60' } }],
    ['[0].time.days', { time: { from: '08:00', to: '09:00', days: [] } }],
    ['[0].time.days', { time: { from: '08:00', to: '09:00', days: [1, 1] } }],
    ['[0].time.days[0]', { time: { from: '08:00', to: '09:00', days: [0] } }],
    ['[0].time.days[1]', { time: { from: '08:00', to: '09:00', days: [1, 1.5] } }],
    ['[0].time.time_zone', { time: { from: '08:00', to: '09:00', time_zone: 'Europe/Bonn' } }],
    ['[0].time.zone', { time: { from: '08:00', to: '09:00', zone: 'UTC' } }],
    ['[0].colour', { mentioned: true, colour: 'red' }],
  ])('takes no rule that is wrong at %s', async (path, over) => {
    const uuid = await create({ adapter_config: {} });
    const before = await read(uuid);
    const isBare = path === '[0].pipeline_uuid';
    const rule = isBare ? over : { pipeline_uuid: before.use_pipeline_uuid, ...over };
    const answer = await request('PUT', `/${uuid}`, { name: 'New', pipeline_routing_rules: [rule] });
    expect([answer.status, answer.body.reason]).toEqual([400, 'invalid_request']);
    const paths = answer.body.details.map((detail: { path: string }) => detail.path);
    expect(paths).toContain(`pipeline_routing_rules${path}`);
    expect(await read(uuid)).toEqual(before);
    await request('DELETE', `/${uuid}`);
  });

  it('takes a hundred rules and no more', async () => {
    const uuid = await create({ adapter_config: {} });
    const { use_pipeline_uuid: pipeline_uuid } = await read(uuid);
    const rules = Array.from({ length: 101 }, (_, index) => ({ pipeline_uuid, persons: [`person ${index}`] }));
    for (const [pipeline_routing_rules, status] of [
      [rules, 400],
      [{}, 400],
      [null, 400],
      [rules.slice(1), 200],
    ] as const) {
      expect((await request('PUT', `/${uuid}`, { pipeline_routing_rules })).status).toBe(status);
    }
    expect((await read(uuid)).pipeline_routing_rules).toEqual(rules.slice(1));
    await request('DELETE', `/${uuid}`);
  });

  it('tells why it is not connected', async () => {
    fake.start = () => Promise.reject(new Error(`GET /bot${secret} failed`));
    const uuid = await create({ enable: true });
    fake.start = async () => undefined;
    expect((await read(uuid)).adapter_runtime_values).toMatchObject({
      state: 'error',
      error_reason: 'platform_failed',
      error: 'The connection failed unexpectedly; the log of the server says more',
    });
    await expect.poll(async () => (await read(uuid)).adapter_runtime_values.state, { timeout: 5000 }).toBe('running');
  });

  it('is gone when it was deleted, and its messages are not', async () => {
    const uuid = await create({ enable: true });
    await fake.adapters.at(-1)?.context.receive(messageEvent('Hello'));
    const ofBot = (table: 'messages' | 'bot_events') =>
      service.database.selectFrom(table).select('text').where('bot_uuid', '=', uuid).execute();
    await expect.poll(async () => (await ofBot('bot_events')).length).toBe(3);
    const before = await ofBot('messages');
    expect(before).toContainEqual({ text: 'Hello' });
    expect((await request('DELETE', `/${uuid}`)).body).toEqual({ code: 0, msg: 'ok', data: {} });
    for (const [method, path, json] of [
      ['GET', `/${uuid}`],
      ['PUT', `/${uuid}`, { name: 'x' }],
      ['DELETE', `/${uuid}`],
      ['POST', `/${uuid}/logs`, {}],
    ] as const) {
      const answer = await request(method, path, json);
      expect([answer.status, answer.body.reason], method).toEqual([404, 'not_found']);
    }
    expect(await ofBot('bot_events')).toEqual([]);
    expect((await ofBot('messages')).length).toBeGreaterThanOrEqual(before.length);
    expect(fake.adapters.at(-1)?.state).toBe('stopped');
  });

  it.each<[string, object]>([
    ['name', { ...bot, name: undefined }],
    ['name', { ...bot, name: '' }],
    ['name', { ...bot, name: 'x'.repeat(256) }],
    ['description', { ...bot, description: null }],
    ['adapter', { ...bot, adapter: undefined }],
    ['adapter', { ...bot, adapter: 'unknown' }],
    ['adapter_config', { ...bot, adapter_config: undefined }],
    ['adapter_config', { ...bot, adapter_config: [] }],
    ['adapter_config.colour', { ...bot, adapter_config: { colour: 'red' } }],
    ['adapter_config.limits.rate', { ...bot, adapter_config: { limits: { rate: 'fast' } } }],
    ['adapter_config.token', { ...bot, adapter_config: { token: 'a t…ngth' } }],
    ['enable', { ...bot, enable: 1 }],
    ['use_pipeline_uuid', { ...bot, use_pipeline_uuid: newUuid() }],
    ['use_pipeline_uuid', { ...bot, use_pipeline_uuid: 'x'.repeat(256) }],
    ['colour', { ...bot, colour: 'red' }],
  ])('is refused with 400 that names %s, made or changed', async (path, json) => {
    const count = (await request('GET', '')).body.data.bots.length;
    const refused = await request('POST', '', json);
    expect(refused.status).toBe(400);
    expect(refused.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect((await request('GET', '')).body.data.bots).toHaveLength(count);
    const uuid = await create({ adapter_config: {} });
    const before = await read(uuid);
    // What is left out of a change stays.
    if (Object.values(json).every((value) => value !== undefined)) {
      expect((await request('PUT', `/${uuid}`, json)).status).toBe(400);
    }
    expect(await read(uuid)).toEqual(before);
    await request('DELETE', `/${uuid}`);
  });

  it('is refused with 400 when its configuration is nested without end', async () => {
    const uuid = await create();
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const config = `{"token":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
      for (const [method, path] of [
        ['POST', ''],
        ['PUT', `/${uuid}`],
      ] as const) {
        const answer = await request(method, path, undefined, {
          headers: { 'content-type': 'application/json' },
          payload: `{"name":"x","adapter":"fake","adapter_config":${config}}`,
        });
        expect([answer.status, answer.body.reason], method).toEqual([400, 'invalid_request']);
      }
    }
  });

  it.each(['not-a-uuid', 'websocket-proxy-bot', newUuid(), '%00', '%2e%2e'])('is not found under %s', async (uuid) => {
    for (const [method, json] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
      const answer = await request(method, `/${uuid}`, json);
      expect([answer.status, answer.body.reason], method).toEqual([404, 'not_found']);
    }
  });

  it('is refused when there are as many as there may be', async () => {
    for (let made = 0; made < 60; made += 1) {
      const answer = await request('POST', '', { ...bot, adapter_config: {} });
      if (answer.status === 200) continue;
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({
        code: -1,
        reason: 'limit_reached',
        msg: 'Maximum number of bots (40) reached',
      });
      return;
    }
    throw new Error('there was no limit');
  });
});
