import { afterAll, describe, expect, it } from 'vitest';
import manifest from '../../../../package.json' with { type: 'json' };
import { startTestService } from '../../../../test/factories/start-test-service.ts';
import { migratedDatabase } from '../../../../test/postgres/test-database.ts';

const service = await startTestService({ account: false, listen: false });

afterAll(() => service.stop());

it('tells everybody about the server, as clients of the reference system expect it', async () => {
  const answer = await service.request({ url: '/api/v1/system/info' });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    code: 0,
    msg: 'ok',
    data: {
      version: 'v4.9.5',
      debug: false,
      edition: 'community',
      enable_marketplace: false,
      cloud_service_url: expect.stringMatching(/^https:\/\/.+/),
      allow_modify_login_info: true,
      disable_models_service: true,
      limitation: { max_bots: -1, max_pipelines: -1, max_extensions: -1 },
      public_url: null,
      wizard_status: 'none',
      wizard_progress: null,
    },
  });
});

it('does not mind a bad credential', async () => {
  expect((await service.request({ url: '/api/v1/system/info', bearer: 'not a token', apiKey: 'lbk_x' })).status).toBe(
    200,
  );
});

it('tells how many records of a kind there may be', async () => {
  const limited = await startTestService({
    config: { maxBots: 3, maxPipelines: 0, maxExtensions: 7 },
    account: false,
    listen: false,
  });
  const { data } = (await limited.request({ url: '/api/v1/system/info' })).body;
  await limited.stop();
  expect(data.limitation).toEqual({ max_bots: 3, max_pipelines: 0, max_extensions: 7 });
});

