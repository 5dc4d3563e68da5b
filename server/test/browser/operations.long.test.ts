import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { auditAction, beginning, fill } from './texts.ts';

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
    name: 'Helper',
    adapter: 'websocket',
    adapter_config: {},
    enable: false,
  });
  bot = uuid;
  await visit.call('PUT', `/api/v1/platform/bots/${bot}`, { name: 'Deputy' });
}, 120_000);
afterAll(() => visit?.close(), 30_000);

const sessions = () => visit.page.getByRole('list', { name: english.profile.sessions }).getByRole('listitem');

test('the audit log tells what was changed, field by field, and where', async () => {
  const { page } = visit;
  await visit.open('/audit');
  await page.getByRole('button', { name: auditAction('bot', 'update') }).waitFor();
  await visit.look('audit');

  await page.getByLabel(english.audit.kind).selectOption('bot');
  await page.waitForURL(/kind=bot/);
  await page
    .getByRole('button', { name: auditAction('session', 'sign-in') })
    .first()
    .waitFor({ state: 'detached' });
  await page.getByRole('button', { name: auditAction('bot', 'update') }).click();
  const fields = page.getByRole('dialog').getByRole('list', { name: english.audit.fields });
  await fields.getByText('Helper', { exact: true }).waitFor();
  await fields.getByText('Deputy', { exact: true }).waitFor();
  await visit.look('audit-entry');

  // The address alone brings everything back.
  await page.reload();
  await fields.getByText('Helper', { exact: true }).waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Deputy' }).click();
  await page.waitForURL(new RegExp(`/bots/${bot}`));

  await visit.open('/audit?kind=webhook');
  await page.getByText(english.audit.empty).waitFor();
  await visit.look('audit-empty');
});

test('the system shows its version, what it stores and its settings', async () => {
  const { page } = visit;
  await visit.open('/system');
  await page.getByText(english.systemPage.ready).waitFor();
  const fact = (name: string) => page.getByRole('term').filter({ hasText: name }).locator('+ dd');
  await expect.poll(() => fact(english.systemPage.sizes.ledger).textContent()).toMatch(/^[\d.]+ (kB|MB)$/);
  expect(await fact(english.systemPage.started).textContent()).toMatch(/ago$|now$/);
  expect(await fact(english.systemPage.engine).textContent()).toBe(english.systemPage.engines.sqlite);
  await visit.look('system');

  await page.getByRole('tab', { name: english.systemPage.settings }).click();
  await page.waitForURL(/tab=settings$/);
  const setting = (name: string) => page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
  await setting('data_dir').getByText(english.systemPage.sources.environment, { exact: true }).waitFor();
  await setting('max_bots').getByText(english.systemPage.sources.default, { exact: true }).waitFor();
  await setting('secret_key').getByText(english.systemPage.secretNotSet).waitFor();
  await visit.look('system-settings');
});

test('the system shows its tasks and its log', async () => {
  const { page } = visit;
  await visit.open('/system');
  await page.getByRole('tab', { name: english.systemPage.tasks }).click();
  await visit.call('PUT', `/api/v1/platform/bots/${bot}`, { enable: true });
  // The stream of changes tells of the new task.
  await page.getByRole('button', { name: 'Deputy' }).click();
  await page
    .getByRole('dialog')
    .getByText(/\| running \|/)
    .waitFor();
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
  await page.getByRole('tab', { name: english.systemPage.logs }).click();
  const lines = page.getByRole('list', { name: english.systemPage.logs }).getByRole('listitem');
  await lines.getByText('it is <b>late</b>').waitFor();
  said.push('[DEBUG] : it goes on');
  await lines.first().getByText('it goes on').waitFor();
  expect(await lines.count()).toBe(4);
  await visit.look('system-log');
  await page.getByLabel(english.logs.level).selectOption('ERROR');
  await lines.filter({ hasText: 'late' }).waitFor({ state: 'detached' });
  expect(await lines.count()).toBe(1);
  await page.getByRole('searchbox', { name: english.common.search }).fill('qwertz');
  await page.getByText(english.logs.empty).waitFor();
  await page.waitForURL(/q=qwertz/);
});

test('a list of words that cannot be saved stays, with what is wrong', async () => {
  const { page } = visit;
  await visit.open('/system?tab=words');
  const words = page.getByRole('textbox', { name: english.words.list, exact: true });
  await words.fill('plain\n(');
  await page.getByRole('button', { name: english.common.save, exact: true }).click();
  await page.getByText(/^\(: /).waitFor();
  expect(await words.inputValue()).toBe('plain\n(');
  await visit.look('system-words');
  await words.fill('plain\nmagic');
  await page.getByRole('button', { name: english.common.save, exact: true }).click();
  await page.getByText(english.common.saved, { exact: true }).waitFor();
  const stored = await visit.call('GET', '/api/v1/safety/sensitive-words');
  expect(stored.words).toEqual(['plain', 'magic']);
});

test('the reference leads to the documentation of this server', async () => {
  await visit.open('/api-reference');
  await visit.look('reference');
  const link = visit.page.getByRole('link', { name: english.reference.browse });
  const answer = await fetch((await link.getAttribute('href')) ?? '');
  expect(answer.status).toBe(200);
});

test('the palette finds pages and records, by keyboard alone', async () => {
  const { page } = visit;
  await visit.open('/account');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: english.palette.title });
  await field.waitFor();
  await page.keyboard.type('deput');
  await page.getByRole('option', { name: 'Deputy', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/bots/${bot}`));

  await page.keyboard.press('Control+k');
  await field.waitFor();
  await visit.look('palette');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: english.palette.open, exact: true }).click();
  await page.keyboard.type(fill(english.palette.theme, { name: english.menu.dark }));
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true);
});

test('another session can be ended, and a new password ends all but this one', async () => {
  const { page } = visit;
  await visit.open('/account');
  await page.evaluate(() => localStorage.removeItem('theme'));
  await page.reload();
  const other = sessions().filter({ hasNotText: english.profile.thisSession });
  await other.waitFor();
  await page.getByText(english.profile.thisSession, { exact: true }).waitFor();
  await visit.look('account');

  const fill = async (current: string) => {
    await page.getByLabel(english.profile.currentPassword).fill(current);
    await page.getByLabel(english.account.newPassword, { exact: true }).fill(newPassword);
    await page.getByLabel(english.account.repeatPassword).fill(newPassword);
    await page.getByRole('button', { name: english.profile.changePassword }).click();
  };
  await fill('not the password');
  await page.getByText(english.profile.passwordWrong).waitFor();
  expect(await page.getByLabel(english.account.newPassword, { exact: true }).inputValue()).toBe(newPassword);
  await visit.look('account-wrong-password');

  await other.getByRole('button', { name: beginning(english.profile.endSession) }).click();
  await other.waitFor({ state: 'detached' });
  await expect(visit.call('GET', '/api/v1/user/info')).rejects.toThrow('401');

  await fill(password);
  await page.getByText(english.profile.passwordChanged).waitFor();
  await page.reload();
  await page.getByText(english.profile.thisSession, { exact: true }).waitFor();
  expect(await sessions().count()).toBe(1);
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
