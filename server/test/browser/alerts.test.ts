import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type MailServer, startMailServer } from '../fakes/mail-server.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

const password = 'a-password-of-the-mail-server';

// One visit: the tests are its steps and run in this order.
let visit: ConsoleVisit;
let mail: MailServer;
vi.setConfig({ testTimeout: 60_000 });
beforeAll(async () => {
  mail = await startMailServer(password);
  visit = await visitConsole();
}, 120_000);
afterAll(async () => {
  await visit?.close();
  await mail?.close();
}, 30_000);

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });

test('a recipient is added with its errors at the fields, tried, and changed', async () => {
  const { page } = visit;
  await visit.open('/alerts?tab=targets');
  await page.getByText(english.alerts.noTargets).waitFor();
  await visit.look('alerts-no-recipients');
  await page.getByRole('link', { name: english.alerts.newTarget }).click();
  const { fields } = english.alerts;
  await page.getByLabel(english.common.name, { exact: true }).fill('Operators');
  await page.getByLabel(fields.host).fill(mail.host);
  await page.getByLabel(english.alerts.encryption).selectOption('none');
  await page.getByLabel(fields.port).fill(String(mail.port));
  await page.getByLabel(fields.user, { exact: true }).fill('parley');
  await page.getByLabel(fields.password, { exact: true }).fill(password);
  await page.getByLabel(fields.from).fill('parley');
  await page.getByLabel(fields.to).fill('ada@example.org\nbob@example.org');
  await button(english.alerts.newTarget).click();
  await expect.poll(() => page.getByLabel(fields.from).getAttribute('aria-invalid')).toBe('true');
  await visit.look('alerts-new-recipient');
  await page.getByLabel(fields.from).fill('parley@example.org');
  await button(english.alerts.newTarget).click();
  await page.getByRole('heading', { name: 'Operators' }).waitFor();
  await button(english.alerts.test).click();
  await page.getByText(english.alerts.testDelivered).waitFor();
  expect(mail.received).toMatchObject([{ to: ['ada@example.org', 'bob@example.org'], user: 'parley' }]);
  mail.refuse({ code: 550, text: 'not today' });
  await button(english.alerts.test).click();
  await page.getByText(/550 not today/).waitFor();
  await visit.look('alerts-recipient');
  expect(await page.content()).not.toContain(password);
});

test('a rule is added, its alert is in the bell and its refused notice is shown with the reason', async () => {
  const { page } = visit;
  await visit.call('POST', '/api/v1/platform/bots', {
    name: 'Lost bot',
    adapter: 'telegram',
    adapter_config: { token: '1:a', api_base_url: 'http://127.0.0.1:9' },
    enable: true,
  });
  await visit.open('/alerts?tab=rules');
  await page.getByRole('link', { name: english.alerts.newRule }).click();
  await page.getByLabel(english.common.name, { exact: true }).fill('Bots are offline');
  await page.getByLabel(english.alerts.condition).selectOption('error_rate');
  await page.getByLabel(english.alerts.fields.percent).fill('many');
  await page.getByRole('checkbox', { name: 'Operators' }).check();
  await button(english.alerts.newRule).click();
  await expect.poll(() => page.getByLabel(english.alerts.fields.percent).getAttribute('aria-invalid')).toBe('true');
  await visit.look('alerts-new-rule');
  await page.getByLabel(english.alerts.condition).selectOption('bot_offline');
  await page.getByLabel(english.alerts.fields.minimum_minutes).fill('0');
  await button(english.alerts.newRule).click();
  await page.getByRole('link', { name: 'Bots are offline' }).waitFor();
  await visit.look('alerts-rules');
  const open = async () => (await visit.call('GET', '/api/v1/alerts?state=open')).alerts;
  await expect.poll(async () => (await open())[0]?.notices[0]?.error, { timeout: 30_000 }).toMatch(/not today/);
  await visit.open('/alerts');
  await page.getByText(/550 not today/).waitFor();
  await visit.look('alerts-open');
  // By keyboard: the bell opens, and closes with Escape.
  const bell = page.locator('[data-open-alerts="1"]:visible');
  await bell.focus();
  await page.keyboard.press('Enter');
  const all = page.getByRole('link', { name: english.alertBell.all }).filter({ visible: true });
  await all.waitFor();
  await visit.look('alerts-bell');
  await bell.focus();
  await page.keyboard.press('Escape');
  await all.waitFor({ state: 'detached' });
});

test('a rule is paused, and its deletion ends the alert unless it is undone', async () => {
  const { page } = visit;
  mail.refuse(null);
  await visit.open('/alerts?tab=rules');
  await page.getByRole('link', { name: 'Bots are offline' }).click();
  await page.getByLabel(english.alerts.pause, { exact: true }).selectOption('8');
  await button(english.alerts.resume).waitFor();
  await visit.look('alerts-rule');
  await button(english.alerts.resume).click();
  await page.getByLabel(english.alerts.pause, { exact: true }).waitFor();
  await button(english.common.delete).click();
  await page.getByText(english.alerts.noRules).waitFor();
  await button(english.lists.undo).click();
  await page.getByRole('link', { name: 'Bots are offline' }).click();
  await button(english.common.delete).click();
  await visit.open('/alerts');
  await page.getByText(english.alerts.endReasons.deleted).waitFor({ timeout: 40_000 });
  await page.locator('[data-open-alerts="0"]:visible').waitFor();
  await expect
    .poll(() => mail.received.map(({ subject }) => subject), { timeout: 20_000 })
    .toContain('[Parley] Resolved: Bots are offline');
  await visit.look('alerts-history');
  // Two forms were refused on purpose.
  expect(visit.complaints.filter((complaint) => !complaint.includes('status of 400'))).toEqual([]);
});
