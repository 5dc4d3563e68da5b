import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FakePluginProcesses } from '../../../../test/factories/fake-plugin-processes.ts';
import { pluginClient } from '../../../../test/factories/plugin-client.ts';
import { newSigningKey, packageOf, pluginManifest, pluginPackage } from '../../../../test/factories/plugin-package.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService({
  listen: false,
  extensions: { pluginProcesses: new FakePluginProcesses() },
});
const bearer = service.account.token;
const { upload } = pluginClient(service);

afterAll(() => service.stop());

it.each([
  ['', { plugins: [] }],
  ['/debug-info', { debug_url: '', plugin_debug_key: '' }],
])('GET /api/v1/plugins%s is empty', async (path, data) => {
  const answer = await service.request({ url: `/api/v1/plugins${path}`, bearer });
  expect(answer.body).toEqual({ code: 0, msg: 'ok', data });
});

it('lets only admins decide about plugins', async () => {
  const { key: apiKey } = await service.createApiKey(['read', 'write', 'send']);
  expect((await service.request({ url: '/api/v1/plugins', apiKey })).status).toBe(200);
  const refused = [
    ['GET', 'debug-info'],
    ['GET', 'ann/weather/logs'],
    ['PUT', 'ann/weather/config'],
    ['POST', 'ann/weather/consent'],
    ['POST', 'ann/weather/upgrade'],
    ['DELETE', 'ann/weather'],
    ['POST', 'install/local'],
    ['POST', 'install/github'],
    ['POST', 'inspect'],
    ['POST', 'github/releases'],
  ];
  for (const [method = '', path = ''] of refused) {
    expect((await service.request({ method, url: `/api/v1/plugins/${path}`, apiKey, json: {} })).status).toBe(403);
  }
});

it.each([
  ['GET', 'ann/weather', 404],
  ['GET', 'ann/weather/config', 404],
  ['GET', 'ann/weather/readme?language=zh_Hans', 404],
  ['GET', 'ann/weather/state', 404],
  ['GET', 'ann/weather/logs', 404],
  ['GET', 'ann/weather/icon', 404],
  ['GET', 'ann/weather/assets/a.png', 404],
  ['GET', 'ann%2F..%2F/..%5c', 404],
  ['DELETE', 'ann/weather', 404],
  ['DELETE', 'ann/weather/update', 404],
  ['POST', 'ann/weather/upgrade', 404],
  ['POST', 'ann/weather/rollback', 404],
  ['POST', 'config-files', 404],
])('has no %s of %s', async (method, path, status) => {
  const answer = await service.request({ method, url: `/api/v1/plugins/${path}`, bearer });
  expect([answer.status, answer.body.code]).toEqual([status, -1]);
});

