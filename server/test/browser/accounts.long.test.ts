import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { parleyJson } from '../factories/run-parley.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { confirmName, counted, fill, moreActions } from './texts.ts';

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
  const { key } = (await post('/api/v1/apikeys', { name: `Key for ${user}` }, token)) as { key?: { key: string } };
  return { token, key: key?.key ?? '' };
}
const row = (user: string) => visit.page.getByRole('row').filter({ hasText: user });
const statusOf = async (credential: string) =>
  (await fetch(`${visit.address}/api/v1/pipelines`, { headers: { authorization: `Bearer ${credential}` } })).status;
const openDialog = async (user: string) => {
  await visit.page.getByRole('button', { name: moreActions(user) }).click();
  await visit.page.getByRole('menuitem', { name: english.accounts.delete }).click();
  await visit.page.getByRole('heading', { name: english.accounts.deleteTitle }).waitFor();
};

test('the only account cannot be deleted', async () => {
  await visit.open('/accounts');
  await row('ada@example.org').getByText(english.accounts.you, { exact: true }).waitFor();
  await visit.page.getByRole('button', { name: moreActions('ada@example.org') }).click();
  const item = visit.page.getByRole('menuitem', { name: english.accounts.delete });
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
  await page
    .getByLabel(counted(english.accounts, 'keys', 1))
    .selectOption(fill(english.accounts.keysHand, { name: 'ada@example.org' }));
  await page.getByLabel(confirmName('bob@example.org')).fill('bob@example.org');
  await visit.look('accounts-delete');
  await page.getByRole('button', { name: english.accounts.delete }).click();
  await row('bob@example.org').waitFor({ state: 'detached' });
  expect(await statusOf(bob.token)).toBe(401);
  expect(await statusOf(bob.key)).toBe(200);
  await visit.open('/api-keys');
  await row('Key for bob@example.org').getByText('ada@example.org', { exact: true }).waitFor();
  await visit.look('keys-of-accounts');
});

test('deleting the own account signs out', async () => {
  const { page } = visit;
  const eve = await join('eve@example.org');
  await visit.open('/accounts');
  await openDialog('ada@example.org');
  await page.getByText(english.accounts.deleteOwnText).waitFor();
  await page.getByLabel(confirmName('ada@example.org')).fill('ada@example.org');
  await page.getByRole('button', { name: english.accounts.delete }).click();
  await page.getByRole('heading', { name: english.signIn.title }).waitFor();
  expect(await statusOf(eve.token)).toBe(200);
  expect(await statusOf(eve.key)).toBe(200);
});

test('the browser had nothing to complain about', () => {
  // The page of an account that is gone may ask once more before it is left.
  expect(visit.complaints.filter((text) => !text.includes('status of 401'))).toEqual([]);
});
