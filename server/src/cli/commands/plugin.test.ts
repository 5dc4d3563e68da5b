import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newSigningKey, pluginManifest, pluginPackage } from '../../../test/factories/plugin-package.ts';
import { runCommand } from '../../../test/factories/test-terminal.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-plugin-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const inspect = (...args: string[]) => runCommand(['plugin', 'inspect', ...args], { workingDirectory: folder });

describe('plugin inspect', () => {
  it('prints what is in a package, and leaves nothing behind', async () => {
    writeFileSync(join(folder, 'units.zip'), pluginPackage({ signature: newSigningKey() }));
    const { code, stdout, stderr } = await inspect('units.zip');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^example\/units 1\.2\.0: Unit converter\nConverts units of measurement\.\n/);
    expect(stdout).toContain('\nAdds:\n  tools: convert_units\n  commands: convert\n  listeners: received, answer\n');
    expect(stdout).toContain('\nPermissions:\n  Reads each message before');
    expect(stdout).toContain('\n  Sends HTTP requests to api.example.com.\n');
    expect(stdout).toMatch(/\nSignature: valid, ed25519 key [0-9a-f]{64}\nSHA-256: [0-9a-f]{64}\nSize: \d+ bytes, /);
    expect(readdirSync(folder)).toEqual(['units.zip']);
  });

  it('prints that a package needs no permissions', async () => {
    const { permissions, settings, contributes, ...rest } = pluginManifest();
    const manifest: object = { ...rest, contributes: { commands: contributes.commands } };
    writeFileSync(join(folder, 'units.zip'), pluginPackage({ manifest }));
    expect((await inspect('units.zip')).stdout).toMatch(/\nPermissions: none\n[\s\S]*\nSignature: none\n/);
  });

  it('prints one JSON document', async () => {
    writeFileSync(join(folder, 'units.zip'), pluginPackage());
    const { code, stdout, stderr } = await inspect('units.zip', '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      manifest: pluginManifest(),
      contributions: { commands: ['convert'] },
      signature: null,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('refuses a bad package, naming the entry, as text and as JSON', async () => {
    const bad = pluginPackage({ more: [{ path: '../\u001b[2Jevil.js', content: 'x' }] });
    writeFileSync(join(folder, 'bad.zip'), bad);
    expect(await inspect('bad.zip')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: ../\\u{1b}[2Jevil.js: its path leads elsewhere\n',
    });
    const { code, stdout } = await inspect('bad.zip', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        reason: 'plugin_invalid',
        message: '../\u001b[2Jevil.js: its path leads elsewhere',
        details: [{ path: '../\u001b[2Jevil.js', message: 'its path leads elsewhere' }],
      },
    });
  });

  it('lists every fault of a manifest', async () => {
    const manifest: object = { ...pluginManifest(), version: 'v1.2.0', main: 'lost.js' };
    writeFileSync(join(folder, 'bad.zip'), pluginPackage({ manifest }));
    expect((await inspect('bad.zip')).stderr).toBe(
      'error: manifest.version: must be a version such as 1.2.0\nerror: manifest.main: must be one of the files\n',
    );
  });

  it('says that a package is for another version', async () => {
    writeFileSync(join(folder, 'next.zip'), pluginPackage({ manifest: { ...pluginManifest(), sdk: '>=9' } }));
    const { code, stderr } = await inspect('next.zip');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: The plugin works with versions >=9 of @parley/)]);
  });

  it('reads neither what is no file nor what is too large', async () => {
    mkdirSync(join(folder, 'folder'));
    for (const name of ['none.zip', 'folder', '/dev/zero']) {
      expect(await inspect(name)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^error: There is no file /),
      });
    }
    writeFileSync(join(folder, 'large.zip'), '');
    truncateSync(join(folder, 'large.zip'), 50_000_000_000);
    expect((await inspect('large.zip')).stderr).toBe('error: The package has more than 10485760 bytes.\n');
  });

  it('needs a file', async () => {
    expect(await inspect()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("missing required argument 'file'"),
    });
  });
});
