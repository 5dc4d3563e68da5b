import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import type { ParleyEnd } from '../factories/run-parley.ts';
import { sharedResource } from '../shared/shared-resource.ts';

const script = fileURLToPath(new URL('../../../parley', import.meta.url));
/** Plain tools without a Node.js. */
const tools = ['sh', 'dirname', 'readlink'];

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley script-')));
  mkdirSync(join(folder, 'bin'));
  for (const tool of tools) symlinkSync(`/usr/bin/${tool}`, join(folder, 'bin', tool));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (path: string, args: string[]) =>
  new Promise<ParleyEnd>((resolve) => {
    const env = { PATH: join(folder, 'bin'), PARLEY_CONFIG_FILE: '/dev/null' };
    const child = execFile(path, args, { cwd: folder, env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });

/** A checkout in which nothing is installed, in a folder whose name has a space. */
function bareCheckout(): string {
  const checkout = join(folder, 'a checkout');
  mkdirSync(join(checkout, 'server', 'bin'), { recursive: true });
  copyFileSync(script, join(checkout, 'parley'));
  copyFileSync(join(script, '..', 'server', 'bin', 'parley.js'), join(checkout, 'server', 'bin', 'parley.js'));
  return checkout;
}

function giveSystemNode(): void {
  writeFileSync(join(folder, 'bin', 'node'), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
}

describe.skipIf(process.platform === 'win32')('./parley', () => {
  beforeAll(() => sharedResource('commandLine'), 120_000);

  it('runs with the Node.js of the checkout alone, from any folder and through links', async () => {
    expect(await run(script, ['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
    mkdirSync(join(folder, 'links'));
    symlinkSync(script, join(folder, 'links', 'first'));
    symlinkSync('links/first', join(folder, 'second'));
    expect((await run(join(folder, 'second'), ['--version'])).stdout).toBe(`${manifest.version}\n`);
  });

  it('hands on arguments as they are, and the exit code', async () => {
    const { code, stdout } = await run(script, ['user', 'create', 'two  words', "it's", '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error).toMatchObject({
      reason: 'invalid_usage',
      message: expect.stringContaining('2'),
    });
  });

  it('says what to install when there is no Node.js', async () => {
    const checkout = bareCheckout();
    expect(await run(join(checkout, 'parley'), ['--version'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: Node.js was not found. Install Node.js 20 or newer and npm, then run in ${checkout}: npm start\n`,
    });
  });

  it('says what to run when nothing is installed in the checkout', async () => {
    giveSystemNode();
    expect(await run(join(bareCheckout(), 'parley'), ['--version'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: the command line is not built. In the checkout, run: node scripts/prepare.mjs cli (npm start does it, too)\n',
    });
  });
});
