import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pluginClient } from '../factories/plugin-client.ts';
import { runParley, spawnParley } from '../factories/run-parley.ts';
import { startTestService } from '../factories/start-test-service.ts';
import { sharedResource } from '../shared/shared-resource.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const guide = readFileSync(join(root, 'docs/writing-plugins.md'), 'utf8');
const [, commands = ''] = /## Create, test, pack\n\n```sh\n(.*?)```/s.exec(guide) ?? [];
const [, signing = ''] = /## Pack and sign\n\n```sh\n(.*?)```/s.exec(guide) ?? [];

/** A network of its own without any interface, where the system allows that. */
const offline = ['unshare', '--map-root-user', '--net'];
const hasOffline =
  process.platform === 'linux' && spawnSync(offline[0] ?? '', [...offline.slice(1), 'true']).status === 0;

describe.runIf(process.platform !== 'win32')('the commands of docs/writing-plugins.md', () => {
  let folder: string;
  beforeEach(async () => {
    await sharedResource('commandLine');
    folder = mkdtempSync(join(tmpdir(), 'parley-guide-'));
    symlinkSync(join(root, 'parley'), join(folder, 'parley'));
  }, 120_000);
  afterEach(() => rmSync(folder, { recursive: true }));

  it('lead from nothing to a signed package, without a network', async () => {
    expect(commands.trim().split('\n')).toHaveLength(4);
    const [program = '', ...args] = [...(hasOffline ? offline : []), 'sh', '-ec', commands + signing];
    const environment = { PATH: process.env.PATH ?? '', HOME: folder, PARLEY_CONFIG_FILE: '/dev/null' };
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: folder, env: environment });
    expect(stderr).toContain('The plugin passes.');
    expect(stdout).toContain('passed type-checks');
    expect(stdout).toContain('passed tool shout answers');
    expect(stdout).not.toMatch(/^(failed|skipped)/m);
    expect(stdout).toContain('ada/shout 0.1.0: shout\n');
    expect(stderr).toMatch(/ada\/shout is signed by the key [0-9a-f]{64}\n/);
  }, 60_000);
});

describe.runIf(process.platform !== 'win32')('plugin dev', () => {
  it('installs a project, again with each change, prints its log, and disables it at the end', async () => {
    await sharedResource('commandLine');
    const folder = mkdtempSync(join(tmpdir(), 'parley-dev-'));
    const service = await startTestService();
    const { key } = await service.createApiKey(['read', 'write', 'send', 'admin']);
    const environment = { PARLEY_API_KEY: key };
    const project = join(folder, 'units');
    await runParley(['plugin', 'create', 'ada/units', project]);
    const main = readFileSync(join(project, 'main.ts'), 'utf8');
    const write = (text: string) =>
      writeFileSync(
        join(project, 'main.ts'),
        main.replace('tools: {', `start: () => console.log('${text}'),\n  tools: {`),
      );
    write('first version');
    const dev = spawnParley(['plugin', 'dev', project, '--url', service.address], { environment });
    const ended = once(dev, 'close');
    let said = '';
    dev.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    try {
      const patience = { timeout: 20_000, interval: 20 };
      const times = (pattern: RegExp) => said.match(pattern)?.length ?? 0;
      await expect.poll(() => times(/ada\/units 0\.1\.0 is installed/g), patience).toBe(1);
      await expect.poll(() => said, patience).toContain('first version');
      write('second version');
      await expect.poll(() => times(/is installed/g), patience).toBe(2);
      await expect.poll(() => said, patience).toContain('second version');
      writeFileSync(join(project, 'main.ts'), 'export default {');
      await expect.poll(() => said, patience).toMatch(/warning: main\.ts:1:\d+: /);
      const client = pluginClient(service);
      expect(await client.details('ada/units')).toMatchObject({ state: 'enabled' });
      dev.kill('SIGINT');
      expect(await ended).toEqual([0, null]);
      expect(said).toContain('ada/units is disabled.');
      expect(await client.details('ada/units')).toMatchObject({ state: 'disabled' });
    } finally {
      dev.kill('SIGKILL');
      await service.stop();
      rmSync(folder, { recursive: true });
    }
  }, 90_000);
});
