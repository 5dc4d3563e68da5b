import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { FakePluginProcesses, versionsOf } from '../factories/fake-plugin-processes.ts';
import { pluginClient, smallPackage } from '../factories/plugin-client.ts';
import { packageOf } from '../factories/plugin-package.ts';
import { pluginProcessesOf } from '../factories/plugin-processes.ts';
import { runParley, spawnParley } from '../factories/run-parley.ts';
import { startBalancer } from '../factories/start-balancer.ts';
import { type TestReplicas, testReplicas } from '../factories/start-replicas.ts';
import type { TestService } from '../factories/start-test-service.ts';
import { sharedResource } from '../shared/shared-resource.ts';

const id = 'example/pages';
const patience = { timeout: 20_000 };
let replicas: TestReplicas;
let first: TestService;
let second: TestService;
/** Requests to either, as the admin who signed in at the first. */
let here: ReturnType<typeof pluginClient>;
let there: ReturnType<typeof pluginClient>;

const clientOf = (at: TestService) => pluginClient({ ...at, account: first.account });

beforeAll(async () => {
  replicas = await testReplicas();
  const config = { replicaAddress: '127.0.0.1:0' };
  first = await replicas.start({ config });
  second = await replicas.start({ config });
  await replicas.met();
  here = clientOf(first);
  there = clientOf(second);
}, 60_000);
afterAll(() => replicas.stop());

/** A plugin whose page says which version answers. */
const answering = (version: string) =>
  packageOf(
    `export default { pages: { words: ({ body }) => { console.log(body, '${version}'); return body + ' ${version}'; } } };`,
    { id, version, contributes: { pages: [{ name: 'words', label: { en_US: 'Words' }, path: 'pages/index.html' }] } },
    { 'pages/index.html': '<!doctype html><title>Words</title>' },
  );

const ask = async (client: ReturnType<typeof pluginClient>) =>
  (await client.call('POST', `/${id}/pages/words/requests`, { endpoint: 'ask', method: 'POST', body: 'version' })).body;

const installWithConsent = async (client: ReturnType<typeof pluginClient>, content: Buffer, more = '') => {
  const { digest } = await client.inspect(content);
  return client.install(content, `?digest=${digest}&consent=true${more}`);
};

const isEnabled = (client: ReturnType<typeof pluginClient>, plugin = id) =>
  vi.waitFor(async () => expect((await client.details(plugin)).state).toBe('enabled'), patience);

const folderOf = (at: TestService, plugin = id) => join(at.config.dataDir, 'plugins', plugin);
/** Files of other versions are removed, and those of this one fetched, after it counts as installed. */
const hasOnly = async (at: TestService, plugin: string, ...digests: unknown[]) =>
  vi.waitFor(() => expect(readdirSync(folderOf(at, plugin)).sort()).toEqual(digests.sort()), patience);

/** The file of the only package with some content. */
function packageFile(content: Buffer): string {
  const files = readdirSync(replicas.files, { recursive: true, withFileTypes: true });
  const found = files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .find((path) => readFileSync(path).equals(content));
  if (found === undefined) throw new Error('the package is not stored');
  return found;
}

it('a plugin that one replica installs runs on the other too, in each version', async () => {
  for (const version of ['1.0.0', '1.1.0']) {
    expect((await installWithConsent(here, answering(version))).runtime).toMatchObject({ exception: null });
    // At once it is enabled, or its files are being fetched.
    expect((await there.details(id)).installed.version).toBe(version);
    await isEnabled(there);
    expect(JSON.stringify(await ask(there))).toContain(`version ${version}`);
    expect(pluginProcessesOf(second.config.dataDir).map(({ plugin }) => plugin)).toContain(id);
  }
  // Back to the version before, by the other replica, and here from there.
  expect((await there.call('POST', `/${id}/rollback`)).status).toBe(200);
  expect(JSON.stringify(await ask(there))).toContain('version 1.0.0');
  await isEnabled(here);
  expect(JSON.stringify(await ask(here))).toContain('version 1.0.0');
}, 120_000);

