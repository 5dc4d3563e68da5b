import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/factories/test-terminal.ts';

const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
const kinds = ['tool', 'command', 'listener', 'parser', 'engine', 'runner', 'page', 'schedule'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-project-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const plugin = (...args: string[]) => runCommand(['plugin', ...args], { workingDirectory: folder });
const json = async (...args: string[]) => JSON.parse((await plugin(...args, '--json')).stdout);
const write = (path: string, content: string) => writeFileSync(join(folder, path), content);
const replace = (path: string, from: string, to: string) => {
  const content = readFileSync(join(folder, path), 'utf8');
  expect(content).toContain(from);
  write(path, content.replace(from, to));
};

describe('plugin create', () => {
  it('writes projects of every kind that type-check and can be packed', async () => {
    for (const kind of kinds) {
      expect(await json('create', `ada/${kind}`, '--kind', kind)).toMatchObject({ folder: join(folder, kind) });
      expect(await json('pack', kind)).toMatchObject({ id: `ada/${kind}`, version: '0.1.0' });
      const inspected = await json('inspect', `${kind}/${kind}-0.1.0.zip`);
      expect(Object.keys(inspected.contributions)).toEqual([`${kind}s`]);
    }
    const { compilerOptions } = JSON.parse(readFileSync(join(folder, 'tool', 'tsconfig.json'), 'utf8'));
    // All at once: the compiler reads the same types for each.
    const types = join(folder, 'tool', 'node_modules', '@types');
    write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...compilerOptions, typeRoots: [types] }, include: kinds }),
    );
    replace('tool/main.ts', 'shout(text)', 'shout(wrong)');
    const child = spawn(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { cwd: folder });
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
    // All but the one mistake is right.
    expect(said.trim().split('\n')).toEqual([
      expect.stringMatching(/^tool\/main\.ts\(\d+,\d+\): error TS2304: .*'wrong'/),
    ]);
  }, 60_000);

  it('changes no folder that has files', async () => {
    write('notes.txt', 'Mine');
    expect(await plugin('create', 'ada/units', '.')).toMatchObject({
      code: 1,
      stderr: `error: The folder ${folder} is not empty\n`,
    });
    expect((await plugin('create', 'Ada', 'units')).code).toBe(2);
    expect((await plugin('create', 'ada/units', '--kind', 'platform')).stderr).toContain('There is no kind platform');
  });
});

