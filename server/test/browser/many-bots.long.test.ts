import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { counted, fill } from './texts.ts';

const texts = english.lists;
const count = 200;
const bots = '/api/v1/platform/bots';
let visit: ConsoleVisit;
let fake: FakeTelegram;
vi.setConfig({ testTimeout: 240_000 });

beforeAll(async () => {
  [visit, fake] = await Promise.all([visitConsole(), startFakeTelegram()]);
  for (let index = 0; index < count; index += 1) {
    const token = `${1000 + index}:AAwrong-token-of-nobody-at-all`;
    await visit.call('POST', bots, {
      name: `Refused ${String(index).padStart(3, '0')}`,
      adapter: 'telegram',
      adapter_config: { token, api_base_url: fake.apiBaseUrl },
      enable: true,
    });
  }
  await visit.call('POST', bots, {
    name: 'Working',
    adapter: 'telegram',
    adapter_config: { token: fake.token, api_base_url: fake.apiBaseUrl },
    enable: true,
  });
}, 360_000);
afterAll(async () => {
  await visit?.close();
  await fake?.close();
}, 60_000);

const matching = async (query: string) => (await visit.call('GET', `${bots}?limit=1&${query}`)).total;

test('200 bots with wrong tokens are filtered, disabled and deleted in at most eight clicks', async () => {
  const { page } = visit;
  await expect.poll(() => matching('state=error'), { timeout: 120_000 }).toBe(count);
  await visit.open('/bots');
  await page.getByText(counted(texts, 'matches', count + 2)).waitFor();
  await visit.look('lists-bots');
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  expect(nodes).toBeLessThanOrEqual(2000);

  let clicks = 0;
  const click = async (name: string, role: 'button' | 'checkbox' = 'button') => {
    await page.getByRole(role, { name, exact: true }).click();
    clicks += 1;
  };
  // A choice in a select is two clicks: it opens, and an option is chosen.
  await page.getByRole('combobox', { name: english.common.state, exact: true }).selectOption('error');
  clicks += 2;
  await page.getByText(counted(texts, 'matches', count)).waitFor();
  await click(texts.selectPage, 'checkbox');
  await click(fill(texts.selectAll, { count: String(count) }));
  await visit.look('lists-bots-selected');
  await click(texts.actions.disable);
  await page.getByText(counted(texts.outcomes, 'disable', count)).waitFor({ timeout: 120_000 });
  expect([await matching('state=error'), await matching('enabled=false')]).toEqual([0, count]);

  await click(english.common.delete);
  await page
    .getByRole('textbox', { name: fill(english.common.confirmName, { name: String(count) }) })
    .fill(String(count));
  await visit.look('lists-bots-delete');
  await click(counted(texts, 'deleteConfirm', count));
  await page.getByText(counted(texts.outcomes, 'delete', count)).waitFor({ timeout: 120_000 });
  expect(clicks).toBeLessThanOrEqual(8);

  // What is left: the web chat, and the one that works.
  await page.getByRole('button', { name: texts.clear }).click();
  await page.getByText(counted(texts, 'matches', 2)).waitFor();
  expect([await matching(''), await matching('state=running')]).toEqual([2, 2]);
  const { entries } = await visit.call('GET', '/api/v1/audit?action=bot.delete&limit=200');
  expect(entries).toHaveLength(count);
  await visit.open('/');
  await page.getByRole('table', { name: english.dashboard.bots.title }).getByText('Working').waitFor();
  expect(await page.getByRole('table', { name: english.dashboard.bots.title }).getByRole('row').count()).toBe(3);
  expect(visit.complaints).toEqual([]);
});

test('a deleted bot is back after undo, and deleted when the page is closed instead', async () => {
  const { page } = visit;
  const { uuid } = await visit.call('POST', bots, {
    name: 'Short-lived',
    adapter: 'telegram',
    adapter_config: { token: '1:AAnobody-knows-this-token-here-x' },
  });
  await visit.open(`/bots/${uuid}`);
  await page.getByRole('button', { name: english.common.delete, exact: true }).click();
  await page.getByText(fill(english.common.deleted, { name: 'Short-lived' })).waitFor();
  await page.waitForURL(/\/bots$/);
  await visit.look('lists-bots-undo');
  await page.getByRole('button', { name: texts.undo }).click();
  await page.getByRole('link', { name: 'Short-lived' }).waitFor();
  expect(await matching('search=short')).toBe(1);

  await visit.open(`/bots/${uuid}`);
  await page.getByRole('button', { name: english.common.delete, exact: true }).click();
  await page.getByText(fill(english.common.deleted, { name: 'Short-lived' })).waitFor();
  await page.goto('about:blank');
  await expect.poll(() => matching('search=short')).toBe(0);
});
