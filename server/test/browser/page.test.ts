import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { chinese } from '../../../web/src/locales/zh-hans/index.ts';
import { type BreakableNetwork, createBreakableNetwork } from './breakable-network.ts';
import { launchBrowser } from './browser.ts';
import { startServiceWithConsole } from './service-process.ts';

const user = 'ada@example.org';
const password = 'correct horse battery';
const hostile =
  'Look: <img src=x onerror="window.attacked=1"> <script>window.attacked=2</script> ![p](javascript:window.attacked=3)';
const wide = { width: 1280, height: 800 };
const narrow = { width: 360, height: 740 };

// One account, one conversation: the tests below are the steps of one visit and run in this order.
let service: Awaited<ReturnType<typeof startServiceWithConsole>>;
let network: BreakableNetwork;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the browser complained about: script errors, failed loads, breaches of the content security policy. */
const complaints: string[] = [];
/** A folder for pictures of every page, for who wants to look at them. */
const pictures = process.env.TEST_PICTURES;

vi.setConfig({ testTimeout: 60_000 });

beforeAll(async () => {
  service = await startServiceWithConsole();
  network = await createBreakableNetwork(service.address);
  browser = await launchBrowser();
  context = await browser.newContext({ viewport: wide, colorScheme: 'light', locale: 'en-US' });
  context.setDefaultTimeout(15_000);
  page = await context.newPage();
  listen(page);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await network?.close();
  await service?.stop();
}, 30_000);

function listen(opened: Page) {
  opened.on('pageerror', (error) => complaints.push(String(error)));
  opened.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
}

const answers = () => page.locator('[data-role=assistant]');
const composer = () => page.getByPlaceholder(english.chat.placeholder);

async function send(text: string) {
  await composer().fill(text);
  await composer().press('Enter');
}

async function signIn() {
  await page.getByLabel(english.account.user).fill(user);
  await page.getByLabel(english.account.password, { exact: true }).fill(password);
  await page.getByRole('button', { name: english.signIn.submit }).click();
}

/** Neither the page nor anything in it may stick out to the side. */
async function expectNoSidewaysScrolling(name: string) {
  for (const viewport of [wide, narrow]) {
    await page.setViewportSize(viewport);
    if (pictures) await page.screenshot({ path: join(pictures, `${name}-${viewport.width}.png`) });
    const widths = await page.evaluate(() => ({
      page: document.documentElement.scrollWidth,
      main: document.querySelector('main')?.scrollWidth ?? 0,
    }));
    expect(widths.page, name).toBe(viewport.width);
    expect(widths.main, name).toBeLessThanOrEqual(viewport.width);
  }
  await page.setViewportSize(wide);
}

test('the first visitor makes the account and is handed its recovery key once', async () => {
  await page.goto(service.setUpLink.replace(service.address, network.address));
  await page.getByRole('heading', { name: english.setUp.title }).waitFor();
  await expectNoSidewaysScrolling('set-up');

  await page.getByLabel(english.account.user).fill(user);
  await page.getByLabel(english.account.password, { exact: true }).fill(password);
  await page.getByLabel(english.account.repeatPassword).fill('something else');
  await page.getByRole('button', { name: english.setUp.submit }).click();
  await page.getByText(english.account.passwordsDiffer).waitFor();

  await page.getByLabel(english.account.repeatPassword).fill(password);
  await page.getByRole('button', { name: english.setUp.submit }).click();
  await page.getByRole('heading', { name: english.recovery.title }).waitFor();
  expect((await page.locator('code').textContent())?.length).toBeGreaterThan(20);
  await expectNoSidewaysScrolling('recovery');

  await page.getByRole('button', { name: english.recovery.saved }).click();
  await page.getByRole('heading', { name: english.guidedStart.title }).waitFor();
  await page.getByRole('link', { name: english.navigation.chat, exact: true }).click();
  await page.getByRole('heading', { name: english.chat.emptyTitle }).waitFor();
  await expectNoSidewaysScrolling('empty');
});

