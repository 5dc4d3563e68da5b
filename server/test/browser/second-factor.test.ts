import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

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
const code = () => visit.page.getByLabel('Code', { exact: true });
/** The code of a time step, counted from the present one: each is taken once. */
const codeAt = (steps: number) => generator.generate({ timestamp: Date.now() + steps * 30_000 });

async function signOutAndIn(): Promise<void> {
  const { page } = visit;
  await visit.open('/');
  await button('Account and settings').click();
  await button('Sign out').click();
  await page.locator('input[autocomplete=username]').fill('ada@example.org');
  await page.locator('input[autocomplete=current-password]').fill(password);
  await button('Sign in').click();
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
}

test('an authenticator app is added with a QR code, and recovery codes are shown once', async () => {
  const { page } = visit;
  await visit.open('/account');
  await page.getByText('Two-factor authentication is off.').waitFor();
  await button('Set up').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill('another password');
  await button('Continue').click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await button('Continue').click();
  await dialog.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
  await visit.look('second-factor-qr');
  generator = new TOTP({ secret: Secret.fromBase32((await dialog.locator('[data-secret]').textContent()) ?? '') });
  await code().fill('000000');
  await button('Turn on').click();
  await dialog.getByText('The code is wrong').waitFor();
  await code().fill(codeAt(-1));
  await button('Turn on').click();
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  recoveryCodes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
  expect(recoveryCodes).toHaveLength(10);
  await visit.look('second-factor-codes');
  await button('I have saved it').click();
  await page.getByText('10 recovery codes are left.').waitFor();
  await visit.look('second-factor-on');
});

test('signing in asks for the code after the password', async () => {
  const { page } = visit;
  await signOutAndIn();
  await visit.look('second-factor-sign-in');
  await code().fill('000000');
  await button('Sign in').click();
  await page.getByText('The code is wrong').waitFor();
  await code().fill(codeAt(0));
  await button('Sign in').click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
});

test('a recovery code signs in as well', async () => {
  const { page } = visit;
  await signOutAndIn();
  await button('Use another account').click();
  await page.locator('input[autocomplete=username]').fill('ada@example.org');
  await page.locator('input[autocomplete=current-password]').fill(password);
  await button('Sign in').click();
  await code().fill(recoveryCodes[0] ?? '');
  await button('Sign in').click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
});

test('it is turned off with the password and a code', async () => {
  const { page } = visit;
  await visit.open('/account');
  await page.getByText('9 recovery codes are left.').waitFor();
  await button('Turn off').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await code().fill(codeAt(1));
  await visit.look('second-factor-off');
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Two-factor authentication is off.').waitFor();
});

test('the browser had nothing to complain about', () => {
  // Wrong passwords and codes are refused, and a page may ask once more after signing out.
  expect(visit.complaints.filter((text) => !/40[01]/.test(text))).toEqual([]);
});
