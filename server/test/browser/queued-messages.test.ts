import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { testSetupToken } from '../factories/test-setup-token.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { beginSession } from './begin-session.ts';
import { launchBrowser } from './browser.ts';
import { fill } from './texts.ts';

vi.setConfig({ testTimeout: 90_000 });

const credentials = { user: 'ada@example.org', password: 'correct horse battery' };
/** A folder for pictures, for who wants to look at them. */
const pictures = process.env.TEST_PICTURES;

// One conversation: the tests below are its steps and run in this order.
let dataDir: string;
let port: number;
let service: ServiceProcess;
let token: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;

/** The same service at the same address, as after an update. */
async function start(): Promise<void> {
  service = await startServiceProcess({ dataDir, environment: { PARLEY_PORT: `${port}` } });
}

async function call(method: 'GET' | 'POST', path: string, body?: object) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`${service.address}/api/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data } = (await response.json()) as { data: never };
  return data;
}

beforeAll(async () => {
  await sharedResource('console');
  dataDir = mkdtempSync(join(tmpdir(), 'parley-queued-messages-'));
  port = await freePort();
  token = '';
  await start();
  await call('POST', '/user/init', { ...credentials, setup_token: testSetupToken });
  token = ((await call('POST', '/user/auth', credentials)) as { token: string }).token;
  browser = await launchBrowser();
  context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(20_000);
  await beginSession(context, service.address, token);
  page = await context.newPage();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 30_000);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port: free } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return free;
}

const composer = (on = page) => on.getByPlaceholder(english.chat.placeholder);
const own = (text: string, on = page) => on.locator('[data-role=user]', { hasText: text });
const answers = (on = page) => on.locator('[data-role=assistant][data-streaming=false]');
const link = (name: string) => page.getByRole('link', { name, exact: true });
const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('kept:')));

async function send(text: string): Promise<void> {
  await composer().fill(text);
  await composer().press('Enter');
  await own(text).waitFor();
}

async function look(name: string): Promise<void> {
  if (pictures === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(viewport);
      await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-${viewport.width}.png`) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

test('what is sent while the server is down stays queued when the user leaves the page and returns', async () => {
  await page.goto(`${service.address}/bots`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await link(english.navigation.chat).click();
  await send('Before the stop');
  await answers().first().waitFor();
  const second = await context.newPage();
  await second.goto(`${service.address}/chat`);
  await own('Before the stop', second).waitFor();

  await service.stop();
  await page.getByText(english.connection.lost).waitFor();
  for (const text of ['First', 'Not this', 'Second']) await send(text);
  await composer().fill('Not finished\nyet');
  await page.getByRole('button', { name: fill(english.chat.removeNamed, { text: 'Not this' }) }).click();
  await link(english.navigation.bots).click();
  await page.getByRole('heading', { level: 1, name: english.bots.title }).waitFor();
  await link(english.navigation.chat).click();
  await composer().waitFor();
  await expect.poll(() => page.getByText(english.chat.waiting).count()).toBe(2);
  // The history cannot be loaded now.
  expect(await page.locator('[data-role=user]').allInnerTexts()).toEqual([
    expect.stringContaining('First'),
    expect.stringContaining('Second'),
  ]);
  expect(await composer().inputValue()).toBe('Not finished\nyet');
  await look('chat-queued');
});

test('it outlasts a reload, and is answered once when the server is back', async () => {
  await page.reload().catch(() => undefined);
  await start();
  await page.goto(`${service.address}/chat`);
  await expect.poll(() => answers().count(), { timeout: 30_000 }).toBe(3);
  await expect.poll(() => page.getByText(english.chat.waiting).count()).toBe(0);
  expect(await composer().inputValue()).toBe('Not finished\nyet');
  const [, second] = context.pages();
  await expect.poll(() => answers(second).count(), { timeout: 30_000 }).toBe(3);
  const { pipelines } = (await call('GET', '/pipelines')) as { pipelines: { uuid: string; is_default: boolean }[] };
  const pipeline = pipelines.find(({ is_default }) => is_default)?.uuid;
  const { messages } = (await call('GET', `/pipelines/${pipeline}/ws/messages/person`)) as {
    messages: { role: string; content: string }[];
  };
  expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
    'Before the stop',
    'First',
    'Second',
  ]);
  expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(3);
  expect((await kept()).sort()).toEqual([expect.stringMatching(/:chat:place$/), expect.stringMatching(/:text$/)]);
});

test('one whose file was removed meanwhile is refused: the chat names the file and keeps the text', async () => {
  const name = 'quarterly plan <b>.txt';
  await composer().fill('');
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from('The word is heron.') }]);
  const button = page.getByRole('button', { name: english.chat.send, exact: true });
  await composer().fill('What is the word?');
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false');
  await service.stop();
  await page.getByText(english.connection.lost).waitFor();
  await button.click();
  await own('What is the word?').getByText(english.chat.waiting).waitFor();
  const database = new DatabaseSync(join(dataDir, 'parley.db'));
  const longAgo = new Date(Date.now() - 26 * 3_600_000).toISOString();
  expect(database.prepare("update files set created_at = ? where purpose = 'unsent'").run(longAgo).changes).toBe(1);
  database.close();
  await start();
  await page.getByText(fill(english.chat.fileGone, { name })).waitFor();
  await own('What is the word?').getByText(english.chat.notSent).waitFor();
  await own('What is the word?').getByText(name).waitFor();
  await look('chat-file-gone');
  await page.reload();
  await own('What is the word?').getByText(english.chat.notSent).waitFor();
  await page.getByRole('button', { name: fill(english.chat.removeNamed, { text: 'What is the word?' }) }).click();
  await expect.poll(() => own('What is the word?').count()).toBe(0);
});

test('signing out removes what was not sent', async () => {
  await page.goto(`${service.address}/account`);
  await page.locator('main').getByRole('button', { name: english.menu.signOut }).click();
  await page.getByRole('heading', { name: english.signIn.title }).waitFor();
  expect(await kept()).toEqual([]);
});

test('a browser that cannot store anything warns once, and sends while the page is open', async () => {
  const closed = await browser.newContext({ locale: 'en-US' });
  closed.setDefaultTimeout(20_000);
  token = ((await call('POST', '/user/auth', credentials)) as { token: string }).token;
  await beginSession(closed, service.address, token);
  await closed.addInitScript(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      if (key.startsWith('kept')) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      setItem.call(this, key, value);
    };
  });
  page = await closed.newPage();
  await page.goto(`${service.address}/chat`);
  await own('Second').waitFor();
  await service.stop();
  await page.getByText(english.connection.lost).waitFor();
  for (const text of ['Third', 'Fourth']) await send(text);
  await page.getByText(english.chat.notKept).waitFor();
  expect(await page.getByText(english.chat.notKept).count()).toBe(1);
  await look('chat-not-kept');
  await start();
  await expect.poll(() => answers().count(), { timeout: 30_000 }).toBe(5);
});
