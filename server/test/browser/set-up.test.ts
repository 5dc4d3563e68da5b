import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { looksClosely } from '../shared/looks-closely.ts';
import { launchBrowser } from './browser.ts';
import { startServiceWithConsole } from './service-process.ts';

vi.setConfig({ testTimeout: 60_000 });

/** A folder for pictures of every page, for who wants to look at them. */
const pictures = process.env.TEST_PICTURES;

let service: Awaited<ReturnType<typeof startServiceWithConsole>>;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
}, 120_000);
beforeEach(async () => {
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(15_000);
  page = await context.newPage();
});
afterEach(async () => {
  await page.context().close();
  await service?.stop();
});
afterAll(() => browser?.close());

const tokenField = () => page.getByLabel(english.setUp.token);
const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

async function fillIn() {
  await page.getByLabel(english.account.user).fill('ada@example.org');
  await page.getByLabel(english.account.password, { exact: true }).fill('correct horse battery');
  await page.getByLabel(english.account.repeatPassword).fill('correct horse battery');
}

/** Nothing sticks out to the side. */
async function look(name: string) {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    if (pictures) await page.screenshot({ path: join(pictures, `${name}-${width}.png`), fullPage: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
}

async function create() {
  await page.getByRole('button', { name: english.setUp.submit }).click();
}

test.each(looksClosely ? ['', '/behind/a-proxy'] : [''])(
  'the link that a fresh start prints leads to an account without typing the token, below "%s"',
  async (basePath) => {
    service = await startServiceWithConsole({ basePath, setupToken: '' });
    const token = service.setUpLink.split('#token=')[1] ?? '';
    expect(token).toMatch(/^[\w-]{32}$/);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    await page.goto(service.setUpLink);
    await heading(english.setUp.title);
    await expect.poll(() => page.url()).toBe(`${service.address}/set-up`);
    expect(await tokenField().count()).toBe(0);
    expect(asked.filter((text) => text.includes(token))).toEqual([]);
    await fillIn();
    await create();
    await heading(english.recovery.title);
    await page.getByRole('button', { name: english.recovery.saved }).click();
    await heading(english.guidedStart.title);
    // Nothing in the history of the tab leads back to it.
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain(token);
  },
);

test.runIf(looksClosely)('without the link, the page asks for it or its token', async () => {
  service = await startServiceWithConsole({ setupToken: '' });
  await page.goto(service.address);
  await heading(english.setUp.title);
  await fillIn();
  await create();
  await page.getByText(english.account.required).waitFor();
  await tokenField().fill(' ');
  await look('set-up-without-link');
  await tokenField().fill('a token that somebody guessed');
  await create();
  await page.getByText(english.reasons.setup_token_required).waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await look('set-up-refused');
  await tokenField().fill(service.setUpLink);
  await create();
  await heading(english.recovery.title);
});

test.runIf(looksClosely)('the link of an earlier start can be replaced by the current one', async () => {
  service = await startServiceWithConsole({ setupToken: '' });
  await page.goto(`${service.address}/set-up#token=${'x'.repeat(32)}`);
  await heading(english.setUp.title);
  await fillIn();
  await create();
  await page.getByText(english.reasons.setup_token_required).waitFor();
  await tokenField().waitFor();
  // In the same tab only the fragment changes, so the page is not loaded again.
  await page.evaluate((link) => window.location.assign(link), service.setUpLink);
  await tokenField().waitFor({ state: 'detached' });
  expect(page.url()).toBe(`${service.address}/set-up`);
  await create();
  await heading(english.recovery.title);
});
