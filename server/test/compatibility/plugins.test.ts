import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakePluginProcesses, versionsOf } from '../factories/fake-plugin-processes.ts';
import { pluginClient, smallPackage } from '../factories/plugin-client.ts';
import { packageFiles, pluginPackage } from '../factories/plugin-package.ts';
import { startTestService } from '../factories/start-test-service.ts';
import { ReferenceClient } from './reference-client.ts';

/** A host of packages. */
const offered = smallPackage('2.0.0', { id: 'another/units' });
const host = createServer((request, response) => {
  if (request.url === '/moved.zip') response.writeHead(302, { location: '/units.zip' }).end();
  else if (request.url === '/away.zip') response.writeHead(302, { location: 'https://example.com/units.zip' }).end();
  else if (request.url === '/units.zip') response.end(offered);
  else if (request.url === '/plugins.json') {
    const sha256 = createHash('sha256').update(offered).digest('hex');
    const plugins = [
      { id: 'another/units', version: '2.0.0', url: '/units.zip', sha256 },
      { id: 'another/false', version: '1.0.0', url: '/units.zip', sha256: '0'.repeat(64) },
    ];
    response.end(JSON.stringify({ plugins }));
  } else response.writeHead(500).end();
});
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;

const processes = new FakePluginProcesses();
const service = await startTestService({
  extensions: { pluginProcesses: processes },
  config: { pluginHosts: [origin], pluginCatalogue: `${origin}/plugins.json` },
});
const client = new ReferenceClient(service);
const { upload, ended } = pluginClient(service);
const list = '/api/v1/plugins';
const units = `${list}/example/units`;

beforeAll(async () => {
  const files = {
    ...packageFiles,
    'assets/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'assets/data.html': '<script>1</script>',
    'readme/README_zh_Hans.md': '# 单位\n',
  };
  const answer = await upload('/install/local', pluginPackage({ files }), 'units.lbpkg');
  expect(answer.body.data).toEqual({ task_id: expect.any(Number) });
  expect((await ended(answer)).runtime.exception).toBeNull();
});
afterAll(async () => {
  await service.stop();
  host.close();
});

const task = async (started: { task_id: number }) =>
  ended({ status: 200, headers: {}, text: '', body: { data: started } });

