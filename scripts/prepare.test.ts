import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let checkout: string;

/** Stands in for npm: notes how it was called, fails when told to, and leaves behind what the real one would. */
const fakeNpm = `
const { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2).join(' ');
if (existsSync('busy')) throw new Error('two at once');
writeFileSync('busy', '');
setTimeout(() => {
  rmSync('busy');
  appendFileSync('calls', args + '\\n');
  console.log('a page of progress');
  console.error('npm warn deprecated');
  if (existsSync('broken')) {
    console.error('npm error: the registry is unreachable');
    process.exit(7);
  }
  if (args.startsWith('ci')) {
    rmSync('node_modules', { recursive: true, force: true });
    mkdirSync('node_modules/.bin', { recursive: true });
    for (const name of ['linux', 'denied']) mkdirSync('node_modules/@a/' + name, { recursive: true });
    writeFileSync('node_modules/.bin/node', '');
    writeFileSync('node_modules/.bin/node.cmd', '');
  } else if (process.argv.includes('build')) {
    const dist = process.argv.includes('web') ? 'web/dist' : 'server/dist';
    rmSync(dist, { recursive: true, force: true });
    mkdirSync(dist);
  }
}, 100);
`;

function write(path: string, content: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), content);
}

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'parley-prepare-'));
  write('package-lock.json', '{}');
  write('package.json', '{ "allowScripts": { "@a/linux": true, "@a/windows": true, "@a/denied": false } }');
  write('web/src/main.ts', 'one');
  write('client/src/index.ts', 'one');
  write('docs/models.md', 'one');
  write('docs/platforms/slack.md', 'one');
  write('docs/openapi.json', 'one');
  write('server/src/main.ts', 'one');
  write('server/package.json', '{}');
  write('scripts/build-command-line.ts', 'one');
  write('sdk/src/index.ts', 'one');
  write('npm-cli.js', fakeNpm);
  copyFileSync(new URL('./prepare.mjs', import.meta.url), join(checkout, 'scripts/prepare.mjs'));
});

afterEach(() => {
  rmSync(checkout, { recursive: true });
});

async function prepare(...args: string[]): Promise<{ code: number | null; output: string; said: string[] }> {
  const child = spawn(process.execPath, ['scripts/prepare.mjs', ...args], {
    cwd: checkout,
    env: { ...process.env, npm_execpath: join(checkout, 'npm-cli.js') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  const said = output.split('\n').filter((line) => line.startsWith('prepare: '));
  return { code, output, said: said.map((line) => line.replace(/ \(\d+\.\d s\)$/, '')) };
}

function calls(): string[] {
  const file = join(checkout, 'calls');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '');
}

test('installs once and again when the lock file changed', async () => {
  expect(await prepare()).toMatchObject({ code: 0, said: ['prepare: installing the packages'] });
  expect(await prepare()).toMatchObject({ code: 0, said: [] });
  expect(calls()).toEqual(['ci', 'rebuild']);
  write('package-lock.json', '{"a":1}');
  await prepare();
  expect(calls()).toEqual(['ci', 'rebuild', 'ci', 'rebuild']);
});

test('runs the install scripts of the listed packages that are there, and no others', async () => {
  await prepare();
  const [installed, rebuilt] = readFileSync(join(checkout, 'calls'), 'utf8').trim().split('\n');
  expect(installed).toContain(' --ignore-scripts ');
  expect(rebuilt).toMatch(/^rebuild --ignore-scripts=false .* @a\/linux$/);
  expect(rebuilt).not.toMatch(/windows|denied/);
});

test('asks for the tools and the pinned Node whatever the machine is set to', async () => {
  await prepare();
  const call = readFileSync(join(checkout, 'calls'), 'utf8');
  expect(call).toContain('--include=dev');
  expect(call).toContain('--include=optional');
});

test('builds the console when its sources changed', async () => {
  const built = { code: 0, said: ['prepare: building the console'] };
  await prepare();
  expect(await prepare('web')).toMatchObject(built);
  expect(await prepare('web')).toMatchObject({ code: 0, said: [] });
  for (const [path, content] of [
    ['web/src/main.ts', 'two'],
    ['web/src/added.ts', ''],
    ['client/src/index.ts', 'two'],
    ['docs/models.md', 'two'],
    ['docs/platforms/slack.md', 'two'],
  ] as const) {
    write(path, content);
    expect(await prepare('web')).toMatchObject(built);
  }
  rmSync(join(checkout, 'web/dist'), { recursive: true });
  expect(await prepare('web')).toMatchObject(built);
  write('docs/openapi.json', 'two');
  write('web/node_modules/.vite/cache', 'x');
  write('web/dist/page.html', 'x');
  expect(await prepare('web')).toMatchObject({ code: 0, said: [] });
});

test('builds the command line when what goes into it changed', async () => {
  const built = { code: 0, said: ['prepare: building the service and the command line'] };
  await prepare();
  expect(await prepare('cli')).toMatchObject(built);
  expect(await prepare('cli')).toMatchObject({ code: 0, said: [] });
  for (const path of [
    'server/src/cli/run.ts',
    'sdk/src/index.ts',
    'client/src/index.ts',
    'server/package.json',
    'scripts/build-command-line.ts',
  ]) {
    write(path, 'two');
    expect(await prepare('cli')).toMatchObject(built);
  }
  rmSync(join(checkout, 'server/dist'), { recursive: true });
  expect(await prepare('cli')).toMatchObject(built);
  write('server/dist/parley.js', 'x');
  write('web/src/main.ts', 'two');
  expect(await prepare('cli')).toMatchObject({ code: 0, said: [] });
});

test('passes a failure on and tries again the next time', async () => {
  write('broken', '');
  const failed = await prepare('web');
  expect(failed).toMatchObject({
    code: 7,
    said: [
      'prepare: installing the packages',
      'prepare: npm ci failed, exit code 7',
      expect.stringContaining('run npm start again'),
    ],
  });
  expect(failed.output).toContain(
    '\na page of progress\nnpm warn deprecated\nnpm error: the registry is unreachable\n',
  );
  rmSync(join(checkout, 'broken'));
  expect((await prepare('web')).code).toBe(0);
  expect(calls()).toEqual(['ci', 'ci', 'rebuild', 'run']);
});

test('prints one line for each step, and nothing of the tools', async () => {
  const { output } = await prepare('web', 'cli');
  expect(output.replaceAll(/\d+\.\d s/g, '0 s')).toBe(
    'prepare: installing the packages (0 s)\nprepare: building the console (0 s)\n' +
      'prepare: building the service and the command line (0 s)\n',
  );
});

test('several at once install once', async () => {
  const outcomes = await Promise.all([prepare('web'), prepare('web'), prepare('web')]);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(calls()).toEqual(['ci', 'rebuild', 'run']);
});

test('takes over the lock of a process that is gone', async () => {
  const gone = spawn(process.execPath, ['-e', '']);
  await new Promise((done) => gone.on('exit', done));
  write('.parley-prepare.lock', String(gone.pid));
  expect((await prepare()).code).toBe(0);
  expect(existsSync(join(checkout, '.parley-prepare.lock'))).toBe(false);
});