describe('with an account', async () => {
  const signedIn = await startTestService({ listen: false });
  const bearer = signedIn.account.token;
  afterAll(() => signedIn.stop());

  const wizard = async () => {
    const { wizard_status, wizard_progress } = (await signedIn.request({ url: '/api/v1/system/info', bearer })).body
      .data;
    return { wizard_status, wizard_progress };
  };
  it('tells the public address to callers with a credential only', async () => {
    const address = 'https://bots.example.org/parley';
    const published = await startTestService({ listen: false, config: { publicUrl: address } });
    const read = async (part: object) =>
      (await published.request({ url: '/api/v1/system/info', headers: { host: 'bots.example.org' }, ...part })).body
        .data.public_url;
    expect(await read({ bearer: published.account.token })).toBe(address);
    expect(await read({})).toBeNull();
    await published.stop();
  });

  const completed = (json?: unknown) =>
    signedIn.request({
      method: 'POST',
      url: '/api/v1/system/wizard/completed',
      bearer,
      ...(json === undefined ? {} : { json }),
    });
  const progress = (payload: string) =>
    signedIn.request({
      method: 'PUT',
      url: '/api/v1/system/wizard/progress',
      bearer,
      headers: { 'content-type': 'application/json' },
      payload,
    });

  it('remembers where a person is in the wizard, as a whole', async () => {
    const first = { step: 1, selected_adapter: 'telegram', created_bot_uuid: null, bot_saved: false };
    expect((await progress(JSON.stringify(first))).body).toEqual({ code: 0, msg: 'ok', data: {} });
    expect(await wizard()).toEqual({ wizard_status: 'none', wizard_progress: first });
    const second = { step: 2, more: { of: ['it'] } };
    await progress(JSON.stringify(second));
    expect((await wizard()).wizard_progress).toEqual(second);
  });

  it.each([
    'null',
    '[]',
    '"text"',
    '1',
    '{',
    '{"a":1',
    '',
    '{"__proto__":{"a":1}}',
    `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
  ])('does not remember %s', async (payload) => {
    await progress('{"step":3}');
    const answer = await progress(payload);
    expect(answer.status).toBe(400);
    expect(answer.body.reason).toBe('invalid_request');
    expect((await wizard()).wizard_progress).toEqual({ step: 3 });
  });

  it('remembers 64 kB and no more', async () => {
    const text = (size: number) => JSON.stringify({ text: 'x'.repeat(size - 11) });
    expect((await progress(text(65_536))).status).toBe(200);
    expect((await wizard()).wizard_progress.text).toHaveLength(65_525);
    const answer = await progress(text(65_537));
    expect(answer.status).toBe(413);
    expect(answer.body.reason).toBe('too_large');
  });

  it('survives what is nested as deep as 64 kB allow', async () => {
    expect((await progress(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)).status).toBe(400);
    expect((await progress(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)).status).toBe(400);
  });

  it.each([
    ['completed', undefined, 'completed'],
    ['skipped', { status: 'skipped' }, 'skipped'],
    ['completed', { status: 'completed' }, 'completed'],
    ['completed by default', {}, 'completed'],
    ['completed by null', null, 'completed'],
  ])('remembers that the wizard was %s, and forgets the progress', async (_, json, wizard_status) => {
    await progress('{"step":4}');
    expect((await completed(json)).body).toEqual({ code: 0, msg: 'ok', data: {} });
    expect(await wizard()).toEqual({ wizard_status, wizard_progress: null });
  });

  it.each([{ status: 'none' }, { status: '' }, { status: null }, { status: 1 }, { done: true }, [], 'skipped'])(
    'refuses the end %j',
    async (json) => {
      const before = await wizard();
      const answer = await completed(json);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: -1, reason: 'invalid_request' });
      expect(await wizard()).toEqual(before);
    },
  );

  it('can run plugins', async () => {
    const { body } = await signedIn.request({ url: '/api/v1/system/status/plugin-system', bearer });
    expect(body.data).toEqual({ is_enable: true, is_connected: true, plugin_connector_error: 'ok' });
  });

  it.each(['/api/v1/system/debug/exec', '/api/v1/system/debug/plugin/action'])(
    'runs nothing that is sent to %s',
    async (url) => {
      const globals = globalThis as { wasRun?: boolean };
      for (const [type, payload] of [
        ['text/plain', 'globalThis.wasRun = true'],
        ['application/json', '{"action":"list_plugins","data":{},"timeout":10}'],
        ['application/json', '{'],
        ['text/x-python', 'import os; os._exit(1)'],
      ] as const) {
        const request = { method: 'POST', url, headers: { 'content-type': type }, payload };
        const answer = await signedIn.request({ ...request, bearer });
        expect(answer.status).toBe(403);
        expect(answer.body).toMatchObject({ code: -1, msg: 'Forbidden', reason: 'forbidden' });
        expect((await signedIn.request(request)).status).toBe(401);
      }
      expect((await signedIn.request({ method: 'POST', url, bearer })).status).toBe(403);
      expect(globals.wasRun).toBeUndefined();
    },
  );

  it('tells those who manage the server how it is', async () => {
    const { key: manager } = await signedIn.createApiKey(['admin']);
    const { key: other } = await signedIn.createApiKey(['read', 'write', 'send']);
    const url = '/api/v1/system/status';
    expect((await signedIn.request({ url })).status).toBe(401);
    expect((await signedIn.request({ url, apiKey: other })).status).toBe(403);
    expect((await signedIn.request({ url, bearer })).status).toBe(200);
    const { status, body } = await signedIn.request({ url, apiKey: manager });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      version: manifest.version,
      node_version: process.version,
      platform: `${process.platform}-${process.arch}`,
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      engine: 'sqlite',
      storage: [
        { name: 'ledger', bytes: expect.any(Number) },
        { name: 'knowledge', bytes: 0 },
        { name: 'files', bytes: 0 },
      ],
    });
    expect(body.data.uptime_seconds).toBeGreaterThanOrEqual(0);
    expect(body.data.memory_bytes).toBeGreaterThan(10_000_000);
    expect(body.data.storage[0].bytes).toBeGreaterThan(100_000);
    expect(body.data.settings).toContainEqual({
      name: 'data_dir',
      environment_variable: 'PARLEY_DATA_DIR',
      label: { en_US: 'Data folder', zh_Hans: '数据文件夹', ja_JP: 'データフォルダー' },
      description: expect.objectContaining({ en_US: expect.stringContaining('database file') }),
      unit: null,
      source: 'default',
      secret: false,
      is_set: true,
      value: signedIn.config.dataDir,
    });
  });

  it('lets those change the wizard who manage the server', async () => {
    const { key: manager } = await signedIn.createApiKey(['admin']);
    const { key: other } = await signedIn.createApiKey(['read', 'write', 'send']);
    const requests = [
      { method: 'POST', url: '/api/v1/system/wizard/completed', json: { status: 'skipped' } },
      { method: 'PUT', url: '/api/v1/system/wizard/progress', json: {} },
    ];
    for (const request of requests) {
      expect((await signedIn.request(request)).status).toBe(401);
      expect((await signedIn.request({ ...request, apiKey: other })).status).toBe(403);
      expect((await signedIn.request({ ...request, apiKey: manager })).status).toBe(200);
    }
    const status = '/api/v1/system/status/plugin-system';
    expect((await signedIn.request({ url: status })).status).toBe(401);
    expect((await signedIn.request({ url: status, apiKey: manager })).status).toBe(403);
    expect((await signedIn.request({ url: status, apiKey: other })).status).toBe(200);
  });
});

it('shows no secret among the settings, the password of the database least of all', async () => {
  const fresh = await migratedDatabase();
  const secretKey = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
  const setupToken = 'a token that is hard to guess';
  const url = new URL(fresh.url);
  // The server of the tests asks for no password, so it takes this one.
  url.password = 'hunter2';
  const guarded = await startTestService({ databaseUrl: url.href, config: { secretKey, setupToken }, listen: false });
  try {
    const answer = await guarded.request({ url: '/api/v1/system/status', bearer: guarded.account.token });
    const { engine, settings } = answer.body.data;
    expect(engine).toBe('postgres');
    for (const name of ['database_url', 'secret_key', 'setup_token']) {
      expect(settings.find((setting: { name: string }) => setting.name === name)).toMatchObject({
        secret: true,
        is_set: true,
        value: null,
      });
    }
    for (const secret of ['hunter2', fresh.url, url.host, secretKey, setupToken]) {
      expect(answer.text).not.toContain(secret);
    }
  } finally {
    await guarded.stop();
    await fresh.drop();
  }
});
