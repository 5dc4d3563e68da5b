import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
