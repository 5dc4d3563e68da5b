import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { ada, incoming } from '../../src/platforms/telegram/testing/fixtures.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { beginning, fill, kinds } from './texts.ts';

const hostile = '<img src=x onerror="window.attacked=1"> & “Parrot”';

let visit: ConsoleVisit;
let fake: FakeTelegram;
vi.setConfig({ testTimeout: 90_000 });

beforeAll(async () => {
  [visit, fake] = await Promise.all([visitConsole(), startFakeTelegram()]);
}, 180_000);
afterAll(async () => {
  await visit?.close();
  await fake?.close();
}, 30_000);
beforeEach(() => {
  visit.complaints.length = 0;
});

/** Makes a bot that is connected to the fake, and the only one that is: a token serves one. @returns its uuid */
async function makeBot(name: string): Promise<string> {
  for (const { uuid, adapter } of (await visit.call('GET', '/api/v1/platform/bots')).bots) {
    if (adapter === 'telegram') await visit.call('PUT', `/api/v1/platform/bots/${uuid}`, { enable: false });
  }
  const adapter_config = { token: fake.token, api_base_url: fake.apiBaseUrl };
  const { uuid } = await visit.call('POST', '/api/v1/platform/bots', {
    name,
    adapter: 'telegram',
    adapter_config,
    enable: true,
  });
  return uuid;
}

/** The control of a field that the adapter describes. */
const setting = (name: string) => visit.page.locator(`[data-field="adapter_config.${name}"] input`);
const botOf = async (uuid: string) => (await visit.call('GET', `/api/v1/platform/bots/${uuid}`)).bot;

test('a bot is made in two steps; a wrong token is explained and corrected', async () => {
  const { page } = visit;
  const [firstBot] = (await visit.call('GET', '/api/v1/platform/bots')).bots;
  await visit.open('/bots');
  await page.getByRole('table').getByText(firstBot.name).first().waitFor();
  await visit.look('bots-first');
  await page.getByRole('link', { name: english.bots.new }).click();
  await page.getByRole('button', { name: beginning(kinds.telegram) }).waitFor();
  await visit.look('bots-choose');
  await page.getByRole('button', { name: beginning(kinds.telegram) }).click();

  await page.getByRole('heading', { name: fill(english.bots.connectTitle, { name: kinds.telegram }) }).waitFor();
  await page.getByLabel(english.common.name, { exact: true }).fill('Parrot');
  await setting('token').fill('123456789:AAwrong-token-of-nobody');
  await page.getByText(english.forms.advanced, { exact: true }).click();
  await setting('api_base_url').fill(fake.apiBaseUrl);
  await visit.look('bots-new');
  await page.getByRole('button', { name: english.bots.create }).click();

  await page.getByRole('heading', { name: 'Parrot' }).waitFor();
  await page.getByRole('alert').getByText(english.reasons.platform_unauthorized).waitFor();
  await visit.look('bots-error');
  expect(await setting('token').inputValue()).not.toContain('wrong');

  await setting('token').fill(fake.token);
  await page.getByRole('button', { name: english.common.save, exact: true }).click();
  await page.getByRole('link', { name: '@parrot_bot' }).waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await visit.look('bots-connected');
  expect(visit.complaints).toEqual([]);
});

test('a draft survives a failed save, and does not overwrite what a second tab saved', async () => {
  const { page } = visit;
  const uuid = await makeBot('Twice');
  await visit.open(`/bots/${uuid}`);
  await page.getByLabel(english.common.name, { exact: true }).fill('');
  await page.getByRole('button', { name: english.common.save, exact: true }).click();
  await page.getByRole('alert').waitFor();
  expect((await botOf(uuid)).name).toBe('Twice');

  await page.getByLabel(english.common.name, { exact: true }).fill('Mine');
  await visit.call('PUT', `/api/v1/platform/bots/${uuid}`, { name: 'Theirs' });
  await page.getByRole('button', { name: english.common.save, exact: true }).click();
  await page.getByText(english.common.conflict).waitFor();
  expect((await botOf(uuid)).name).toBe('Theirs');
  await visit.look('bots-conflict');
  await page.getByRole('button', { name: english.common.overwrite }).click();
  await page.getByRole('heading', { name: 'Mine' }).waitFor();
  expect((await botOf(uuid)).name).toBe('Mine');
});