const good = pluginManifest();
const refusedPackages: [name: string, content: Buffer, reason: string, path: string][] = [
  ['a text', Buffer.from('no archive'), 'plugin_invalid', ''],
  ['a path that leads elsewhere', pluginPackage({ more: [{ path: '../a', content: '' }] }), 'plugin_invalid', '../a'],
  ['a file that is not listed', pluginPackage({ more: [{ path: 'a.js', content: '' }] }), 'plugin_invalid', 'a.js'],
  ['native code', pluginPackage({ more: [{ path: 'a.node', content: '' }] }), 'plugin_invalid', 'a.node'],
  [
    'another content',
    pluginPackage({ manifest: { ...good, files: { ...good.files, 'main.js': '0'.repeat(64) } } }),
    'plugin_invalid',
    'main.js',
  ],
  [
    'a manifest with a fault',
    pluginPackage({ manifest: { ...good, version: '1' } }),
    'plugin_invalid',
    'manifest.version',
  ],
  ['a reserved author', pluginPackage({ manifest: { ...good, id: 'github/a' } }), 'plugin_invalid', 'manifest.id'],
  [
    'a false signature',
    pluginPackage({
      signature: JSON.stringify({
        algorithm: 'ed25519',
        public_key: Buffer.from(newSigningKey().export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64'),
        signature: Buffer.alloc(64).toString('base64'),
      }),
    }),
    'plugin_invalid',
    'parley-plugin.sig',
  ],
  ['another version', pluginPackage({ manifest: { ...good, sdk: '>=9' } }), 'plugin_incompatible', 'manifest.sdk'],
];

describe.each(['/inspect', '/install/local'])('POST /api/v1/plugins%s', (path) => {
  it.each(refusedPackages)('refuses a package with %s, and names it', async (_, content, reason, entry) => {
    const { status, body } = await upload(path, content);
    expect([status, body.reason]).toEqual([422, reason]);
    expect(body.details[0].path).toBe(entry);
    expect((await service.request({ url: '/api/v1/plugins', bearer })).body.data.plugins).toEqual([]);
  });

  it('refuses what is no upload, and what is too large', async () => {
    const url = `/api/v1/plugins${path}`;
    expect((await service.request({ method: 'POST', url, bearer, json: {} })).status).toBe(415);
    expect((await upload(path, Buffer.alloc(10 * 1024 * 1024 + 1))).status).toBeGreaterThanOrEqual(413);
  });
});

it('refuses what is no address of a repository', async () => {
  const url = '/api/v1/plugins/github/releases';
  const answer = await service.request({ method: 'POST', url, bearer, json: { repo_url: 'https://example.com/a/b' } });
  expect([answer.status, answer.body.msg]).toEqual([400, 'Invalid GitHub repository URL']);
});

it('GET /api/v1/plugins/{author}/{name}/state has the schedules of a plugin that may run', async () => {
  const listening = await startTestService({ extensions: { pluginProcesses: new FakePluginProcesses() } });
  onTestFinished(() => listening.stop());
  const { id, contributes } = pluginManifest();
  const { call, inspect, install } = pluginClient(listening);
  const { digest } = await inspect(pluginPackage());
  await install(pluginPackage(), `?consent=true&digest=${digest}`);
  const state = async () => (await call('GET', `/${id}/state`)).body.data;
  await vi.waitFor(async () => expect((await state()).schedules).toHaveLength(1), { timeout: 10_000 });
  const [schedule] = contributes.schedules ?? [];
  expect((await state()).schedules).toEqual([
    {
      name: schedule?.name,
      cron: schedule?.cron,
      time_zone: schedule?.time_zone ?? 'UTC',
      is_running: false,
      next_at: expect.stringMatching(/^20.*Z$/),
      last_run: null,
    },
  ]);
});

it('GET /api/v1/plugins has what a list shows: the update that waits, the process, and a clash of names', async () => {
  const listening = await startTestService({ extensions: { pluginProcesses: new FakePluginProcesses() } });
  onTestFinished(() => listening.stop());
  const { call, inspect, install } = pluginClient(listening);
  const declared = (id: string, version: string) =>
    packageOf('', { id, version, contributes: { commands: [{ name: 'count', description: 'Counts.' }] } });
  for (const id of ['example/one', 'example/two']) {
    const content = declared(id, '1.0.0');
    await install(content, `?consent=true&digest=${(await inspect(content)).digest}`);
  }
  const signed = pluginPackage({
    manifest: { ...pluginManifest(), id: 'example/one', version: '1.1.0' },
    signature: newSigningKey(),
  });
  await install(signed);
  const listed = (await call('GET', '')).body.data.plugins;
  expect(listed).toMatchObject([
    {
      id: 'example/one',
      version: '1.0.0',
      label: { en_US: 'Unit converter' },
      contributions: { commands: ['count'] },
      update_version: '1.1.0',
      process: { state: 'stopped', crashes: 0 },
      clash: null,
    },
    { id: 'example/two', update_version: null, clash: expect.stringContaining('count') },
  ]);
  expect((await call('GET', '/example/two/state')).body.data.clash).toBe(listed[1].clash);
  expect((await call('GET', '/example/one')).body.data).toMatchObject({
    manifest: { version: '1.0.0' },
    update_manifest: { version: '1.1.0' },
    form: [],
  });
});

it('GET /api/v1/plugins/isolation says what isolates plugins here', async () => {
  const { isolation, ...others } = (await service.request({ url: '/api/v1/plugins/isolation', bearer })).body.data;
  expect(others).toEqual({ setting: 'best', without_plugins: false });
  expect(['landlock', 'permission-model']).toContain(isolation);
});
