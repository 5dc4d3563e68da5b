import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { launchBrowser } from './browser.ts';
import { startServiceWithConsole } from './service-process.ts';
import { fill } from './texts.ts';

vi.setConfig({ testTimeout: 60_000 });

const user = 'ada@example.org';
const password = 'correct horse battery';
/** A folder for pictures, for who wants to look at them. */
const pictures = process.env.TEST_PICTURES;

// One visit: the tests below are its steps and run in this order.
let service: Awaited<ReturnType<typeof startServiceWithConsole>>;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let firstKey = '';

beforeAll(async () => {
  service = await startServiceWithConsole();
  browser = await launchBrowser();
  context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(15_000);
  page = await context.newPage();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await service?.stop();
}, 30_000);

const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const key = async () => (await page.locator('code[data-secret]').textContent()) ?? '';
const warning = () => page.getByRole('dialog', { name: english.recovery.leave });

async function look(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      if (pictures) {
        await page.waitForTimeout(300);
        await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-${viewport.width}.png`), fullPage: true });
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(viewport.width);
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  await page.setViewportSize({ width: 1280, height: 720 });
}

/** Reloads the page, and stays on it when the browser asks. @returns whether it asked */
async function reloadAndStay(): Promise<boolean> {
  const asked = page.waitForEvent('dialog', { timeout: 5000 }).then(
    async (dialog) => {
      await dialog.dismiss();
      return dialog.type() === 'beforeunload';
    },
    () => false,
  );
  // Of a page that stays, the reload never ends.
  void page.evaluate(() => location.reload()).catch(() => undefined);
  return asked;
}

async function download(): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), button(english.recovery.download).click()]);
  return { name: file.suggestedFilename(), text: await readText(await file.createReadStream()) };
}

async function reset(recovery_key: string): Promise<number> {
  const response = await fetch(`${service.address}/api/v1/user/reset-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user, recovery_key, new_password: 'the next password of all' }),
  });
  return response.status;
}

test('the key of a new account is not lost by a reload or a link, and can be downloaded', async () => {
  // A page before it, to which the browser can go back.
  await page.goto(`${service.address}/reset-password`);
  await heading(english.reset.title).waitFor();
  await page.getByRole('link', { name: english.reset.back }).click();
  await heading(english.setUp.title).waitFor();
  await page.goto(service.setUpLink);
  await page.getByLabel(english.account.user).fill(user);
  await page.getByLabel(english.account.password, { exact: true }).fill(password);
  await page.getByLabel(english.account.repeatPassword).fill(password);
  await button(english.setUp.submit).click();
  await heading(english.recovery.title).waitFor();
  firstKey = await key();
  await look('recovery-key');
  expect(await reloadAndStay()).toBe(true);
  expect(await key()).toBe(firstKey);

  await page.evaluate(() => history.back());
  await warning().waitFor();
  await look('recovery-key-leave');
  await button(english.common.stay).click();
  await warning().waitFor({ state: 'detached' });
  expect(await key()).toBe(firstKey);

  const { name, text } = await download();
  expect(name).toBe(`parley-recovery-key-${new URL(service.address).host.replace(':', '-')}-${user}.txt`);
  for (const part of ['Parley', service.address, user, firstKey, `${service.address}/reset-password`]) {
    expect(text).toContain(part);
  }
  await button(english.recovery.saved).click();
  await heading(english.guidedStart.title).waitFor();
});

test('a signed-in user creates a new key with the password', async () => {
  await page.goto(`${service.address}/account`);
  await page.getByText(english.profile.recoveryText).waitFor();
  await look('account');
  await button(english.recovery.create).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(english.profile.currentPassword, { exact: true }).fill('a wrong password');
  await button(english.recovery.createConfirm).click();
  await dialog.getByText(english.profile.passwordWrong).waitFor();
  await look('new-recovery-key-wrong');
  await dialog.getByLabel(english.profile.currentPassword, { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await heading(english.recovery.title).waitFor();
  const nextKey = await key();
  expect(nextKey).not.toBe(firstKey);
  await look('new-recovery-key');

  // Twice: browsers close some dialogs at the second time.
  for (let time = 0; time < 2; time += 1) await page.keyboard.press('Escape');
  expect(await reloadAndStay()).toBe(true);
  expect(await key()).toBe(nextKey);
  expect((await download()).text).toContain(nextKey);
  await button(english.recovery.saved).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.reload();
  await button(english.recovery.create).waitFor();

  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(nextKey);
  expect(await reset(firstKey)).toBe(400);
  expect(await reset(nextKey)).toBe(200);
});

test('the key after a reset by the recovery key names its user and can be downloaded', async () => {
  const created = await browser.newContext({ locale: 'en-US' });
  created.setDefaultTimeout(15_000);
  page = await created.newPage();
  const response = await fetch(`${service.address}/api/v1/user/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user, password: 'the next password of all' }),
  });
  const { data } = (await response.json()) as { data: { token: string } };
  const made = await fetch(`${service.address}/api/v1/user/recovery-key`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${data.token}` },
    body: JSON.stringify({ current_password: 'the next password of all' }),
  });
  const { recovery_key } = ((await made.json()) as { data: { recovery_key: string } }).data;
  await page.goto(`${service.address}/reset-password`);
  await page.getByLabel(english.account.user).fill(user);
  await page.getByLabel(english.recovery.key).fill(recovery_key);
  await page.getByLabel(english.account.newPassword, { exact: true }).fill(password);
  await page.getByLabel(english.account.repeatPassword).fill(password);
  await button(english.reset.submit).click();
  await heading(english.recovery.title).waitFor();
  const { text } = await download();
  expect(text.replace(/\d{4}-\d\d-\d\d/, 'today')).toBe(
    fill(english.recovery.file, {
      address: service.address,
      link: `${service.address}/reset-password`,
      user,
      key: await key(),
      date: 'today',
    }),
  );
  await button(english.recovery.saved).click();
  await heading(english.signIn.title).waitFor();
});
