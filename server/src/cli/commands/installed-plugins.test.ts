import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakePluginProcesses, versionsOf } from '../../../test/factories/fake-plugin-processes.ts';
import { smallPackage } from '../../../test/factories/plugin-client.ts';
import { startTestService, type TestService } from '../../../test/factories/start-test-service.ts';
import { runCommand } from '../../../test/factories/test-terminal.ts';

const processes = new FakePluginProcesses();
let service: TestService;
let folder: string;
let key: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-plugins-'));
  service = await startTestService({ extensions: { pluginProcesses: processes } });
  ({ key } = await service.createApiKey(['read', 'write', 'send', 'admin']));
  writeFileSync(join(folder, 'units.zip'), smallPackage('1.0.0', { permissions: { storage: true } }));
  writeFileSync(join(folder, 'more.zip'), smallPackage('1.1.0', { permissions: { storage: true, reply: true } }));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const plugin = (...args: string[]) =>
  runCommand(['plugin', ...args, '--url', service.address], {
    workingDirectory: folder,
    environment: { PARLEY_API_KEY: key },
  });
const json = async (...args: string[]) => JSON.parse((await plugin(...args, '--json')).stdout);

describe('plugins of a running server', () => {
  it('are installed with consent, updated, rolled back and removed', async () => {
    expect((await plugin('list')).stderr).toBe('No plugins are installed.\n');
    expect(await plugin('install', 'units.zip', '--consent')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'example/units 1.0.0: installed and enabled\n',
    });
    expect(versionsOf(processes)).toEqual({ 'example/units': '1.0.0' });
    expect((await plugin('list')).stdout).toMatch(
      /^ID +VERSION +STATE +SOURCE\nexample\/units +1\.0\.0 +enabled +local\n$/,
    );
    expect(await json('install', 'more.zip')).toMatchObject({ version: '1.1.0', state: 'waiting' });
    expect(await json('consent', 'example/units')).toMatchObject({ id: 'example/units' });
    expect(versionsOf(processes)).toEqual({ 'example/units': '1.1.0' });
    expect((await plugin('rollback', 'example/units')).code).toBe(0);
    expect(versionsOf(processes)).toEqual({ 'example/units': '1.0.0' });
    expect((await plugin('disable', 'example/units')).stderr).toBe('example/units is disabled.\n');
    expect(versionsOf(processes)).toEqual({});
    expect((await plugin('enable', 'example/units')).code).toBe(0);
    expect(await json('order', 'example/units')).toEqual({ order: ['example/units'] });
    expect(await json('logs', 'example/units')).toEqual({ lines: [], unreachable_replicas: [] });
    expect(await json('remove', 'example/units', '--delete-data')).toEqual({ removed: 'example/units' });
    expect(await json('list')).toEqual({ plugins: [] });
  });

  it('tell why a command failed', async () => {
    expect(await json('install', 'units.zip', '--no-enable', '--consent')).toMatchObject({ state: 'disabled' });
    expect(await plugin('install', 'units.zip')).toMatchObject({
      code: 1,
      stderr: 'error: Plugin example/units:1.0.0 already exists\n',
    });
    expect(await json('install', 'units.zip')).toEqual({
      error: { reason: 'conflict', message: 'Plugin example/units:1.0.0 already exists' },
    });
    expect(await json('logs', 'no/one')).toMatchObject({ error: { reason: 'not_found' } });
    expect((await plugin('remove', 'units')).code).toBe(2);
    expect((await plugin('install', 'none.zip')).stderr).toContain('There is no file');
  });
});

describe('plugins of a stopped server', () => {
  it('are installed, listed and removed in the data folder, which the next start takes up', async () => {
    const dataDir = join(folder, 'data');
    const local = (...args: string[]) =>
      runCommand(['plugin', ...args], { workingDirectory: folder, environment: { PARLEY_DATA_DIR: dataDir } });
    expect((await local('list')).stderr).toContain('No plugins are installed.');
    expect((await local('install', 'units.zip')).stderr).toContain('does not run before you consent');
    expect((await local('install', 'units.zip', '--consent', '--allow-downgrade')).code).toBe(1);
    await local('remove', 'example/units', '--delete-data');
    expect(JSON.parse((await local('install', 'units.zip', '--consent', '--json')).stdout)).toMatchObject({
      id: 'example/units',
      version: '1.0.0',
      state: 'enabled',
    });
    expect((await local('install', 'more.zip')).stderr).toContain('the update waits for consent');
    expect((await local('list')).stdout).toMatch(/example\/units +1\.0\.0 +enabled +local/);
    expect((await local('install', 'none.zip')).stderr).toContain('There is no file');
    expect((await local('remove', 'example/other')).code).toBe(1);

    // The package is in the file store: without their folder, files are fetched from there, as by another replica.
    rmSync(join(dataDir, 'plugins'), { recursive: true });
    const started = new FakePluginProcesses();
    const own = await startTestService({ config: { dataDir }, extensions: { pluginProcesses: started } });
    try {
      await expect.poll(() => versionsOf(started)).toEqual({ 'example/units': '1.0.0' });
      expect(await local('install', 'more.zip', '--consent')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('a server is running; set PARLEY_API_KEY'),
      });
      const { entries } = (await own.request({ url: '/api/v1/audit?action=plugin.install', bearer: own.account.token }))
        .body.data;
      expect(entries[0]).toMatchObject({ actor_kind: 'command-line', record_id: 'example/units' });
    } finally {
      await own.stop();
    }
    expect((await local('remove', 'example/units', '--delete-data')).code).toBe(0);
    expect((await local('list')).stderr).toContain('No plugins are installed.');
  });
});
