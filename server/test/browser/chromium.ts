import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';

/** Where systems keep a browser that speaks the protocol. */
const defaultPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

// The package's own list of arguments is made for serverless platforms and switches web security off.
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser without a window: the one `CHROMIUM_PATH` names, else the system's, else the one from npm. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(await launchOptions());
}

/** Starts such a browser for other processes, which connect to it with Playwright. */
export async function serveBrowser(): Promise<BrowserServer> {
  return chromium.launchServer({ ...(await launchOptions()), host: '127.0.0.1' });
}

async function launchOptions(): Promise<LaunchOptions> {
  const named = process.env.CHROMIUM_PATH || defaultPlaces.find((place) => existsSync(place));
  const { executablePath, libraries } = named
    ? { executablePath: named, libraries: undefined }
    : await unpackedBrowser();
  const env = libraries === undefined ? {} : { env: { ...process.env, LD_LIBRARY_PATH: libraries } };
  return { executablePath, args, ...env } as LaunchOptions;
}

/**
 * Unpacks the browser that the npm package holds, once per user and version: another user could not run it, or could
 * have put something else there.
 */
async function unpackedBrowser(): Promise<{ executablePath: string; libraries: string | undefined }> {
  const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', 'bin');
  const folder = join(tmpdir(), `parley-browser-${userInfo().username}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (statSync(folder).uid !== userInfo().uid && process.platform !== 'win32')
    throw new Error(`${folder} belongs to another user`);
  const executablePath = join(folder, 'chromium');
  if (!existsSync(executablePath)) {
    const partial = `${executablePath}.${process.pid}`;
    await unpack(join(packed, 'chromium.br'), partial, 0o700);
    renameSync(partial, executablePath);
  }
  if (spawnSync(executablePath, ['--version']).status === 0) return { executablePath, libraries: undefined };

  // A bare system lacks libraries the browser wants; the package brings them too.
  const libraries = join(folder, 'lib');
  if (!existsSync(libraries)) {
    const archive = join(folder, `lib.${process.pid}.tar`);
    const partial = join(folder, `lib.${process.pid}`);
    await unpack(join(packed, 'al2023.tar.br'), archive, 0o600);
    mkdirSync(partial);
    spawnSync('tar', ['-xf', archive, '-C', partial, '--strip-components=1']);
    rmSync(archive);
    renameSync(partial, libraries);
  }
  return { executablePath, libraries };
}

async function unpack(source: string, target: string, mode: number) {
  await pipeline(createReadStream(source), createBrotliDecompress(), createWriteStream(target, { mode }));
}
