import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { packageOf } from '../factories/plugin-package.ts';
import { launchBrowser } from './browser.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import {
  hostileFiles,
  type Kind,
  type LocalServer,
  startForeignServer,
  startOpenServer,
  tryAll,
  type World,
} from './hostile-page-worlds.ts';
import { installPlugin } from './install-plugin.ts';

vi.setConfig({ testTimeout: 40_000 });

const kinds: Kind[] = ['surroundings', 'code', 'requests', 'exfiltration', 'navigation', 'gestures'];
const pagePath = '/plugins/example/hostile/pages/hostile';

let visit: ConsoleVisit;
let foreign: Awaited<ReturnType<typeof startForeignServer>>;

beforeAll(async () => {
  visit = await visitConsole();
  foreign = await startForeignServer();
  const files = Object.fromEntries(Object.entries(hostileFiles).map(([name, content]) => [`hostile/${name}`, content]));
  const module = 'export default { pages: { hostile: ({ endpoint }) => endpoint } };';
  const label = { en_US: 'Hostile page' };
  const pages = [{ name: 'hostile', label, path: 'hostile/index.html' }];
  await installPlugin(visit, packageOf(module, { id: 'example/hostile', label, contributes: { pages } }, files));
}, 180_000);
afterAll(async () => {
  await visit?.close();
  foreign?.close();
}, 30_000);

/** Opens the page of the plugin, in the console. */
async function showInConsole(): Promise<Frame> {
  await visit.open(pagePath);
  return frameOf(visit.page.locator('iframe'));
}

async function frameOf(iframe: ReturnType<ConsoleVisit['page']['locator']>): Promise<Frame> {
  const frame = await (await iframe.elementHandle())?.contentFrame();
  if (!frame) throw new Error('there is no frame');
  await frame.waitForFunction('window.attempt !== undefined');
  return frame;
}

const isRefused = (outcome: string) => /^(nothing|refused: )/.test(outcome);
const permissions = ['geolocation', 'clipboard-read', 'clipboard-write'];

describe('a hostile page', () => {
  let world: World;

  beforeAll(async () => {
    const { page, context, network } = visit;
    // Of the console, which the page has no part in.
    await context.grantPermissions(permissions, { origin: network.address });
    await context.setGeolocation({ latitude: 1, longitude: 2 });
    world = { page, context, api: network.address, foreign, show: showInConsole };
  });

  test.each(kinds)('gets nowhere: %s', async (kind) => {
    const outcomes = await tryAll(world, kind);
    expect(Object.entries(outcomes).filter(([, outcome]) => !isRefused(outcome))).toEqual([]);
    expect([...foreign.reached]).toEqual([]);
    expect(new URL(visit.page.url()).pathname).toBe(pagePath);
  });

  test('can do what pages do', async () => {
    expect(await tryAll(world, 'allowed')).toEqual({
      'own style': 'got rgb(1, 2, 3)',
      'own module': 'got a file of the page',
      'style of the document': 'got rgb(4, 5, 6)',
      'image from data': 'got 7',
    });
  });

  test('can do what the guide says is left', async () => {
    expect(await tryAll(world, 'left')).toEqual({ WebRTC: 'got icecandidate' });
  });
});

describe('without the walls, the same page', () => {
  let open: LocalServer;
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  let world: World;

  beforeAll(async () => {
    open = await startOpenServer();
    browser = await launchBrowser();
    const context = await browser.newContext();
    await context.grantPermissions(permissions, { origin: open.address });
    await context.setGeolocation({ latitude: 1, longitude: 2 });
    const show = async () => {
      world.page = await context.newPage();
      await world.page.goto(open.address);
      return frameOf(world.page.locator('iframe'));
    };
    world = { page: await context.newPage(), context, api: open.address, foreign, show };
  }, 60_000);
  afterAll(async () => {
    foreign.reached.clear();
    await browser?.close();
    open?.close();
  });

  test.each(kinds)('gets everywhere: %s', async (kind) => {
    const outcomes = await tryAll(world, kind);
    expect(Object.keys(outcomes).length).toBeGreaterThan(5);
    expect(Object.entries(outcomes).filter(([, outcome]) => isRefused(outcome))).toEqual([]);
  });
});
