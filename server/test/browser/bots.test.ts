import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { ada, incoming } from '../../src/platforms/telegram/testing/fixtures.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

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
    ...{ name, adapter: 'telegram', adapter_config, enable: true },
  });
  return uuid;
}

const botOf = async (uuid: string) => (await visit.call('GET', `/api/v1/platform/bots/${uuid}`)).bot;

test('a bot is made in two steps; a wrong token is explained and corrected', async () => {
  const { page } = visit;
  await visit.open('/bot');
  await page.getByRole('table').getByText('Web chat').first().waitFor();
  await visit.look('bots-first');
  await page.getByRole('link', { name: 'New bot' }).click();
  await page.getByRole('button', { name: /^Telegram/ }).waitFor();
  await visit.look('bots-choose');
  await page.getByRole('button', { name: /^Telegram/ }).click();

  await page.getByRole('heading', { name: 'Connect Telegram' }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Parrot');
  await page.getByLabel('Token', { exact: true }).fill('123456789:AAwrong-token-of-nobody');
  await page.getByLabel('API address').fill(fake.apiBaseUrl);
  await visit.look('bots-new');
  await page.getByRole('button', { name: 'Create bot' }).click();

  await page.getByRole('heading', { name: 'Parrot' }).waitFor();
  await page.getByRole('alert').getByText('does not accept the credentials').waitFor();
  await visit.look('bots-error');
  expect(await page.getByLabel('Token', { exact: true }).inputValue()).not.toContain('wrong');

  await page.getByLabel('Token', { exact: true }).fill(fake.token);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Connected as 987654321').waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await visit.look('bots-connected');
  expect(visit.complaints).toEqual([]);
});

test('a change is kept while saving fails, and does not run over what a second tab saved', async () => {
  const { page } = visit;
  const uuid = await makeBot('Twice');
  await visit.open(`/bot/${uuid}`);
  await page.getByLabel('Name', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  expect((await botOf(uuid)).name).toBe('Twice');

  await page.getByLabel('Name', { exact: true }).fill('Mine');
  await visit.call('PUT', `/api/v1/platform/bots/${uuid}`, { name: 'Theirs' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody changed this while you were editing.').waitFor();
  expect((await botOf(uuid)).name).toBe('Theirs');
  await visit.look('bots-conflict');
  await page.getByRole('button', { name: 'Save mine' }).click();
  await page.getByRole('heading', { name: 'Mine' }).waitFor();
  expect((await botOf(uuid)).name).toBe('Mine');
});

test('messages are routed by rules that can be added, moved and removed', async () => {
  const { page } = visit;
  const uuid = await makeBot('Router');
  await visit.open(`/bot/${uuid}?tab=routing`);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByRole('button', { name: 'Keywords', exact: true }).click();
  await page.getByRole('textbox', { name: 'Keywords' }).fill('invoice\nbill');
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await page.getByLabel('Time zone').fill('Nowhere/Atlantis');
  await page.getByLabel('Mon', { exact: true }).check();
  await page.getByLabel('Goes through').selectOption({ label: 'Default pipeline' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('is not the name of a time zone').first().waitFor();
  await visit.look('bots-routing');

  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const second = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Rule 2' }) });
  await second.getByRole('button', { name: 'Mention', exact: true }).click();
  await second.getByLabel('Goes through').selectOption({ label: 'Default pipeline' });
  await page.getByRole('button', { name: 'Move rule 2 up' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
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
  await visit.open(`/bot/${uuid}?tab=log`);
  await page.getByText('Connected', { exact: true }).first().waitFor();
  fake.deliver(incoming({ text: hostile }));
  await page.getByText(hostile).waitFor();
  await page.getByLabel('Show').selectOption('error');
  await page.getByRole('heading', { name: 'Nothing of this level' }).waitFor();
  await page.getByLabel('Show').selectOption('debug');
  await page.getByText(hostile).waitFor();
  await visit.look('bots-log');

  await page.getByRole('tab', { name: 'Conversations' }).click();
  await page.getByRole('navigation', { name: 'Conversations of this bot' }).getByRole('link').first().click();
  await page.getByRole('list', { name: 'Messages' }).getByText(hostile, { exact: true }).first().waitFor();
  await visit.look('bots-conversations');

  await page.getByRole('tab', { name: 'Send a message' }).click();
  await page.getByLabel('Id on the messenger').fill('nobody');
  await page.getByRole('textbox', { name: 'Message' }).fill('Good morning');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Good morning');
  await visit.look('bots-send');
  await page.getByLabel('Id on the messenger').fill(String(ada.id));
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('The message was sent.').waitFor();
  expect(fake.messages.at(-1)).toMatchObject({ chat_id: ada.id, text: 'Good morning' });
  expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
  expect(visit.complaints.filter((text) => !text.includes('status of 4'))).toEqual([]);
});

test('a bot is deleted by its name, which is only ever text', async () => {
  const { page } = visit;
  const uuid = await makeBot(hostile);
  await visit.open('/bot');
  await page.getByRole('link', { name: hostile }).waitFor();
  await visit.look('bots-list');
  await page.route('**/platform/adapters/telegram', (route) =>
    route.fulfill({ status: 404, json: { code: -1, msg: 'adapter not found', reason: 'not_found' } }),
  );
  await visit.open(`/bot/${uuid}`);
  await page.getByRole('heading', { name: hostile }).waitFor();
  await page.getByText('The messenger “telegram” is not installed any more.').waitFor();
  await visit.look('bots-gone');
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Delete bot' }).isEnabled()).toBe(false);
  await dialog.getByRole('textbox').fill(hostile);
  await dialog.getByRole('button', { name: 'Delete bot' }).click();
  await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor();
  await page.getByRole('link', { name: hostile }).waitFor({ state: 'detached' });
  expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
  await expect(botOf(uuid)).rejects.toThrow('404');
  expect(visit.complaints.filter((text) => !text.includes('status of 404'))).toEqual([]);
});
