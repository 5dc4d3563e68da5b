import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DeliveryError, ParleyError } from '@parley/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerOf, signedIn } from '../end-to-end/api-client.ts';
import { startServiceProcess } from '../factories/start-service-process.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const tool = (path: string) => join(root, 'node_modules', path);

/** Of someone else: outside of the checkout, with the packed packages and what they depend on. */
let project: string;
let tarballs: string[];

beforeAll(async () => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'parley-packages-')));
  write('package.json', JSON.stringify({ name: 'someone-else', private: true, type: 'module' }));
  const packed = await runNode(join(root, 'scripts', 'pack-packages.ts'), join(project, 'packed'));
  tarballs = packed.trim().split('\n');
  for (const tarball of tarballs) await install(tarball);
  link('@types/node');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), content);
}

/** @returns what it printed. @throws with all that it printed, when it fails */
function run(command: string, args: readonly string[]): Promise<string> {
  // What is run may be a test run itself, which is not to take this one for its own.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd: project, env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`));
    });
  });
}

const runNode = (...args: string[]) => run(process.execPath, args);

/** Takes a package from the checkout, as the registry is not asked. */
function link(name: string): void {
  const target = join(project, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(tool(name), target, 'junction');
}

async function install(tarball: string): Promise<void> {
  const name = `@parley/${/^parley-(\w+)-/.exec(basename(tarball))?.[1]}`;
  const folder = join(project, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name, license: 'Apache-2.0' });
  expect(manifest).not.toHaveProperty('private');
  for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) link(dependency);
}

/** The examples in the README of an installed package. */
function examplesOf(name: string): string[] {
  const readme = readFileSync(join(project, 'node_modules', name, 'README.md'), 'utf8');
  return [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
}

it('publint and attw find no fault in the packages', async () => {
  expect(tarballs).toHaveLength(2);
  for (const tarball of tarballs) {
    expect(await runNode(tool('publint/src/cli.js'), 'run', '--strict', tarball)).toContain('All good!');
    // They are ECMAScript modules, also for those who write CommonJS.
    const options = ['--profile', 'esm-only', '--no-definitely-typed', '--format', 'json'];
    const report = JSON.parse(await runNode(tool('@arethetypeswrong/cli/dist/index.js'), tarball, ...options));
    expect(report.analysis.types).toMatchObject({ kind: 'included' });
  }
});

it('Node imports them as JavaScript; the extension of the README passes its conformance suite', async () => {
  const [extension = '', suite = ''] = examplesOf('@parley/sdk');
  write('extension/index.js', extension);
  write('extension/index.test.js', suite);
  write(
    'use.js',
    `import { sdkVersion } from '@parley/sdk';
     import { openPluginPage } from '@parley/sdk/page';
     import { reasons } from '@parley/sdk/reasons';
     import { createParleyClient } from '@parley/client';
     import extension from './extension/index.js';
     const [{ name, config }] = extension.runners;
     const get = typeof createParleyClient({ baseUrl: 'http://127.0.0.1:1' }).get;
     const page = await openPluginPage().catch(({ message }) => message);
     const fields = Object.keys(config.properties);
     console.log(JSON.stringify({ sdkVersion, quota: 'quota' in reasons, name, fields, get, page }));`,
  );
  const { version } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8'));
  expect(JSON.parse(await runNode('use.js'))).toEqual({
    sdkVersion: version,
    quota: true,
    name: 'echo',
    fields: ['prefix'],
    get: 'function',
    page: expect.stringContaining('opened by the console'),
  });

  await runNode(tool('vitest/vitest.mjs'), 'run', '--root', project, '--reporter=json', '--reporter=default');
  const results = readFileSync(join(project, '.vitest/json/output.json'), 'utf8');
  const { numPassedTests, numTotalTests } = JSON.parse(results);
  expect(numPassedTests).toBeGreaterThan(5);
  expect(numPassedTests).toBe(numTotalTests);
});

it('TypeScript finds their types', async () => {
  const options = { target: 'es2024', module: 'nodenext', strict: true, types: ['node'], skipLibCheck: true };
  write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['typed'] }));
  write(
    'typed/extension.ts',
    `import { type Extension, ParleyError, type Runner } from '@parley/sdk';
     import { group, text } from '@parley/sdk/fields';
     import type { ErrorReason } from '@parley/sdk/reasons';
     import { runnerContract } from '@parley/sdk/testing';

     const config = group(['Echo', 'Echo', 'Echo'], null, { prefix: text('', ['Prefix', 'Prefix', 'Prefix'], null) });
     const reason: ErrorReason = 'quota';
     const echo: Runner<typeof config> = {
       name: 'echo',
       label: { en_US: 'Echo' },
       config,
       async *answer(request) {
         if (request.text === '') throw new ParleyError(reason, 'Used up');
         const prefix: string = request.config.prefix;
         // @ts-expect-error it has no such setting
         request.config.suffix;
         yield { type: 'text', text: prefix + request.text };
       },
     };
     // @ts-expect-error there is no such reason
     new ParleyError('no_such_reason', '');
     runnerContract({ runner: echo, config: () => ({}) });
     export default { sdk: '^0.1.0', runners: [echo] } satisfies Extension;`,
  );
  write('typed/client.ts', examplesOf('@parley/client').join('\n'));
  write(
    'typed/paths.ts',
    `import { createParleyClient } from '@parley/client';
     const parley = createParleyClient({ baseUrl: '' });
     // @ts-expect-error there is no such path
     await parley.get('/api/v1/nothing');`,
  );
  write(
    'typed/page.ts',
    `import { openPluginPage, PluginPageError } from '@parley/sdk/page';
     const page = await openPluginPage();
     const theme: 'light' | 'dark' = page.theme;
     const stop: () => void = page.onLook(({ language }) => language.length);
     await page.call('words', { method: 'PUT', body: [theme], signal: AbortSignal.timeout(1) }).catch((error) => {
       if (error instanceof PluginPageError) return error.reason;
     });
     stop();`,
  );
  await runNode(tool('typescript/bin/tsc'), '--noEmit', '-p', project);
});