describe('plugin pack', () => {
  beforeEach(() => plugin('create', 'ada/units', '--kind', 'page'));
  const refused = async () => (await plugin('pack', 'units')).stderr;

  it('makes the same bytes of the same sources, wherever they are', async () => {
    expect((await plugin('pack', 'units', '--out', 'one.zip')).code).toBe(0);
    cpSync(join(folder, 'units'), join(folder, 'elsewhere/deeper'), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
    expect((await plugin('pack', 'elsewhere/deeper', '--out', 'other.zip')).code).toBe(0);
    expect(readFileSync(join(folder, 'one.zip')).equals(readFileSync(join(folder, 'other.zip')))).toBe(true);
    const { manifest } = await json('inspect', 'one.zip');
    expect(Object.keys(manifest.files)).toEqual([
      'README.md',
      'main.js',
      'pages/shout/index.html',
      'pages/shout/index.js',
    ]);
  });

  it('takes what is beside: assets and the folders of pages, but no TypeScript and nothing hidden', async () => {
    mkdirSync(join(folder, 'units/assets/icons'), { recursive: true });
    write('units/assets/icons/a.svg', '<svg/>');
    write('units/assets/.hidden', '');
    write('units/pages/shout/part.ts', 'export const part = 1;');
    write('units/LICENSE', 'Yours');
    await plugin('pack', 'units', '--out', 'one.zip');
    const { manifest } = await json('inspect', 'one.zip');
    expect(Object.keys(manifest.files)).toEqual([
      'LICENSE',
      'README.md',
      'assets/icons/a.svg',
      'main.js',
      'pages/shout/index.html',
      'pages/shout/index.js',
    ]);
  });

  it.each([
    ['main.ts', 'export default definePlugin', 'export default ( definePlugin', /^error: main\.ts:\d+:\d+: .+/],
    ['main.ts', './shout.ts', './lost.ts', /^error: main\.ts(:\d+:\d+)?: .*lost\.ts/],
    [
      'main.ts',
      'import { shout',
      "import 'node:fs';\nimport { shout",
      /^error: main\.ts: imports node:fs, which is not available to plugins\n$/,
    ],
    [
      'pages/shout/index.ts',
      'const page',
      "import 'node:path';\nconst page",
      /^error: pages\/shout\/index\.ts: imports node:path, which is not available to pages\n$/,
    ],
    ['manifest.ts', "version: '0.1.0'", "version: 'one'", /^error: manifest\.version: /],
    ['manifest.ts', "name: 'shout'", "name: 'Shout It'", /^error: manifest\.contributes\.pages\[0\]\.name: /],
    [
      'manifest.ts',
      'pages/shout/index.html',
      'pages/lost/index.html',
      /^error: manifest\.contributes\.pages\[0\]\.path: must be one of the files\n$/,
    ],
    ['manifest.ts', "main: 'main.ts'", "main: 'lost.ts'", /^error: manifest\.main: there is no file lost\.ts\n$/],
    [
      'manifest.ts',
      'contributes: {',
      'contributes: { listeners: [{ point: "later" }],',
      /^error: manifest\.contributes\.listeners\[0\]\.point: /,
    ],
    [
      'manifest.ts',
      'export default',
      "throw new Error('not today');\nexport default",
      /^error: manifest\.ts: cannot be run: not today\n$/,
    ],
  ])('names the place of a fault: %s with %s', async (path, from, to, fault) => {
    replace(`units/${path}`, from, to);
    expect(await refused()).toMatch(fault);
  });

  it('refuses links, and a folder without a project', async () => {
    symlinkSync('/etc/hostname', join(folder, 'units/pages/shout/name.txt'));
    expect(await refused()).toBe('error: pages/shout/name.txt: is a link or another special file\n');
    expect((await plugin('pack')).stderr).toContain('There is no manifest.ts');
  });
});

describe('plugin key and plugin sign', () => {
  it('make a key that only its owner reads, and sign with it', async () => {
    await plugin('create', 'ada/units');
    await plugin('pack', 'units', '--out', 'units.zip');
    const made = await plugin('key', 'author.pem');
    const secret = readFileSync(join(folder, 'author.pem'), 'utf8');
    const [, base64 = ''] = secret.split('\n');
    expect(base64).not.toBe('');
    expect(made.stdout + made.stderr).not.toContain(base64);
    expect(made.stdout).toMatch(/^fingerprint: [0-9a-f]{64}\n$/);
    if (process.platform !== 'win32') expect(statSync(join(folder, 'author.pem')).mode & 0o777).toBe(0o600);
    expect(await plugin('key', 'author.pem')).toMatchObject({ code: 1 });
    const { fingerprint } = await json('sign', 'units.zip', '--key', 'author.pem');
    expect(made.stdout).toContain(fingerprint);
    expect((await json('inspect', 'units.zip')).signature).toMatchObject({ algorithm: 'ed25519', fingerprint });
    const signed = readFileSync(join(folder, 'units.zip'));
    expect((await plugin('sign', 'units.zip', '--key', 'author.pem', '--out', 'again.zip')).code).toBe(0);
    expect(readFileSync(join(folder, 'again.zip')).equals(signed)).toBe(true);
  });

  it('refuse what is no key, or one that others can read', async () => {
    await plugin('create', 'ada/units');
    await plugin('pack', 'units', '--out', 'units.zip');
    write('author.pem', 'secret words');
    if (process.platform !== 'win32') {
      chmodSync(join(folder, 'author.pem'), 0o644);
      expect((await plugin('sign', 'units.zip', '--key', 'author.pem')).stderr).toContain('chmod 600');
    }
    chmodSync(join(folder, 'author.pem'), 0o600);
    const { code, stderr } = await plugin('sign', 'units.zip', '--key', 'author.pem');
    expect([code, stderr]).toEqual([2, expect.stringContaining('has no private Ed25519 key')]);
    expect(stderr).not.toContain('secret words');
    expect((await plugin('sign', 'units.zip', '--key', 'none.pem')).stderr).toContain('There is no key');
  });
});
