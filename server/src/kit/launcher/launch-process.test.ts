import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchConfinedNode } from './launch-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-confined-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const launcher = new URL('./launcher.ts', import.meta.url);

/** As on a Node.js that cannot call the C library. */
async function launcherWithoutLibrary(): Promise<string> {
  const path = join(folder, 'launcher.mjs');
  await writeFile(path, `process.getBuiltinModule = () => undefined; await import(${JSON.stringify(launcher.href)});`);
  return path;
}

interface RunOptions {
  isRequired?: boolean;
  memoryMegabytes?: number;
  launcher?: string;
}

async function run(code: string, options: RunOptions = {}) {
  const program = join(folder, 'program.mjs');
  await writeFile(
    program,
    `import fs from 'node:fs';
     const report = (value) => process.stdout.write(JSON.stringify(value));
     const tried = (call) => { try { return call() ?? null; } catch (error) { return error.code ?? error.message; } };
     ${code}`,
  );
  const { child, protection } = launchConfinedNode({
    args: ['--no-warnings', program],
    env: { OPENSSL_CONF: '/dev/null' },
    read: [folder],
    launcher: options.launcher ?? fileURLToPath(launcher),
    isRequired: options.isRequired ?? false,
    memoryBytes: (options.memoryMegabytes ?? 128) << 20,
    openFiles: 40,
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { protection: await protection, errors, result: output === '' ? null : JSON.parse(output) };
}

describe.runIf(process.platform === 'linux')('a confined process', () => {
  test('reads its own files only, writes none, and runs no program', async () => {
    const { protection, errors, result } = await run(`
      import { spawnSync } from 'node:child_process';
      report({
        own: tried(() => fs.readFileSync(${JSON.stringify('/proc/self/exe')}).length > 0),
        listed: tried(() => fs.readdirSync(${JSON.stringify(folder)})),
        others: tried(() => fs.readFileSync('/etc/passwd', 'utf8')),
        variables: tried(() => fs.readFileSync('/proc/' + process.ppid + '/environ', 'utf8')),
        written: tried(() => fs.writeFileSync(${JSON.stringify(folder)} + '/new', '')),
        program: spawnSync('/bin/sh', ['-c', 'true']).error?.code,
        environment: Object.keys(process.env),
      });`);
    expect({ protection, errors, result }).toEqual({
      protection: 'landlock',
      errors: '',
      result: {
        own: true,
        listed: ['program.mjs'],
        others: 'EACCES',
        variables: 'EACCES',
        written: 'EACCES',
        program: 'EACCES',
        environment: ['OPENSSL_CONF'],
      },
    });
  });

  test('neither signals the service nor uses TCP', async () => {
    const { result } = await run(`
      import net from 'node:net';
      const failed = (socket) => new Promise((resolve) => socket.on('error', ({ code }) => resolve(code)));
      report({
        signal: tried(() => process.kill(process.ppid, 0)),
        connect: await failed(net.connect(9, '127.0.0.1')),
        listen: await failed(net.createServer().listen(0, '127.0.0.1')),
        user: tried(() => process.setuid(65534)),
      });`);
    expect(result).toEqual({
      signal: 'EPERM',
      connect: 'EACCES',
      listen: 'EACCES',
      // Other users than root may not do it in any case.
      user: 'EPERM',
    });
  });

  test('gets no more memory than its limit, nor files', async () => {
    const { result } = await run(
      // A larger buffer than the rest of the memory leaves enough for the report.
      `const buffers = [];
       const memory = tried(() => { for (;;) buffers.push(Buffer.alloc(8 << 20, 1)); });
       const megabytes = buffers.length * 8;
       buffers.length = 0;
       const files = [];
       const opened = tried(() => { for (;;) files.push(fs.openSync('/dev/null')); });
       report({ memory, megabytes, opened, files: files.length });`,
      { memoryMegabytes: 64 },
    );
    expect(result).toMatchObject({ memory: 'ERR_MEMORY_ALLOCATION_FAILED', opened: 'EMFILE' });
    expect(result.megabytes).toBeGreaterThan(40);
    expect(result.megabytes).toBeLessThan(128);
    expect(result.files).toBeLessThan(40);
  });

  test('is started without the kernel only if that is allowed', async () => {
    const launcher = await launcherWithoutLibrary();
    expect(await run('report(1);', { launcher })).toMatchObject({ protection: 'none', result: 1 });
    expect(await run('report(1);', { launcher, isRequired: true })).toMatchObject({ protection: 'none', result: null });
    expect(await run('report(1);', { isRequired: true })).toMatchObject({ protection: 'landlock', result: 1 });
  });
});
