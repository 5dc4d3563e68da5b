import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ParleyError } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakePluginProcesses, versionsOf } from '../factories/fake-plugin-processes.ts';
import { pluginClient, smallPackage } from '../factories/plugin-client.ts';
import { newSigningKey, packageFiles, pluginManifest, pluginPackage } from '../factories/plugin-package.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

const id = 'example/units';
let service: TestService;
let processes: FakePluginProcesses;
let client: ReturnType<typeof pluginClient>;

beforeEach(async () => {
  processes = new FakePluginProcesses();
  service = await startTestService({ listen: false, extensions: { pluginProcesses: processes } });
  client = pluginClient(service);
});
afterEach(() => service.stop());

const filesOf = (plugin = id) => {
  const folder = join(service.config.dataDir, 'plugins', plugin);
  return existsSync(folder) ? readdirSync(folder) : [];
};

/** Installs a package with the consent to what was inspected. */
const installWithConsent = async (content: Buffer, more = '') => {
  const { digest } = await client.inspect(content);
  return client.install(content, `?digest=${digest}&consent=true${more}`);
};

describe('an installation', () => {
  it('with consent to what was inspected runs the plugin', async () => {
    const content = pluginPackage({ signature: newSigningKey() });
    const inspected = await client.inspect(content);
    expect(inspected).toMatchObject({ manifest: { id }, differences: null, size: content.length });
    expect(inspected.permissions).toContainEqual({ kind: 'send', value: '', text: expect.any(String) });
    const task = await installWithConsent(content);
    expect(task).toMatchObject({
      kind: 'plugin-operation',
      name: 'plugin-install-local',
      label: 'Installing plugin from local units.lbpkg',
      task_context: {
        current_action: 'plugin installed',
        metadata: { plugin_name: 'units.lbpkg', install_source: 'local' },
      },
      runtime: { done: true, exception: null, result: { id, version: '1.2.0', state: 'enabled' } },
    });
    expect(versionsOf(processes)).toEqual({ [id]: '1.2.0' });
    expect(processes.trials).toEqual([`${id} 1.2.0`]);
    const { folder, main, files } = processes.programs.get(id) ?? {};
    expect(readdirSync(folder ?? '').sort()).toEqual([
      'README.md',
      'main.js',
      'pages',
      'parley-plugin.json',
      'parley-plugin.sig',
    ]);
    expect([main, Object.keys(files ?? {})]).toEqual(['main.js', Object.keys(packageFiles)]);
    expect(await client.details()).toMatchObject({
      state: 'enabled',
      installed: {
        consent: { permissions: inspected.permissions, by: service.account.user },
        digest: inspected.digest,
      },
      expected_signer: inspected.signature.fingerprint,
    });
    const { entries } = (
      await service.request({ url: '/api/v1/audit?action=plugin.install', bearer: service.account.token })
    ).body.data;
    expect(entries).toMatchObject([
      { record_kind: 'plugin', record_id: id, after: { version: '1.2.0', consent: true } },
    ]);
  });

  it('without consent runs nothing until an admin consents', async () => {
    expect((await client.install(pluginPackage())).runtime.result).toMatchObject({ state: 'consent_required' });
    expect([versionsOf(processes), processes.trials]).toEqual([{}, []]);
    expect((await client.call('PUT', `/${id}/enabled`, { enabled: true })).body).toMatchObject({
      reason: 'plugin_consent_required',
    });
    const { digest } = (await client.details()).installed;
    expect((await client.call('POST', `/${id}/consent`, { digest: '0'.repeat(64) })).status).toBe(409);
    expect((await client.call('POST', `/${id}/consent`, { digest })).status).toBe(200);
    expect(versionsOf(processes)).toEqual({ [id]: '1.2.0' });
    expect((await client.call('PUT', `/${id}/enabled`, { enabled: false })).status).toBe(200);
    expect(versionsOf(processes)).toEqual({});
  });

  it('of another package than was inspected changes nothing', async () => {
    const { digest } = await client.inspect(smallPackage('1.0.0'));
    const task = await client.install(smallPackage('1.0.1'), `?digest=${digest}&consent=true`);
    expect(task.runtime.exception).toBe('The package is not the one that was inspected');
    expect((await client.upload('/install/local?consent=true', smallPackage('1.0.0'))).status).toBe(400);
    expect((await client.upload('/install/local?consent=perhaps', smallPackage('1.0.0'))).status).toBe(400);
    expect([await client.details(), filesOf()]).toEqual([undefined, []]);
  });

  it('of a plugin that cannot be started fails with the reason, and leaves nothing', async () => {
    processes.onTrial = async () => {
      throw new ParleyError('plugin_crashed', 'It ended with code 1');
    };
    const task = await installWithConsent(smallPackage('1.0.0'));
    expect(task.runtime.exception).toBe('It ended with code 1');
    expect(task.task_context.metadata.failure.reason).toBe('plugin_crashed');
    expect([await client.details(), filesOf(), versionsOf(processes)]).toEqual([undefined, [], {}]);
  });

  it('of one more than there may be is refused before anything is unpacked', async () => {
    await service.stop();
    service = await startTestService({
      listen: false,
      config: { maxExtensions: 1 },
      extensions: { pluginProcesses: processes },
    });
    client = pluginClient(service);
    expect((await client.install(smallPackage('1.0.0'))).runtime.exception).toBeNull();
    const another = await client.upload('/install/local', smallPackage('1.0.0', { id: 'example/another' }));
    expect(another).toMatchObject({
      status: 409,
      body: { reason: 'limit_reached', msg: 'Maximum number of extensions (1) reached' },
    });
    expect(filesOf('example/another')).toEqual([]);
    // An update is none more.
    expect((await client.install(smallPackage('1.0.1'))).runtime.exception).toBeNull();
  });

  it('of the same package twice at once is made once', async () => {
    const content = smallPackage('1.0.0');
    const tasks = await Promise.all([client.install(content), client.install(content)]);
    const exceptions = tasks.map(({ runtime }) => runtime.exception);
    expect(exceptions.sort()).toEqual(['Plugin example/units:1.0.0 already exists', null].sort());
    expect(filesOf()).toHaveLength(1);
  });

  it('ends with the service, and leaves nothing', async () => {
    const begun = Promise.withResolvers<void>();
    processes.onTrial = (_, signal) =>
      new Promise((_resolve, reject) => {
        begun.resolve();
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const content = smallPackage('1.0.0');
    const { digest } = await client.inspect(content);
    await client.upload(`/install/local?digest=${digest}&consent=true`, content);
    await begun.promise;
    await service.service.stop();
    expect(filesOf()).toEqual([]);
  });
});

describe('an update', () => {
  beforeEach(async () => {
    await installWithConsent(smallPackage('1.0.0', { permissions: { storage: true } }));
  });

  it('that asks for no more takes the place of the version before', async () => {
    const task = await client.install(smallPackage('1.1.0', { permissions: { storage: true } }));
    expect(task.runtime.result).toMatchObject({ state: 'enabled', version: '1.1.0' });
    expect(versionsOf(processes)).toEqual({ [id]: '1.1.0' });
    expect(await client.details()).toMatchObject({ previous: { version: '1.0.0' }, update: null });
    expect(filesOf()).toHaveLength(2);
    await client.install(smallPackage('1.2.0'));
    expect(filesOf()).toHaveLength(2);
  });

  it('that asks for more waits, and is put in place by consent', async () => {
    const content = smallPackage('1.1.0', { permissions: { storage: true, reply: true } });
    expect((await client.inspect(content)).differences).toMatchObject({
      installed_version: '1.0.0',
      permissions: { added: [{ kind: 'reply' }], removed: [] },
      signer_changed: false,
      is_downgrade: false,
    });
    expect((await client.install(content)).runtime.result).toMatchObject({ state: 'waiting' });
    expect(versionsOf(processes)).toEqual({ [id]: '1.0.0' });
    const { update } = await client.details();
    expect(update).toMatchObject({ version: '1.1.0', differences: { permissions: { added: [{ kind: 'reply' }] } } });
    expect((await client.call('POST', `/${id}/consent`, { digest: update.digest })).status).toBe(200);
    expect(versionsOf(processes)).toEqual({ [id]: '1.1.0' });
    expect(await client.details()).toMatchObject({ state: 'enabled', update: null, previous: { version: '1.0.0' } });
  });

  it('that says of another tool that it only reads waits', async () => {
    const { settings: _, contributes, permissions: __, ...manifest } = pluginManifest();
    const tools = ['convert_units', 'order_units'].map((name) => ({ ...contributes.tools?.[0], name }));
    const content = pluginPackage({ manifest: { ...manifest, version: '1.1.0', contributes: { tools } } });
    expect((await client.install(content)).runtime.result).toMatchObject({ state: 'waiting' });
    expect((await client.details()).update.differences.permissions.added).toMatchObject([
      { kind: 'tools', value: 'order_units' },
    ]);
  });

  it('that waits can be discarded', async () => {
    await client.install(smallPackage('1.1.0', { permissions: { storage: true, reply: true } }));
    expect(filesOf()).toHaveLength(2);
    expect((await client.call('DELETE', `/${id}/update`)).status).toBe(200);
    expect(filesOf()).toHaveLength(1);
    expect((await client.call('DELETE', `/${id}/update`)).status).toBe(409);
  });

  it('with another signer, or none later, waits', async () => {
    const key = newSigningKey();
    const signed = smallPackage('1.1.0', { signature: key });
    expect((await client.inspect(signed)).differences.signer_changed).toBe(true);
    expect((await client.install(signed)).runtime.result.state).toBe('waiting');
    const { update } = await client.details();
    await client.call('POST', `/${id}/consent`, { digest: update.digest });
    expect((await client.install(smallPackage('1.2.0', { signature: key }))).runtime.result.state).toBe('enabled');
    for (const signature of [newSigningKey(), undefined]) {
      const other = smallPackage('1.3.0', signature === undefined ? {} : { signature });
      expect((await client.install(other)).runtime.result.state).toBe('waiting');
    }
    expect(versionsOf(processes)).toEqual({ [id]: '1.2.0' });
  });

  it('that cannot be started leaves the version before in place', async () => {
    processes.onTrial = async () => {
      throw new ParleyError('plugin_timeout', 'It did not start in time');
    };
    const task = await client.install(smallPackage('1.1.0'));
    expect(task.runtime.exception).toBe('It did not start in time');
    expect(versionsOf(processes)).toEqual({ [id]: '1.0.0' });
    expect(filesOf()).toHaveLength(1);
  });

  it('to the same or an earlier version has to be asked for', async () => {
    const same = smallPackage('1.0.0');
    const older = smallPackage('0.9.0');
    expect((await client.install(same)).runtime.exception).toBe('Plugin example/units:1.0.0 already exists');
    expect((await client.install(older)).runtime.exception).toBe(
      'Version 0.9.0 of example/units is older than the installed 1.0.0',
    );
    expect((await client.install(same, '?allow_downgrade=true')).runtime.exception).toBeNull();
    expect((await client.install(older, '?allow_downgrade=true')).runtime.exception).toBeNull();
    expect(versionsOf(processes)).toEqual({ [id]: '0.9.0' });
  });

  it('can be taken back', async () => {
    expect((await client.call('POST', `/${id}/rollback`)).body).toMatchObject({ reason: 'conflict' });
    await client.install(smallPackage('1.1.0'));
    expect((await client.call('POST', `/${id}/rollback`)).status).toBe(200);
    expect(versionsOf(processes)).toEqual({ [id]: '1.0.0' });
    expect(await client.details()).toMatchObject({ previous: { version: '1.1.0' } });
  });
});

describe('after a crash', () => {
  const restart = async () => {
    const other = new FakePluginProcesses();
    const { createService } = await import('../../src/service.ts');
    await service.service.stop();
    const next = await createService(service.config, { pluginProcesses: other });
    await next.start();
    return { other, stop: () => next.stop() };
  };

  it('leftover folders are removed, and installed versions stay', async () => {
    await installWithConsent(smallPackage('1.0.0'));
    const plugins = join(service.config.dataDir, 'plugins');
    const [digest = ''] = filesOf();
    const { mkdirSync } = await import('node:fs');
    for (const left of ['.incoming/a', `example/units/${'0'.repeat(64)}`, 'another/one/1']) {
      mkdirSync(join(plugins, left), { recursive: true });
      writeFileSync(join(plugins, left, 'main.js'), '');
    }
    const { other, stop } = await restart();
    expect(versionsOf(other)).toEqual({ [id]: '1.0.0' });
    expect(readdirSync(plugins)).not.toContain('.incoming');
    expect(filesOf()).toEqual([digest]);
    expect(filesOf('another/one')).toEqual([]);
    await stop();
  });

  it.each(['changed', 'gone'])('a plugin whose files are %s is listed with the reason', async (how) => {
    await installWithConsent(smallPackage('1.0.0'));
    const main = join(service.config.dataDir, 'plugins', id, filesOf()[0] ?? '', 'main.js');
    chmodSync(main, 0o600);
    if (how === 'changed') writeFileSync(main, 'process.exit()');
    else rmSync(main);
    const refused = await client.call('PUT', `/${id}/enabled`, { enabled: true });
    expect([refused.status, refused.body.reason]).toEqual([409, 'plugin_files_changed']);
    expect(await client.details()).toMatchObject({ state: 'damaged', fault: expect.stringContaining('main.js') });
    expect(versionsOf(processes)).toEqual({});
    // The same package repairs it.
    expect((await client.install(smallPackage('1.0.0'))).runtime.exception).toBeNull();
    expect(await client.details()).toMatchObject({ state: 'enabled', fault: null, previous: null });
    expect(versionsOf(processes)).toEqual({ [id]: '1.0.0' });
  });
});