describe('the pages of plugins', () => {
  it('GET /api/v1/plugins: each as the client reads it, without consent not running', async () => {
    const { plugins } = await client.get(list);
    expect(plugins).toMatchObject([
      {
        debug: false,
        install_source: 'local',
        install_info: {},
        enabled: false,
        status: 'mounted',
        plugin_instance: null,
        plugin_config: { system: 'metric' },
        manifest: { manifest: { kind: 'Plugin', metadata: { author: 'example', name: 'units', version: '1.2.0' } } },
      },
    ]);
    const kinds = plugins[0].components.map(
      (one: { manifest: { manifest: { kind: string } } }) => one.manifest.manifest.kind,
    );
    expect(new Set(kinds)).toEqual(new Set(['EventListener', 'Tool', 'Command', 'KnowledgeEngine', 'Parser']));
    expect(plugins[0].manifest.manifest.spec.config).toContainEqual(
      expect.objectContaining({ name: 'system', type: 'select', default: 'metric' }),
    );
  });

  it('GET /api/v1/plugins/{author}/{name}: one of them', async () => {
    expect((await client.get(units)).plugin).toMatchObject({ id: 'example/units' });
    expect((await client.refused('GET', `${list}/no/one`)).msg).toBe('plugin not found');
  });

  // GET /api/v1/plugins/{author}/{name}/config
  it('PUT /api/v1/plugins/{author}/{name}/config: checked, with secrets masked', async () => {
    const key = 'sk-0123456789abcdefwxyz';
    const config = { server: 'http://127.0.0.1:9', key, system: 'imperial', units: ['ft'] };
    expect(await client.put(`${units}/config`, config)).toEqual({});
    const saved = (await client.get(`${units}/config`)).config;
    expect(saved).toEqual({ ...config, key: expect.stringMatching(/^sk-.*….*wxyz$/) });
    expect(await client.put(`${units}/config`, { ...saved, system: 'metric' })).toEqual({});
    const [row] = await service.database.selectFrom('plugins').selectAll().execute();
    expect(JSON.stringify(row)).not.toContain(key);
    for (const bad of [{ system: 'x' }, { nothing: 1 }, { units: 'm' }]) {
      expect((await client.refused('PUT', `${units}/config`, bad)).reason).toBe('invalid_request');
    }
    const elsewhere = { ...saved, server: 'http://127.0.0.1:10' };
    expect((await client.refused('PUT', `${units}/config`, elsewhere)).reason).toBe('secret_required');
    const { headers } = await client.send('GET', `${units}/config`);
    const stale = { headers: { 'if-match': '"stale"' } };
    expect((await client.send('PUT', `${units}/config`, saved, stale)).status).toBe(412);
    expect(
      (await client.send('PUT', `${units}/config`, saved, { headers: { 'if-match': headers.etag ?? '' } })).status,
    ).toBe(200);
    expect((await client.refused('GET', `${list}/no/one/config`)).status).toBe(404);
  });

  // GET /api/v1/plugins/{author}/{name}/icon, GET /api/v1/plugins/{author}/{name}/assets/{file}
  it('GET /api/v1/plugins/{author}/{name}/readme, icon and assets: only files of the package', async () => {
    expect(await client.get(`${units}/readme`)).toEqual({ readme: '# Units\n' });
    expect(await client.get(`${units}/readme?language=zh_Hans`)).toEqual({ readme: '# 单位\n' });
    const anonymous = (path: string) => service.request({ url: `${units}/${path}` });
    const icon = await anonymous('icon');
    expect([icon.status, icon.text]).toEqual([200, '<svg xmlns="http://www.w3.org/2000/svg"/>']);
    expect(icon.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    expect((await anonymous('assets/data.html')).headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
    });
    for (const path of ['main.js', '..%2Fmain.js', '..%2F..%2F..%2Fparley.db', 'no.png', '__proto__']) {
      expect((await anonymous(`assets/${path}`)).status).toBe(404);
    }
  });

  it('POST /api/v1/plugins/install/github: from allowed hosts only, also after redirects', async () => {
    const from = { owner: 'o', repo: 'r', release_tag: 'v2' };
    const refused = await client.refused('POST', `${list}/install/github`, {
      ...from,
      asset_url: 'https://example.com/a',
    });
    expect([refused.status, refused.reason]).toEqual([422, 'address_not_allowed']);
    const away = await task(await client.post(`${list}/install/github`, { ...from, asset_url: `${origin}/away.zip` }));
    expect(away.runtime.exception).toContain('example.com is not among the hosts');
    const broken = await task(await client.post(`${list}/install/github`, { ...from, asset_url: `${origin}/no.zip` }));
    expect(broken.runtime.exception).toContain('answered with status 500');
    const moved = await task(
      await client.post(`${list}/install/github`, { ...from, asset_url: `${origin}/moved.zip` }),
    );
    expect(moved).toMatchObject({
      name: 'plugin-install-github',
      label: 'Installing plugin from GitHub o/r@v2',
      task_context: { current_action: 'plugin installed', metadata: { download_current: offered.length } },
      runtime: { exception: null },
    });
    expect((await client.get(`${list}/another/units`)).plugin).toMatchObject({
      install_source: 'github',
      install_info: { asset_url: `${origin}/moved.zip`, owner: 'o', repo: 'r', release_tag: 'v2' },
    });
  });

  // POST /api/v1/plugins/install/marketplace
  it('POST /api/v1/plugins/{author}/{name}/upgrade and install/marketplace: from the catalogue', async () => {
    const current = await task(await client.post(`${list}/another/units/upgrade`));
    expect(current).toMatchObject({
      name: 'plugin-upgrade-units',
      task_context: { current_action: 'plugin is up to date' },
    });
    const install = async (plugin_name: string) =>
      task(
        await client.post(`${list}/install/marketplace`, { plugin_author: 'another', plugin_name, plugin_version: '' }),
      );
    expect((await install('false')).runtime.exception).toContain('another one than the catalogue says');
    expect((await install('none')).runtime.exception).toBe('another/none is not in the catalogue');
    expect((await install('units')).runtime.exception).toBe('Plugin another/units:2.0.0 already exists');
  });

  // POST /api/v1/plugins/github/release-assets
  it('POST /api/v1/plugins/github/releases and release-assets: of repositories, where GitHub is allowed', async () => {
    const releases = await client.refused('POST', `${list}/github/releases`, { repo_url: 'github.com/o/r' });
    expect(releases.reason).toBe('address_not_allowed');
    const wrong = await client.refused('POST', `${list}/github/releases`, { repo_url: 'https://example.com/o/r' });
    expect(wrong.status).toBe(400);
    const assets = await client.refused('POST', `${list}/github/release-assets`, {
      owner: 'o',
      repo: 'r',
      release_id: 1,
    });
    expect(assets.reason).toBe('address_not_allowed');
    expect((await client.refused('POST', `${list}/github/release-assets`, { owner: 'o' })).status).toBe(400);
  });

  it('POST /api/v1/plugins/install/local: a package, which an admin has sent', async () => {
    const broken = await upload('/install/local', Buffer.from('no package'));
    expect(broken).toMatchObject({ status: 422, body: { reason: 'plugin_invalid' } });
  });

  it('GET /api/v1/plugins/debug-info: nothing connects', async () => {
    expect(await client.get(`${list}/debug-info`)).toEqual({ debug_url: '', plugin_debug_key: '' });
  });

  it('POST /api/v1/plugins/config-files, DELETE /api/v1/plugins/config-files/{file_key}: no settings are files', async () => {
    expect((await client.send('POST', `${list}/config-files`)).status).toBe(404);
    expect((await client.send('DELETE', `${list}/config-files/plugin_config_1`)).status).toBe(404);
  });

  it('GET /api/v1/pipelines/{uuid}/extensions: offers them', async () => {
    const { pipelines } = await client.get('/api/v1/pipelines');
    const uuid = pipelines[0].uuid;
    const { available_plugins } = await client.get(`/api/v1/pipelines/${uuid}/extensions`);
    expect(available_plugins.map(({ id }: { id: string }) => id)).toEqual(['example/units', 'another/units']);
    const bound_plugins = [{ author: 'example', name: 'units' }];
    await client.put(`/api/v1/pipelines/${uuid}/extensions`, { enable_all_plugins: false, bound_plugins });
    const used = await client.send('DELETE', units);
    expect([used.status, used.body.reason, used.body.details]).toEqual([
      409,
      'in_use',
      [{ path: `pipelines/${uuid}`, message: expect.any(String) }],
    ]);
    await client.put(`/api/v1/pipelines/${uuid}/extensions`, { bound_plugins: [] });
  });

  it('PUT /api/v1/plugins/order: sets the order of all', async () => {
    expect((await client.refused('PUT', `${list}/order`, { order: ['another/units'] })).status).toBe(400);
    await client.put(`${list}/order`, { order: ['another/units', 'example/units'] });
    const { plugins } = await client.get(list);
    expect(plugins.map(({ id }: { id: string }) => id)).toEqual(['another/units', 'example/units']);
  });

  it('DELETE /api/v1/plugins/{author}/{name}: keeps settings unless they are to go', async () => {
    const { installed } = (await client.get(units)).details;
    await client.post(`${units}/consent`, { digest: installed.digest });
    const unknown = { send: [], models: ['01890000-0000-7000-8000-000000000000'], knowledge: [] };
    expect(await client.refused('PUT', `${units}/grants`, unknown)).toMatchObject({
      status: 400,
      msg: 'models[0]: does not exist',
    });
    const form = { name: 'A bot', description: '', adapter: 'telegram', adapter_config: { token: '1:a' } };
    const { uuid: bot_uuid } = await client.post('/api/v1/platform/bots', { ...form, enable: false });
    const grants = { send: [{ bot_uuid, targets: null }], models: [], knowledge: [] };
    await client.put(`${units}/grants`, grants);
    await client.put(`${units}/on-failure`, { on_failure: 'stop' });
    expect((await client.get(units)).details).toMatchObject({ state: 'enabled', grants, on_failure: 'stop' });
    expect((await client.get(`${units}/state`)).process).toMatchObject({ state: 'stopped' });
    expect(await client.get(`${units}/logs`)).toEqual({ lines: [], unreachable_replicas: [] });
    expect(versionsOf(processes)).toEqual({ 'example/units': '1.2.0' });
    const removed = await task(await client.delete(units));
    expect(removed).toMatchObject({
      name: 'plugin-remove-units',
      label: 'Removing plugin units',
      task_context: { current_action: 'plugin removed' },
    });
    expect(versionsOf(processes)).toEqual({});
    expect((await client.refused('DELETE', units)).status).toBe(404);
    await ended(await upload('/install/local', pluginPackage()));
    const again = await client.get(units);
    expect(again.plugin.plugin_config.server).toBe('http://127.0.0.1:9');
    expect(again.details).toMatchObject({ state: 'consent_required', grants: { send: [] } });
    await task(await client.delete(`${units}?delete_data=True`));
    await task(await client.delete(`${list}/another/units?delete_data=true`));
    expect(await service.database.selectFrom('plugins').selectAll().execute()).toEqual([]);
  });
});