it('errors are recognized across copies of the package', async () => {
  const copy = pathToFileURL(createRequire(join(project, 'use.js')).resolve('@parley/sdk')).href;
  const copied: typeof import('@parley/sdk') = await import(copy);
  expect(copied.ParleyError).not.toBe(ParleyError);
  expect(new copied.ParleyError('quota', 'Used up')).toBeInstanceOf(ParleyError);
  expect(new ParleyError('quota', 'Used up')).toBeInstanceOf(copied.ParleyError);
  expect(new copied.DeliveryError('refused', 'forbidden', 'It is refused')).toBeInstanceOf(DeliveryError);
  expect(new copied.DeliveryError('refused', 'forbidden', 'It is refused')).toBeInstanceOf(ParleyError);
  expect(new DeliveryError('refused', 'forbidden', 'It is refused')).toBeInstanceOf(copied.DeliveryError);
  expect(new copied.ParleyError('quota', 'Used up')).not.toBeInstanceOf(DeliveryError);
  expect(new Error('Used up')).not.toBeInstanceOf(copied.ParleyError);
});

it('the server reports the error of an extension with a copy of its own', async () => {
  write(
    'copied/index.js',
    `import { ParleyError, sdkVersion } from '@parley/sdk';
     const answer = async function* ({ text }) {
       if (text !== 'where') throw new ParleyError('quota', 'Used up');
       yield { type: 'text', text: import.meta.resolve('@parley/sdk') };
     };
     export default { sdk: sdkVersion, runners: [{ name: 'copied', label: { en_US: 'Copied' }, answer }] };`,
  );
  write('parley.yaml', 'extensions: [./copied]\n');
  const environment = { PARLEY_CONFIG_FILE: join(project, 'parley.yaml'), PARLEY_LOG_LEVEL: 'fatal' };
  const service = await startServiceProcess({ dataDir: join(project, 'data'), environment });
  try {
    const api = await signedIn(service.address);
    const config = { ai: { runner: { runner: 'copied' } } };
    const { uuid } = await api.data('POST', '/pipelines', { name: 'With a copy', config });
    expect(await answerOf(api, uuid, 'where')).toContain(`${project}/node_modules/@parley/sdk/`);
    expect(await answerOf(api, uuid, 'hello')).toContain('Request failed.');
    const { messages } = await api.data('GET', '/messages?limit=10');
    expect(messages.map(({ reason }: { reason: string | null }) => reason)).toContain('quota');
  } finally {
    await service.stop();
  }
});
