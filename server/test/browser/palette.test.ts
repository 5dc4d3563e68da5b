import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { fill } from './texts.ts';

// One visit: the tests are its steps and run in this order.
let visit: ConsoleVisit;
vi.setConfig({ testTimeout: 60_000 });
beforeAll(async () => {
  visit = await visitConsole();
  for (let start = 0; start < 200; start += 20) {
    const numbers = Array.from({ length: 20 }, (_, index) => start + index);
    await Promise.all(
      numbers.map((number) =>
        visit.call('POST', '/api/v1/platform/bots', {
          name: `Bot ${String(number).padStart(3, '0')}`,
          adapter: 'telegram',
          adapter_config: { token: '1:a' },
          enable: false,
        }),
      ),
    );
  }
}, 120_000);
afterAll(() => visit?.close(), 30_000);

const option = (name: string | RegExp) => visit.page.getByRole('dialog').getByRole('option', { name });
const names = () => visit.page.getByRole('dialog').getByRole('option').allTextContents();
const field = () => visit.page.getByRole('combobox', { name: english.palette.title });
const find = (text: string) => field().fill(text);

test('of 200 bots the exact one comes first, and no other number is found', async () => {
  const { page } = visit;
  await visit.open('/account');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.keyboard.press('Control+k');
  await field().waitFor();
  await find('bot 017');
  await expect.poll(names, { timeout: 15_000 }).toEqual(['Bot 017']);
  await find('E17');
  await page.getByText(english.palette.empty).waitFor();
  expect(await names()).toEqual([]);
  // A few rows of each kind, and the list with all of them.
  requests.length = 0;
  await field().fill('');
  await page.keyboard.type('bot 1', { delay: 20 });
  await option('Bot 100').waitFor();
  expect((await names()).filter((name) => name.startsWith('Bot '))).toHaveLength(5);
  // Not one for each key.
  expect(requests.filter((url) => url.includes('/platform/bots?')).length).toBeLessThan('bot 1'.length);
  await visit.look('palette-bots');
  await option(fill(english.palette.all, { name: english.navigation.bots })).click();
  await page.waitForURL(/\/bots\?q=bot/);
});

test('settings are found by their words and lead to where they are changed; opened finds are listed', async () => {
  const { page } = visit;
  await page.keyboard.press('Control+k');
  await find('session lifetime');
  await option(/token_lifetime_seconds/).waitFor();
  await visit.look('palette-settings');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/system\?.*setting=token_lifetime_seconds/);
  await page.keyboard.press('Control+k');
  await find('tool timeout');
  await option(/^Tool timeout/).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/pipelines\/.*field=config\.ai\.local-agent\.tool-timeout/);
  await page.keyboard.press('Control+k');
  await find('getting started');
  await option(/^Getting started/).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/guides\/getting-started/);
  await page.keyboard.press('Control+k');
  await page.getByText(english.palette.recent).waitFor();
  expect((await names()).slice(0, 3)).toEqual([
    expect.stringContaining('Getting started'),
    expect.stringContaining('Tool timeout'),
    expect.stringContaining('Session lifetime'),
  ]);
  await visit.look('palette-recent');
  await page.keyboard.press('Escape');
  // While a dialog is open, the keys open no other one.
  await field().waitFor({ state: 'detached' });
});

test('what cannot be searched is named, and the rest is found', async () => {
  const { page } = visit;
  await page.route('**/api/v1/webhooks?**', (route) => route.abort());
  await page.keyboard.press('Control+k');
  await find('bot 003');
  await option('Bot 003').waitFor();
  const text = fill(english.palette.failed, { names: english.navigation.webhooks });
  await page.getByRole('alert').filter({ hasText: text }).waitFor();
  await visit.look('palette-failed');
  await page.unroute('**/api/v1/webhooks?**');
  await page.getByRole('button', { name: english.common.retry }).click();
  await page.getByText(text).waitFor({ state: 'detached' });
  await field().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/bots\/[\da-f-]+$/);
});

test('a phone has it in its menu', async () => {
  const { page } = visit;
  await page.setViewportSize({ width: 390, height: 844 });
  await visit.open('/account');
  await page.getByRole('button', { name: english.navigation.open }).click();
  await page.getByRole('button', { name: english.palette.open, exact: true }).click();
  await find('bot 150');
  await option('Bot 150').click();
  await page.waitForURL(/\/bots\/[\da-f-]+$/);
  await page.getByRole('heading', { level: 1, name: 'Bot 150' }).waitFor();
});