test('messages are routed by rules that can be added, moved and removed', async () => {
  const { page } = visit;
  const uuid = await makeBot('Router');
  const [{ uuid: pipeline }] = (await visit.call('GET', '/api/v1/pipelines')).pipelines;
  const timeZone = page.getByLabel(english.bots.timeZone);
  await visit.open(`/bots/${uuid}?tab=routing`);
  await page.getByRole('button', { name: english.bots.addRule }).click();
  await page.getByRole('button', { name: english.bots.conditions.keywords, exact: true }).click();
  await page.getByRole('textbox', { name: english.bots.conditions.keywords }).fill('invoice\nbill');
  await page.getByRole('button', { name: english.bots.conditions.time, exact: true }).click();
  await timeZone.fill('Nowhere/Atlantis');
  await page.getByLabel('Mon', { exact: true }).check();
  await page.getByLabel(english.bots.goesTo).selectOption({ value: pipeline });
  await page.getByRole('button', { name: english.common.save, exact: true }).click();
  await timeZone.and(page.locator('[aria-invalid=true]')).waitFor();
  await visit.look('bots-routing');

  await timeZone.fill('Europe/Berlin');
  await page.getByRole('button', { name: english.bots.addRule }).click();
  const second = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: fill(english.bots.rule, { number: 2 }) }) });
  await second.getByRole('button', { name: english.bots.conditions.mentioned, exact: true }).click();
  await second.getByLabel(english.bots.goesTo).selectOption({ value: pipeline });
  await page.getByRole('button', { name: fill(english.bots.moveRuleUp, { number: 2 }) }).click();
  await page.getByRole('button', { name: english.common.save, exact: true }).click();
  await expect
    .poll(async () => (await botOf(uuid)).pipeline_routing_rules)
    .toMatchObject([
      { mentioned: true },
      {
        keywords: ['invoice', 'bill'],
        time: { from: '09:00', to: '17:00', days: [1], time_zone: 'Europe/Berlin' },
      },
    ]);
});

test('what people write shows at once, as text, and can be answered by hand', async () => {
  const { page } = visit;
  const uuid = await makeBot('Listener');
  await expect.poll(async () => (await botOf(uuid)).adapter_runtime_values.state).toBe('running');
  await visit.open(`/bots/${uuid}?tab=log`);
  await page.getByText(english.botStates.running, { exact: true }).first().waitFor();
  fake.deliver(incoming({ text: hostile }));
  await page.getByText(hostile).waitFor();
  await page.getByLabel(english.bots.level).selectOption('error');
  await page.getByRole('heading', { name: english.bots.logNone }).waitFor();
  await page.getByLabel(english.bots.level).selectOption('debug');
  await page.getByText(hostile).waitFor();
  await visit.look('bots-log');

  await page.getByRole('tab', { name: english.bots.conversations }).click();
  await page.getByRole('navigation', { name: english.bots.chats }).getByRole('link').first().click();
  await page
    .getByRole('list', { name: english.messages.tabs.messages })
    .getByText(hostile, { exact: true })
    .first()
    .waitFor();
  await visit.look('bots-conversations');

  await page.getByRole('tab', { name: english.bots.send }).click();
  await page.getByLabel(english.bots.target).fill('nobody');
  await page.getByRole('textbox', { name: english.bots.text }).fill('Good morning');
  await page.getByRole('button', { name: english.bots.sendNow, exact: true }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('textbox', { name: english.bots.text }).inputValue()).toBe('Good morning');
  await visit.look('bots-send');
  await page.getByLabel(english.bots.target).fill(String(ada.id));
  await page.getByRole('button', { name: english.bots.sendNow, exact: true }).click();
  await page.getByText(english.bots.sent).waitFor();
  // The answer of the pipeline may arrive before or after it.
  expect(fake.messages).toContainEqual(expect.objectContaining({ chat_id: ada.id, text: 'Good morning' }));
  expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
  expect(visit.complaints.filter((text) => !text.includes('status of 4'))).toEqual([]);
});

test('a bot is deleted, and its name is only ever text', async () => {
  const { page } = visit;
  const uuid = await makeBot(hostile);
  await visit.open('/bots');
  await page.getByRole('link', { name: hostile }).waitFor();
  await visit.look('bots-list');
  await page.route('**/platform/adapters/telegram', (route) =>
    route.fulfill({ status: 404, json: { code: -1, msg: 'No such adapter', reason: 'not_found' } }),
  );
  await visit.open(`/bots/${uuid}`);
  await page.getByRole('heading', { name: hostile }).waitFor();
  await page.getByText(fill(english.bots.gone, { name: 'telegram' })).waitFor();
  await visit.look('bots-gone');
  await page.getByRole('button', { name: english.common.delete, exact: true }).click();
  await page.getByRole('heading', { name: english.bots.title, level: 1 }).waitFor();
  await page.getByRole('link', { name: hostile }).waitFor({ state: 'detached' });
  expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
  await expect.poll(() => botOf(uuid).catch((error: Error) => error.message), { timeout: 20_000 }).toMatch('404');
  expect(visit.complaints.filter((text) => !text.includes('status of 404'))).toEqual([]);
});
