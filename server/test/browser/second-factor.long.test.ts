import { text as readText } from 'node:stream/consumers';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { counted } from './texts.ts';

vi.setConfig({ testTimeout: 60_000 });

const password = 'correct horse battery';

// One visit: the tests below are its steps and run in this order.
let visit: ConsoleVisit;
let generator: TOTP;
let recoveryCodes: string[] = [];
beforeAll(async () => {
  visit = await visitConsole();
}, 180_000);
afterAll(() => visit?.close());

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const code = () => visit.page.getByLabel(english.secondFactor.code, { exact: true });
/** The code of a time step, counted from the present one: each is taken once. */
const codeAt = (steps: number) => generator.generate({ timestamp: Date.now() + steps * 30_000 });

async function signOutAndIn(): Promise<void> {
  const { page } = visit;
  await visit.open('/');
  await button(english.menu.label).click();
  await button(english.menu.signOut).click();
  await page.locator('input[autocomplete=username]').fill('ada@example.org');
  await page.locator('input[autocomplete=current-password]').fill(password);
  await button(english.signIn.submit).click();
  await page.getByRole('heading', { name: english.secondFactor.signCode }).waitFor();
}

test('an authenticator app is added with a QR code, and recovery codes are shown once', async () => {
  const { page } = visit;
  await visit.open('/account');
  await page.getByText(english.secondFactor.off).waitFor();
  await button(english.secondFactor.setUp).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(english.account.password, { exact: true }).fill('another password');
  await button(english.secondFactor.next).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel(english.account.password, { exact: true }).fill(password);
  await button(english.secondFactor.next).click();
  await dialog.getByRole('img', { name: english.secondFactor.scanLabel }).waitFor();
  await visit.look('second-factor-qr');
  generator = new TOTP({ secret: Secret.fromBase32((await dialog.locator('[data-secret]').textContent()) ?? '') });
  await code().fill('000000');
  await button(english.secondFactor.turnOn).click();
  await dialog.getByText(english.reasons.invalid_code).waitFor();
  await code().fill(codeAt(-1));
  await button(english.secondFactor.turnOn).click();
  await page.getByRole('heading', { name: english.secondFactor.saveTitle }).waitFor();
  recoveryCodes = await page
    .getByRole('list', { name: english.secondFactor.codes })
    .getByRole('listitem')
    .allTextContents();
  expect(recoveryCodes).toHaveLength(10);
  await visit.look('second-factor-codes');
  await page.keyboard.press('Escape');
  const [file] = await Promise.all([page.waitForEvent('download'), button(english.recovery.download).click()]);
  const text = await readText(await file.createReadStream());
  for (const part of [visit.network.address, 'ada@example.org', ...recoveryCodes]) expect(text).toContain(part);
  await button(english.recovery.saved).click();
  await page.getByText(counted(english.secondFactor, 'left', 10)).waitFor();
  await visit.look('second-factor-on');
});

test('signing in asks for the code after the password', async () => {
  const { page } = visit;
  await signOutAndIn();
  await visit.look('second-factor-sign-in');
  await code().fill('000000');
  await button(english.signIn.submit).click();
  await page.getByText(english.reasons.invalid_code).waitFor();
  await code().fill(codeAt(0));
  await button(english.signIn.submit).click();
  await page.getByRole('heading', { name: english.dashboard.title }).waitFor();
});

test('a recovery code signs in as well', async () => {
  const { page } = visit;
  await signOutAndIn();
  await button(english.secondFactor.back).click();
  await page.locator('input[autocomplete=username]').fill('ada@example.org');
  await page.locator('input[autocomplete=current-password]').fill(password);
  await button(english.signIn.submit).click();
  await code().fill(recoveryCodes[0] ?? '');
  await button(english.signIn.submit).click();
  await page.getByRole('heading', { name: english.dashboard.title }).waitFor();
});

test('it is turned off with the password and a code', async () => {
  const { page } = visit;
  await visit.open('/account');
  await page.getByText(counted(english.secondFactor, 'left', 9)).waitFor();
  await button(english.secondFactor.turnOff).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(english.account.password, { exact: true }).fill(password);
  await code().fill(codeAt(1));
  await visit.look('second-factor-off');
  await dialog.getByRole('button', { name: english.secondFactor.turnOff }).click();
  await page.getByText(english.secondFactor.off).waitFor();
});

test('the browser had nothing to complain about', () => {
  // Wrong passwords and codes are refused, and a page may ask once more after signing out.
  expect(visit.complaints.filter((text) => !/status of 40[01]/.test(text))).toEqual([]);
});
