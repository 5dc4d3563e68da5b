import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { notesPlugin } from '../factories/notes-plugin.ts';
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
  await expect.poll(() => frame.evaluate(() => 'attempt' in window)).toBe(true);
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

/** What the page of the console has in its own window. */
declare const window: { greeted: Promise<{ port: MessagePort }> };
const { ends } = english.pluginPages;
const callsOf = async () => (await visit.call('GET', '/api/v1/plugins/example/hostile/state')).process.calls as number;

/** Sends messages to the console, by the port of the page. @param makes a function of the page, as a text */
async function post(frame: Frame, makes: string): Promise<void> {
  await frame.evaluate(async (text) => {
    // A test may make functions of texts where the page may not, until it waits.
    const make = new Function(`return ${text}`);
    const { port } = await window.greeted;
    for (const message of make()) port.postMessage(message);
  }, makes);
}

describe('messages of a hostile page', () => {
  const call = (fields = '') => `{ type: 'call', id: 1, request: '{"endpoint":"e","method":"GET"}', ${fields} }`;

  test('that keep to the rules are answered', async () => {
    const frame = await showInConsole();
    const before = await callsOf();
    const answer = frame.evaluate(async () => {
      const { port } = await window.greeted;
      return new Promise((resolve) => {
        port.onmessage = ({ data }) => resolve(data);
      });
    });
    await post(frame, `[${call()}]`);
    expect(await answer).toEqual({ type: 'result', id: 1, result: 'e' });
    expect(await callsOf()).toBe(before + 1);
  });

  test.each([
    ['null', '[null]'],
    ['a text', "['call']"],
    ['of another type', "[{ type: 'look', id: 1 }]"],
    ['of the console', "[{ type: 'result', id: 1, result: 1 }]"],
    ['without an id', `[${call('id: undefined')}]`],
    ['with half an id', `[${call('id: 0.5')}]`],
    ['with a request that is no text', `[${call('request: {}')}]`],
    ['of 50 MB', `[${call("request: 'x'.repeat(50e6)")}]`],
    ['twice', `[${call()}, ${call()}]`],
    ['too many at once', `Array.from({ length: 17 }, (_, id) => (${call('id: id + 1')}))`],
    ['a flood', `Array.from({ length: 100_000 }, (_, id) => (${call('id: id + 1')}))`],
    ['a flood of cancellations', `Array.from({ length: 100_000 }, () => ({ type: 'cancel', id: 1 }))`],
  ])('close the connection: %s', async (_, makes) => {
    const frame = await showInConsole();
    const before = await callsOf();
    await post(frame, makes).catch(() => undefined);
    await visit.page.getByText(ends.broken).waitFor();
    expect(await visit.page.locator('iframe').count()).toBe(0);
    // Those before the rule was broken may have begun.
    expect((await callsOf()) - before).toBeLessThanOrEqual(16);
  });

  test('to the window of the console mean nothing to it', async () => {
    const frame = await showInConsole();
    await frame.evaluate(() => {
      for (let number = 0; number < 10_000; number += 1) {
        for (const type of ['result', 'call', 'parley-page', 'closed']) parent.postMessage({ type, id: 1 }, '*');
      }
    });
    const { page } = visit;
    await page.getByRole('button', { name: english.menu.label }).click();
    await page.keyboard.press('Escape');
    expect(await page.locator('iframe').count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe(pagePath);
  });
});

describe('another document in the frame', () => {
  test.each([
    ['a foreign one', () => `${foreign.address}/elsewhere?stolen=secret`],
    ['one of the page', () => 'index.html?again'],
    ['a file that is not there', () => 'none.html'],
    ['the console', () => visit.network.address],
    ['a page of the API', () => `${visit.network.address}/api/v1/system/info?stolen=secret`],
    ['a page from data', () => 'data:text/html,<script>parent.postMessage(1, "*")</script>'],
  ])('gets no connection: %s', async (_, addressOf) => {
    const frame = await showInConsole();
    await frame.evaluate((address) => {
      setTimeout(() => location.assign(address));
    }, addressOf());
    await visit.page.getByText(ends.left).waitFor();
    expect(await visit.page.locator('iframe').count()).toBe(0);
    expect([...foreign.reached]).toEqual([]);
  });

  test('of another plugin gets none either, should its address be known', async () => {
    await installPlugin(visit, notesPlugin());
    const path = '/api/v1/plugins/example/notebook/pages/notes/frames';
    const { path: other } = await visit.call('POST', path);
    const frame = await showInConsole();
    const image = await frame.evaluate(
      async (address) => {
        const shown = new Image();
        shown.src = address;
        return shown.decode().then(
          () => 'shown',
          () => 'refused',
        );
      },
      `${visit.network.address}${other.replace('index.html', 'notes.css')}`,
    );
    expect(image).toBe('refused');
    await frame.evaluate((address) => {
      setTimeout(() => location.assign(address));
    }, visit.network.address + other);
    await visit.page.getByText(ends.left).waitFor();
  });
});

test('with the cookie of the console, a frame has the files of its page and no others', async () => {
  await showInConsole();
  const address = (await visit.page.locator('iframe').getAttribute('src')) ?? '';
  const { request } = visit.context;
  expect((await request.get(address)).status()).toBe(200);
  for (const other of ['../main.js', '..%2fmain.js', '%2e%2e/main.js', 'main.js', '../parley-plugin.json', '']) {
    const answer = await request.get(address.replace('index.html', other));
    expect(await answer.text(), other).not.toContain('export default');
    expect(new URL(answer.url()).pathname.startsWith('/plugin-pages/') ? answer.status() : 404, other).toBe(404);
  }
});

test('a page ends with the sign-out', async () => {
  const frame = await showInConsole();
  const { page } = visit;
  const address = (await page.locator('iframe').getAttribute('src')) ?? '';
  const before = await callsOf();
  await page.getByRole('button', { name: english.menu.label }).click();
  await page.getByRole('button', { name: english.menu.signOut }).click();
  await page.getByRole('heading', { name: english.signIn.title }).waitFor();
  expect([await page.locator('iframe').count(), frame.isDetached()]).toEqual([0, true]);
  expect((await visit.context.request.get(address)).status()).toBe(404);
  expect(await callsOf()).toBe(before);
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
