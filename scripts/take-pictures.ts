// Takes the screenshots of docs/images from a console with sample data: `npm run pictures`. Run it when a page in a
// screenshot changes, and review the result. `npm run pictures -- --pages <folder> [--language zh-Hans|ja] [--all]`
// takes every page of the console instead, for a review: wide and light, narrow and dark; with --all the other two, too;
// with --only <pattern> the pages whose names match, also for the screenshots of docs/images.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { startEverything } from '../server/src/mcp/testing/everything-server.ts';
import { startFakeTelegram } from '../server/src/platforms/telegram/testing/fake-telegram.ts';
import { launchBrowser } from '../server/test/browser/chromium.ts';
import { type ApiClient, apiClient, defaults, signedIn } from '../server/test/end-to-end/api-client.ts';
import { type ServiceProcess, startServiceProcess } from '../server/test/factories/start-service-process.ts';
import { startFakeOpenAi } from '../server/test/fakes/openai-server.ts';
import { startWebhookReceiver } from '../server/test/fakes/webhook-receiver.ts';
import { documentationSubjects } from './pictures/documentation-subjects.ts';
import { type Album, takePages } from './pictures/every-page.ts';
import { checkComplete, emptySubjects, pageSubjects, publicSubjects, setUpSubject } from './pictures/page-subjects.ts';
import { take } from './pictures/picture.ts';
import { connectInstallation } from './pictures/sample-connections.ts';
import { answered, fillHistory, fillInstallation } from './pictures/sample-installation.ts';

const languages = ['en', 'zh-Hans', 'ja'] as const;

async function main(): Promise<void> {
  const { album, only } = requestedPictures();
  const browser = await launchBrowser();
  try {
    if (album === null) await takeDocumentation(browser, only);
    else await takeEveryPage(browser, album);
  } finally {
    await browser.close();
  }
}

/**
 * @returns the names of the pictures to take; `album` is null for the screenshots of the documentation
 * @throws Error for an unknown language
 */
function requestedPictures(): { album: Album | null; only: RegExp } {
  const { pages, language, all, ...values } = parseArgs({
    options: {
      pages: { type: 'string' },
      language: { type: 'string' },
      only: { type: 'string' },
      all: { type: 'boolean' },
    },
  }).values;
  const only = new RegExp(values.only ?? '');
  if (pages === undefined) return { album: null, only };
  const spoken = languages.find((one) => one === (language ?? 'en'));
  if (spoken === undefined) throw new Error(`The language must be one of ${languages.join(', ')}`);
  return { album: { folder: pages, language: spoken, only, isComplete: all === true }, only };
}

/** @param only the names of the screenshots to take */
async function takeDocumentation(browser: Browser, only: RegExp): Promise<void> {
  const folder = fileURLToPath(new URL('../docs/images', import.meta.url));
  await withSample(async (api) => {
    const subjects = (await documentationSubjects(api)).filter(({ name }) => only.test(name));
    for (const subject of subjects) await take(browser, api, folder, subject);
    console.log(`${subjects.length} pictures are in ${folder}`);
  });
}

async function takeEveryPage(browser: Browser, album: Album): Promise<void> {
  mkdirSync(album.folder, { recursive: true });
  const before = [setUpSubject, ...publicSubjects];
  await withDataDir((dataDir) =>
    withService(dataDir, async (service) => {
      const visitor = apiClient(service.address, '');
      await takePages(browser, visitor, album, [setUpSubject]);
      const api = await signedIn(service.address);
      await takePages(browser, visitor, album, publicSubjects);
      await takePages(browser, api, album, emptySubjects(await defaults(api)));
    }),
  );
  const [telegram, receiver, tools] = await Promise.all([
    startFakeTelegram(),
    startWebhookReceiver(),
    startEverything('http'),
  ]);
  try {
    await withSample(async (api) => {
      await connectInstallation(api, { telegram, receiver, toolServer: tools.url });
      const subjects = await pageSubjects(api);
      checkComplete([...before, ...subjects]);
      await takePages(browser, api, album, subjects);
      console.log(`Pictures of the pages are in ${album.folder}`);
    });
  } finally {
    await Promise.all([telegram.close(), receiver.close(), tools.kill()]);
  }
}

/** Runs work on the sample installation, with its model. */
async function withSample(work: (api: ApiClient) => Promise<void>): Promise<void> {
  const model = await startFakeOpenAi();
  model.behave((index) => answered(model, index));
  try {
    await withDataDir(async (dataDir) => {
      const fill = fillInstallation(model);
      const { bots } = await withService(dataDir, async ({ address }) => fill(await signedIn(address)));
      fillHistory(join(dataDir, 'parley.db'), bots);
      await withService(dataDir, async ({ address }) => work(await signedIn(address)));
    });
  } finally {
    await model.close();
  }
}

async function withDataDir(work: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-pictures-'));
  try {
    await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function withService<Result>(
  dataDir: string,
  work: (service: ServiceProcess) => Promise<Result>,
): Promise<Result> {
  const service = await startServiceProcess({ dataDir });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}
await main();
