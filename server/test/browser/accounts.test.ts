import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parleyJson } from '../factories/run-parley.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

vi.setConfig({ testTimeout: 60_000 });

// One visit: the tests below are its steps and run in this order.
let visit: ConsoleVisit;
beforeAll(async () => {
  await sharedResource('commandLine');
  visit = await visitConsole();
}, 180_000);
afterAll(() => visit?.close());

/** As the operator makes it on the server. @returns a token and an API key of the account */
async function join(user: string): Promise<{ token: string; key: string }> {
  const place = { dataDir: visit.dataDir, databaseUrl: null };
  const { password } = await parleyJson(['user', 'create', user, '--generate-password'], { place });
  const post = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return ((await (await fetch(visit.address + path, init)).json()) as { data: Record<string, never> }).data;
  };
  const { token = '' } = (await post('/api/v1/user/auth', { user, password })) as { token?: string };
  const { key } = (await post('/api/v1/apikeys', { name: `Program of ${user}` }, token)) as { key?: { key: string } };
  return { token, key: key?.key ?? '' };
}
const row = (user: string) => visit.page.getByRole('row').filter({ hasText: user });
const statusOf = async (credential: string) =>
  (await fetch(`${visit.address}/api/v1/pipelines`, { headers: { authorization: `Bearer ${credential}` } })).status;
const openDialog = async (user: string) => {
  await visit.page.getByRole('button', { name: `More actions: ${user}` }).click();
  await visit.page.getByRole('menuitem', { name: 'Delete account' }).click();
  await visit.page.getByRole('heading', { name: 'Delete this account?' }).waitFor();
};

test('the only account cannot be deleted', async () => {
  await visit.open('/accounts');
  await row('ada@example.org').getByText('You', { exact: true }).waitFor();
  await visit.page.getByRole('button', { name: 'More actions: ada@example.org' }).click();
  const item = visit.page.getByRole('menuitem', { name: 'Delete account' });
  expect(await item.getAttribute('aria-disabled')).toBe('true');
  await visit.page.keyboard.press('Escape');
});

test('an account is deleted, and its keys are handed over', async () => {
  const { page } = visit;
  const bob = await join('bob@example.org');
  await visit.open('/accounts');
  await row('bob@example.org').waitFor();
  await visit.look('accounts-list');
  await openDialog('bob@example.org');
  await page.getByLabel('Its API key').selectOption('Hand over to ada@example.org');
  await page.getByLabel('Type “bob@example.org” to confirm.').fill('bob@example.org');
  await visit.look('accounts-delete');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await row('bob@example.org').waitFor({ state: 'detached' });
  expect(await statusOf(bob.token)).toBe(401);
  expect(await statusOf(bob.key)).toBe(200);
  await visit.open('/api-keys');
  await row('Program of bob@example.org').getByText('ada@example.org', { exact: true }).waitFor();
  await visit.look('keys-of-accounts');
});

test('deleting the own account signs out', async () => {
  const { page } = visit;
  const eve = await join('eve@example.org');
  await visit.open('/accounts');
  await openDialog('ada@example.org');
  await page.getByText('This is your own account.').waitFor();
  await page.getByLabel('Type “ada@example.org” to confirm.').fill('ada@example.org');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await statusOf(eve.token)).toBe(200);
  expect(await statusOf(eve.key)).toBe(200);
});

test('the browser had nothing to complain about', () => {
  // The page of an account that is gone may ask once more before it is left.
  expect(visit.complaints.filter((text) => !text.includes('401'))).toEqual([]);
});