it('the processes and the logs of all replicas are shown by each, and who does not answer', async () => {
  for (const client of [here, there]) await ask(client);
  for (const client of [here, there]) {
    const { replicas: all, process, unreachable_replicas } = (await client.call('GET', `/${id}/state`)).body.data;
    const processes = all.map(({ process: own }: { process: { state: string; calls: number } }) => own);
    expect(processes).toMatchObject([{ state: 'running' }, { state: 'running' }]);
    expect(process).toMatchObject({ state: 'running', calls: processes[0].calls + processes[1].calls });
    expect(unreachable_replicas).toEqual([]);
    const listed = (await client.call('GET', '')).body.data.plugins;
    expect(listed).toMatchObject([{ process: { calls: process.calls } }]);
    const { lines } = (await client.call('GET', `/${id}/logs`)).body.data;
    const said = lines.filter(({ text }: { text: string }) => text === 'version 1.0.0');
    expect(new Set(said.map(({ replica }: { replica: string }) => replica)).size).toBe(2);
  }
  const third = await replicas.start();
  await replicas.met();
  await vi.waitFor(async () => {
    const { unreachable_replicas, lines } = (await here.call('GET', `/${id}/logs`)).body.data;
    expect(unreachable_replicas).toHaveLength(1);
    expect(lines).toContainEqual(expect.objectContaining({ text: 'version 1.0.0' }));
  }, patience);
  await third.service.stop();
}, 120_000);

