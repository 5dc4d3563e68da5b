// Prepares a clone: installs the packages and, with the argument `web`, builds the console; with `cli`, it builds what
// `npm start` and `./parley` run. Each is done only when its inputs changed. It prints a line for each; what the tools
// print is shown when they fail. Plain JavaScript without packages: it runs before anything is installed, on Node 18 or
// newer.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const binaries = join(root, 'node_modules', '.bin');
const pinnedNode = join(binaries, process.platform === 'win32' ? 'node.cmd' : 'node');
const packagesStamp = join(root, 'node_modules', '.parley-packages');
const consoleStamp = join(root, 'web', 'dist', '.parley-sources');
const commandLineStamp = join(root, 'server', 'dist', '.parley-sources');
const lockFile = join(root, '.parley-prepare.lock');

async function main() {
  const steps = [installPackages];
  if (process.argv.includes('web')) steps.push(buildConsole);
  if (process.argv.includes('cli')) steps.push(buildCommandLine);
  // Checked twice: without the lock, so that the common case costs nothing, and again with the lock.
  if (!steps.some((step) => step.isDue())) return;
  await takeLock();
  process.on('exit', () => {
    if (lockHolder() === process.pid) rmSync(lockFile, { force: true });
  });
  for (const step of steps) if (step.isDue()) await inOneLine(step);
}

/** Prints what a step does while it does it, and then how long that took. @param {Step} step */
async function inOneLine(step) {
  const begun = performance.now();
  process.stderr.write(`prepare: ${step.does}`);
  await step.run();
  process.stderr.write(` (${((performance.now() - begun) / 1000).toFixed(1)} s)\n`);
}

/** @typedef {{ does: string, isDue(): boolean, run(): Promise<void> }} Step */

/** @type {Step} */
const installPackages = {
  does: 'installing the packages',
  isDue: () => !stampHolds(packagesStamp, packagesHash()),
  async run() {
    const hash = packagesHash();
    rmSync(packagesStamp, { force: true });
    // A production setting of the machine must not omit the tools, nor the pinned Node, which is optional because
    // there is one for each platform.
    const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
    await npm(['ci', '--include=dev', '--include=optional', '--ignore-scripts', ...quiet], installationAdvice);
    const trusted = packagesWithScripts().filter((name) => existsSync(join(root, 'node_modules', name)));
    if (trusted.length > 0) {
      await npm(['rebuild', '--ignore-scripts=false', ...quiet, ...trusted], installationAdvice);
    }
    if (!existsSync(pinnedNode))
      fail(`\nprepare: there is no Node to run with for ${process.platform} ${process.arch}`);
    writeFileSync(packagesStamp, hash);
  },
};

/** @type {Step} */
const buildConsole = {
  does: 'building the console',
  isDue: () => !stampHolds(consoleStamp, consoleHash()),
  async run() {
    const hash = consoleHash();
    await npm(['run', '--silent', 'build', '-w', 'web']);
    writeFileSync(consoleStamp, hash);
  },
};

/** @type {Step} */
const buildCommandLine = {
  does: 'building the service and the command line',
  isDue: () => !stampHolds(commandLineStamp, commandLineHash()),
  async run() {
    const hash = commandLineHash();
    await npm(['run', '--silent', 'build']);
    writeFileSync(commandLineStamp, hash);
  },
};

/** The packages whose install scripts may run: `allowScripts` of package.json. @returns {string[]} */
function packagesWithScripts() {
  const { allowScripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(allowScripts).filter((name) => allowScripts[name] === true);
}

function packagesHash() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  return hash.update(`${process.platform} ${process.arch}`).digest('hex');
}

/** The console contains the guides with their pictures. */
function consoleHash() {
  const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') || name === 'images');
  return hashOf([
    'web',
    'client/src',
    ...guides.map((name) => join('docs', name)),
    join('docs', 'platforms'),
    'package-lock.json',
  ]);
}

function commandLineHash() {
  const sources = ['server/src', 'server/package.json', 'sdk/src', 'client/src', 'scripts/build-command-line.ts'];
  return hashOf([...sources, 'package-lock.json']);
}

/** @param {string[]} sources */
function hashOf(sources) {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesBelow(join(root, source))) {
      const content = readFileSync(file);
      hash.update(`${relative(root, file)} ${content.length}\n`).update(content);
    }
  }
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name !== 'dist' && name !== 'node_modules')
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

/** @param {string} stamp @param {string} hash */
function stampHolds(stamp, hash) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

const installationAdvice =
  'check the connection to the package registry (npm config get registry), the free disk space and the rights to this ' +
  'folder, then run npm start again';
const buildAdvice =
  'the sources do not build: undo local changes (git status), or update the clone, then run npm start again';

/**
 * Runs npm. If it fails, prints all of its output and what to do, and ends this process.
 * @param {string[]} args @param {string} advice
 */
async function npm(args, advice = buildAdvice) {
  const itself = process.env.npm_execpath ?? '';
  const usesItself = /npm-cli\.c?js$/.test(itself);
  const child = spawn(usesItself ? process.execPath : 'npm', usesItself ? [itself, ...args] : args, {
    cwd: root,
    stdio: ['inherit', 'pipe', 'pipe'],
    shell: !usesItself && process.platform === 'win32',
    env: { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}` },
  });
  /** @type {Buffer[]} */
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const passOn = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
  process.on('SIGINT', passOn).on('SIGTERM', passOn);
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output.push(Buffer.from(`${error.message}\n`));
      resolve(1);
    });
    child.on('close', (status, signal) => resolve(status ?? (signal === 'SIGINT' ? 130 : 143)));
  });
  process.off('SIGINT', passOn).off('SIGTERM', passOn);
  if (code === 0) return;
  process.stderr.write(`\n${Buffer.concat(output)}`);
  say(`npm ${args.filter((arg) => !arg.startsWith('-')).join(' ')} failed, exit code ${code}`);
  fail(advice, code);
}

/** Waits until no other process prepares this checkout. A lock whose process is gone is taken over. */
async function takeLock() {
  let waiting = false;
  while (!(await createLock())) {
    const holder = lockHolder();
    if (holder !== null && !isAlive(holder)) rmSync(lockFile, { force: true });
    else if (!waiting) say('waiting for another process that prepares this checkout');
    waiting = true;
    await setTimeout(100);
  }
}

async function createLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  // Another process that saw the same stale lock may remove this one; the later of the two gets it.
  await setTimeout(50);
  return lockHolder() === process.pid;
}

/** The process that holds the lock, or null while it is being written or was just released. */
function lockHolder() {
  try {
    return Number(readFileSync(lockFile, 'utf8')) || null;
  } catch {
    return null;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`prepare: ${line}\n`);
}

/** @param {string} line @returns {never} */
function fail(line, code = 1) {
  say(line);
  process.exit(code);
}

await main();