test('an answer grows while it is written and is Markdown when it is done', async () => {
  await page.evaluate(() => {
    const lengths: number[] = [];
    Object.assign(window, { lengths });
    new MutationObserver(() => {
      lengths.push(document.querySelector('[data-role=assistant] .markdown')?.textContent?.length ?? 0);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await send('Hello there');
  await page.locator('[data-role=user]', { hasText: 'Hello there' }).waitFor();
  await page.locator('[data-role=assistant][data-streaming=false] .markdown').waitFor();

  const lengths = await page.evaluate(() => (window as unknown as { lengths: number[] }).lengths);
  expect(new Set(lengths).size, 'the text was seen at many lengths').toBeGreaterThan(5);
  expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
  const bold = answers().locator('strong').first();
  await bold.waitFor();
  expect(await answers().locator('ol > li').count()).toBe(3);
  expect(await page.locator('[role=status][aria-live=polite]').textContent()).toContain(await bold.innerText());
});

test('markup in a message is shown, not obeyed', async () => {
  await send(hostile);
  await page.locator('[data-role=assistant][data-streaming=false]').nth(1).waitFor();
  // The demo quotes what it was told, so the text is there twice: as written, and through Markdown.
  await page.locator('[data-role=user]', { hasText: '<script>window.attacked=2</script>' }).waitFor();
  await answers().last().getByText('<script>window.attacked=2</script>').waitFor();
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
});

test('the conversation is still there after a reload', async () => {
  await page.reload();
  await page.locator('[data-role=user]', { hasText: 'Hello there' }).waitFor();
  await page.locator('[data-role=assistant][data-streaming=false]').nth(1).waitFor();
  expect(await page.locator('[data-role=user]').count()).toBe(2);
  expect(await answers().count()).toBe(2);
});

test('a message written while the connection is broken goes out once, when it is back', async () => {
  const before = complaints.length;
  network.break();
  await page.getByText(english.connection.lost).waitFor();
  await send('Written in between');
  await page.getByText(english.chat.waiting).waitFor();
  network.mend();
  await page.locator('[data-role=assistant][data-streaming=false]', { hasText: 'Written in between' }).waitFor();
  expect(await page.locator('[data-role=user]', { hasText: 'Written in between' }).count()).toBe(1);
  // The browser itself reports what it could not reach.
  const other = complaints.slice(before).filter((text) => !/net::ERR_|^WebSocket connection to/.test(text));
  complaints.splice(before, Number.POSITIVE_INFINITY, ...other);
});

test('light and dark differ, are remembered, and fit a phone', async () => {
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await expectNoSidewaysScrolling('light');

  await page.getByRole('button', { name: english.menu.label }).click();
  await page.getByText(english.menu.dark, { exact: true }).click();
  expect(await background()).not.toBe(light);
  await expectNoSidewaysScrolling('dark-menu');
  await page.keyboard.press('Escape');

  await page.reload();
  await answers().first().waitFor();
  expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true);
  await expectNoSidewaysScrolling('dark');
});

test('the page speaks Chinese when asked to', async () => {
  await page.getByRole('button', { name: english.menu.label }).click();
  await page.getByText('简体中文').click();
  await page.getByPlaceholder(chinese.chat.placeholder).waitFor();
  await page.reload();
  await page.getByPlaceholder(chinese.chat.placeholder).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-Hans');
  await page.getByRole('button', { name: chinese.menu.label }).click();
  await page.getByText('English', { exact: true }).click();
  await composer().waitFor();
  await page.keyboard.press('Escape');
});

test('signing out ends the session and signing in brings the conversation back', async () => {
  const [cookie] = await context.cookies();
  await page.getByRole('button', { name: english.menu.label }).click();
  await page.getByRole('button', { name: english.menu.signOut }).click();
  await page.getByRole('heading', { name: english.signIn.title }).waitFor();
  await expectNoSidewaysScrolling('sign-in');
  const refused = await fetch(`${service.address}/api/v1/user/info`, {
    headers: { authorization: `Bearer ${cookie?.value}` },
  });
  expect(refused.status).toBe(401);
  expect(await context.cookies()).toEqual([]);

  await signIn();
  await page.getByRole('link', { name: english.navigation.chat, exact: true }).click();
  await page.locator('[data-role=user]', { hasText: 'Hello there' }).waitFor();
});

test('a new conversation starts empty and stays so', async () => {
  await page.getByRole('button', { name: english.clear.open }).click();
  await page.getByRole('heading', { name: english.chat.emptyTitle }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: english.chat.emptyTitle }).waitFor();
});

test('a wrong password is explained', async () => {
  const visitor = await browser.newPage({ viewport: narrow, locale: 'en-US' });
  await visitor.goto(`${service.address}/sign-in`);
  await visitor.getByLabel(english.account.user).fill(user);
  await visitor.getByLabel(english.account.password, { exact: true }).fill('not the password');
  await visitor.getByRole('button', { name: english.signIn.submit }).click();
  await visitor.getByRole('alert').getByText(english.reasons.invalid_credentials).waitFor();
  await visitor.close();
});

test('the browser had nothing to complain about', () => {
  expect(complaints).toEqual([]);
});
