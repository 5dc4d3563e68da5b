import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

const user = 'ada@example.org';
const password = 'correct horse battery';
const newPassword = 'battery staple horse';

// One visit: the tests are its steps and run in this order.
let visit: ConsoleVisit;
let bot: string;
vi.setConfig({ testTimeout: 60_000 });
beforeAll(async () => {
  visit = await visitConsole();
  const { uuid } = await visit.call('POST', '/api/v1/platform/bots', {
    ...{ name: 'Helper', adapter: 'websocket', adapter_config: {}, enable: false },
  });
  bot = uuid;
  await visit.call('PUT', `/api/v1/platform/bots/${bot}`, { name: 'Assistant' });
}, 120_000);
afterAll(() => visit?.close(), 30_000);

test('the audit log tells what was changed, field by field, and where', async () => {
  const { page } = visit;
  await visit.open('/audit');
  await page.getByRole('button', { name: 'Bot: changed' }).waitFor();
  await visit.look('audit');

  await page.getByLabel('Kind of record').selectOption('bot');
  await page.waitForURL(/kind=bot/);
  await page.getByRole('button', { name: 'Session: signed in' }).first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Bot: changed' }).click();
  const fields = page.getByRole('dialog').getByRole('list', { name: 'Changed fields' });
  await fields.getByText('Helper', { exact: true }).waitFor();
  await fields.getByText('Assistant', { exact: true }).waitFor();
  await visit.look('audit-entry');

  // The address alone brings everything back.
  await page.reload();
  await fields.getByText('Helper', { exact: true }).waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Assistant' }).click();
  await page.waitForURL(new RegExp(`/bot/${bot}`));

  await visit.open('/audit?kind=webhook');
  await page.getByText('Nothing was found').waitFor();
  await visit.look('audit-empty');
});

test('the system shows its version, what it stores and its settings', async () => {
  const { page } = visit;
  await visit.open('/system');
  await page.getByText('Being served').waitFor();
  const fact = (name: string) => page.getByRole('term').filter({ hasText: name }).locator('+ dd');
  await expect.poll(() => fact('Records and messages').textContent()).toMatch(/^[\d.]+ (kB|MB)$/);
  expect(await fact('Started').textContent()).toMatch(/ago$|now$/);
  expect(await fact('Database').textContent()).toBe('SQLite');
  await visit.look('system');

  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.waitForURL(/tab=settings$/);
  const setting = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
  await setting('data_dir').getByText('Environment', { exact: true }).waitFor();
  await setting('max_bots').getByText('Default', { exact: true }).waitFor();
  await setting('secret_key').getByText('Not set').waitFor();
  await visit.look('system-settings');
});

test('the system shows its tasks and its log', async () => {
  const { page } = visit;
  await visit.open('/system');
  await page.getByRole('tab', { name: 'Tasks' }).click();
  await visit.call('PUT', `/api/v1/platform/bots/${bot}`, { enable: true });
  // The stream of changes tells of the new task.
  await page.getByRole('button', { name: 'Assistant' }).click();
  await page.getByRole('dialog').getByText('connected to the platform').waitFor();
  await visit.look('system-task');
  await page.keyboard.press('Escape');
  await page.waitForURL(/tab=tasks$/);
  await visit.look('system-tasks');

  // A service that is tried logs nothing, so these lines are made up; the second answer is what came after the first.
  const said = ['[WARNING] : it is <b>late</b>', '[ERROR] : it failed', '[INFO] : it works again'];
  await page.route(/\/api\/v1\/logs\?/, (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('start_offset'));
    const logs = said.slice(from).map((text, index) => `[11-21 10:00:0${from + index}.000] bots.ts (7) - ${text}\n`);
    return route.fulfill({
      json: { code: 0, msg: 'ok', data: { logs: logs.join(''), end_page_number: 0, end_offset: said.length } },
    });
  });
  await page.getByRole('tab', { name: 'Log' }).click();
  const lines = page.getByRole('list', { name: 'Log' }).getByRole('listitem');
  await lines.getByText('it is <b>late</b>').waitFor();
  said.push('[DEBUG] : it goes on');
  await lines.first().getByText('it goes on').waitFor();
  expect(await lines.count()).toBe(4);
  await visit.look('system-log');
  await page.getByLabel('Level').selectOption('ERROR');
  await lines.filter({ hasText: 'late' }).waitFor({ state: 'detached' });
  expect(await lines.count()).toBe(1);
  await page.getByRole('searchbox', { name: 'Search' }).fill('no such words');
  await page.getByText('No lines').waitFor();
  await page.waitForURL(/q=no/);
});

test('a list of words that cannot be saved stays, with what is wrong', async () => {
  const { page } = visit;
  await visit.open('/system?tab=words');
  const words = page.getByRole('textbox', { name: 'Words', exact: true });
  await words.fill('plain\n(');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/^\(: /).waitFor();
  expect(await words.inputValue()).toBe('plain\n(');
  await visit.look('system-words');
  await words.fill('plain\nmagic');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const stored = await visit.call('GET', '/api/v1/safety/sensitive-words');
  expect(stored.words).toEqual(['plain', 'magic']);
});

test('the reference leads to the documentation of this server', async () => {
  await visit.open('/api-reference');
  await visit.look('reference');
  const link = visit.page.getByRole('link', { name: 'Open the interactive documentation' });
  const answer = await fetch((await link.getAttribute('href')) ?? '');
  expect(answer.status).toBe(200);
});

test('the palette finds pages and records, by keyboard alone', async () => {
  const { page } = visit;
  await visit.open('/account');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search and commands' });
  await field.waitFor();
  await page.getByRole('option', { name: 'Assistant' }).waitFor();
  await page.keyboard.type('assist');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/bot/${bot}`));

  await page.keyboard.press('Control+k');
  await field.waitFor();
  await visit.look('palette');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.keyboard.type('Theme: Dark');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true);
});

test('another session can be ended, and a new password ends all but this one', async () => {
  const { page } = visit;
  await visit.open('/account');
  await page.evaluate(() => localStorage.removeItem('theme'));
  await page.reload();
  const other = page.getByRole('listitem').filter({ hasText: 'Node.js' });
  await other.waitFor();
  await page.getByText('This browser', { exact: true }).waitFor();
  await visit.look('account');

  const fill = async (current: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill(newPassword);
    await page.getByLabel('Repeat password').fill(newPassword);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await fill('not the password');
  await page.getByText('This is not the current password.').waitFor();
  expect(await page.getByLabel('New password', { exact: true }).inputValue()).toBe(newPassword);
  await visit.look('account-wrong-password');

  await other.getByRole('button', { name: /^End session/ }).click();
  await other.waitFor({ state: 'detached' });
  await expect(visit.call('GET', '/api/v1/user/info')).rejects.toThrow('401');

  await fill(password);
  await page.getByText('The password was changed.').waitFor();
  await page.reload();
  await page.getByText('This browser', { exact: true }).waitFor();
  expect(await page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').count()).toBe(1);
  const signIn = (secret: string) =>
    fetch(`${visit.address}/api/v1/user/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user, password: secret }),
    });
  expect((await signIn(password)).status).toBe(400);
  expect((await signIn(newPassword)).status).toBe(200);
});

test('the browser had nothing to complain about', () => {
  // It reports each answer that is a refusal, which are meant here.
  expect(visit.complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);
});