it.runIf(process.platform !== 'win32')(
  'a plugin is developed through a balancer that asks another replica each time',
  async () => {
    await sharedResource('commandLine');
    const plugin = 'ada/units';
    const balancer = await startBalancer();
    let requests = 0;
    const addresses = [first.address, second.address];
    Object.defineProperty(balancer, 'to', {
      get: () => {
        requests += 1;
        return [addresses[requests % 2]];
      },
    });
    const folder = mkdtempSync(join(tmpdir(), 'parley-dev-'));
    const project = join(folder, 'units');
    const { key } = await first.createApiKey(['read', 'write', 'send', 'admin']);
    await runParley(['plugin', 'create', plugin, project]);
    const main = readFileSync(join(project, 'main.ts'), 'utf8');
    const write = (text: string) =>
      writeFileSync(
        join(project, 'main.ts'),
        main.replace('tools: {', `start: () => console.log('${text}'),\n  tools: {`),
      );
    write('first version');
    const dev = spawnParley(['plugin', 'dev', project, '--url', balancer.address], {
      environment: { PARLEY_API_KEY: key },
    });
    const ended = once(dev, 'close');
    let said = '';
    dev.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    try {
      for (const text of ['first version', 'second version']) {
        if (text !== 'first version') write(text);
        await expect.poll(() => said, patience).toContain(text);
        for (const client of [here, there]) await isEnabled(client, plugin);
      }
      dev.kill('SIGINT');
      expect(await ended, said).toEqual([0, null]);
      expect(said.match(/ is installed/g)).toHaveLength(2);
      for (const client of [here, there]) expect((await client.details(plugin)).state).toBe('disabled');
    } finally {
      dev.kill('SIGKILL');
      await balancer.close();
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);

it('a replica that joins fetches what is installed, and the version before when it is needed', async () => {
  const third = await replicas.start();
  await isEnabled(clientOf(third));
  expect(JSON.stringify(await ask(clientOf(third)))).toContain('version 1.0.0');
  expect((await clientOf(third).call('POST', `/${id}/rollback`)).status).toBe(200);
  expect(JSON.stringify(await ask(clientOf(third)))).toContain('version 1.1.0');
  await third.service.stop();
}, 120_000);

it('a package that was changed leaves the plugin not working until it is whole again', async () => {
  const plugin = 'example/units';
  const content = smallPackage('1.0.0');
  const processes = new FakePluginProcesses();
  await installWithConsent(here, content);
  await isEnabled(there, plugin);
  const path = packageFile(content);
  writeFileSync(path, Buffer.concat([content.subarray(0, -1), Buffer.from('x')]));
  const third = await replicas.start({ extensions: { pluginProcesses: processes } });
  const client = clientOf(third);
  await vi.waitFor(async () => {
    expect(await client.details(plugin)).toMatchObject({
      state: 'damaged',
      fault: 'the package in the file store was changed',
    });
  }, patience);
  await isEnabled(client);
  expect(Object.keys(versionsOf(processes))).toEqual([id]);
  expect(existsSync(folderOf(third, plugin))).toBe(false);
  writeFileSync(path, content);
  // Any change of a plugin has it look again.
  expect((await here.call('PUT', `/${plugin}/on-failure`, { on_failure: 'stop' })).status).toBe(200);
  await isEnabled(client, plugin);
  expect(versionsOf(processes)[plugin]).toBe('1.0.0');
  await third.service.stop();
}, 120_000);

it('packages of installations that have none are stored at the next start, and reach the others', async () => {
  const plugin = 'example/units';
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-replica-'));
  try {
    const before = await replicas.start({ config: { dataDir } });
    await isEnabled(clientOf(before), plugin);
    await before.service.stop();
    // As before packages were stored.
    await first.database.deleteFrom('plugin_packages').execute();
    rmSync(folderOf(second, plugin), { recursive: true });
    await here.call('PUT', `/${plugin}/on-failure`, { on_failure: 'pass' });
    await vi.waitFor(async () => {
      expect((await there.details(plugin)).fault).toContain('has no package of it');
    }, patience);
    const after = await replicas.start({ config: { dataDir } });
    await isEnabled(there, plugin);
    await after.service.stop();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 120_000);

it('an installation fails when another replica has installed the plugin meanwhile', async () => {
  const plugin = 'example/late';
  const processes = new FakePluginProcesses();
  const third = await replicas.start({ extensions: { pluginProcesses: processes } });
  const content = smallPackage('1.0.1', { id: plugin });
  processes.onTrial = async () => {
    expect((await installWithConsent(here, smallPackage('1.0.0', { id: plugin }))).runtime.exception).toBeNull();
  };
  const late = await installWithConsent(clientOf(third), content);
  expect(late.runtime.exception).toBe('Another request has changed example/late meanwhile; check it and try again');
  expect(late.task_context.metadata.failure.reason).toBe('conflict');
  await isEnabled(clientOf(third), plugin);
  const { installed } = await here.details(plugin);
  expect(installed.version).toBe('1.0.0');
  expect(versionsOf(processes)[plugin]).toBe('1.0.0');
  for (const at of [first, third]) await hasOnly(at, plugin, installed.digest);
  await third.service.stop();
}, 120_000);

let pairs = 0;

it('of two installations of one plugin at once, one is last, and one that comes too late says why', async () => {
  pairs += 1;
  const plugin = `example/both-${pairs}`;
  const [one, other] = [smallPackage('1.0.0', { id: plugin }), smallPackage('1.0.1', { id: plugin })];
  const tasks = await Promise.all([installWithConsent(here, one), installWithConsent(there, other)]);
  const refused = tasks.filter(({ runtime }) => runtime.exception !== null);
  for (const { runtime } of refused)
    expect(runtime.exception).toMatch(/changed example\/both-\d meanwhile|older|already exists/);
  expect(refused.length).toBeLessThan(2);
  // One may be done before the other begins, which then is an update, and only possible for the newer version.
  const winner = tasks.findLast(({ runtime }) => runtime.exception === null)?.runtime.result.digest;
  for (const client of [here, there]) {
    await isEnabled(client, plugin);
    await vi.waitFor(async () => expect((await client.details(plugin)).installed.digest).toBe(winner), patience);
  }
  // After an update, the version before is kept.
  const { previous } = await here.details(plugin);
  for (const at of [first, second]) await hasOnly(at, plugin, winner, ...(previous === null ? [] : [previous.digest]));
}, 120_000);
