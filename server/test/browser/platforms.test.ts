import type { FakePlatform } from '@parley/sdk/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { startFakeDiscord } from '../../src/platforms/discord/testing/fake-discord.ts';
import { lark } from '../../src/platforms/lark/index.ts';
import { FakeLark } from '../../src/platforms/lark/testing/fake-lark.ts';
import { startFakeSlack } from '../../src/platforms/slack/testing/fake-slack.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { beginning, fill, kinds, pattern } from './texts.ts';

const question = 'When does the museum open?';
const answer = 'The museum opens at nine.';

let visit: ConsoleVisit;
let model: FakeOpenAi;
const fakes: FakePlatform[] = [];
vi.setConfig({ testTimeout: 90_000 });

beforeAll(async () => {
  [visit, model] = await Promise.all([visitConsole(), startFakeOpenAi()]);
  model.behave({ kind: 'answer', chunks: [answer] });
  await giveModel();
}, 180_000);
afterAll(async () => {
  await visit?.close();
  await Promise.all([model, ...fakes].map((one) => one?.close()));
}, 30_000);

/** Makes the pipeline of every installation answer with the model, as the guided start does. */
async function giveModel(): Promise<void> {
  const provider = await visit.call('POST', '/api/v1/provider/providers', {
    name: 'OpenAI',
    requester: 'openai-chat-completions',
    base_url: model.base_url,
    api_keys: ['sk-0123456789abcdefghij'],
  });
  const { uuid } = await visit.call('POST', '/api/v1/provider/models/llm', {
    name: 'gpt-test',
    provider_uuid: provider.uuid,
  });
  const [{ uuid: pipeline }] = (await visit.call('GET', '/api/v1/pipelines')).pipelines;
  const { config } = (await visit.call('GET', `/api/v1/pipelines/${pipeline}`)).pipeline;
  config.ai['local-agent'].model = { primary: uuid, fallbacks: [] };
  await visit.call('PUT', `/api/v1/pipelines/${pipeline}`, { config });
}

async function started<Fake extends FakePlatform>(fake: Promise<Fake>): Promise<Fake> {
  fakes.push(await fake);
  return fake;
}

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
/** The control of a field that the adapter describes. */
const setting = (name: string) => visit.page.locator(`[data-field="adapter_config.${name}"] input`);

/** From the list of bots to the form of a platform, with its advanced fields. */
async function chooses(platform: string): Promise<void> {
  const { page } = visit;
  await visit.open('/bots');
  await page.getByRole('link', { name: english.bots.new }).click();
  await page.getByRole('button', { name: beginning(platform) }).click();
  await page.getByRole('heading', { name: fill(english.bots.connectTitle, { name: platform }) }).waitFor();
  await page.getByText(english.forms.advanced, { exact: true }).click();
}

/** Saves the form; the bot connects, answers a user, and the console lists both messages. */
async function connectsAndAnswers(fake: FakePlatform, name: string): Promise<void> {
  const { page } = visit;
  await page.getByLabel(english.common.name, { exact: true }).fill(name);
  await button(english.bots.create).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.getByText(english.botStates.running, { exact: true }).waitFor();
  await page.getByTitle(fake.accountId, { exact: true }).waitFor();
  await fake.deliver({ text: question });
  await expect.poll(() => fake.sent().map(({ text }) => text)).toEqual([answer]);
  await page.getByRole('tab', { name: english.bots.conversations }).click();
  await page.getByRole('navigation', { name: english.bots.chats }).getByRole('link').first().click();
  const messages = page.getByRole('list', { name: english.messages.tabs.messages });
  await messages.getByText(question, { exact: true }).waitFor();
  await messages.getByText(answer, { exact: true }).waitFor();
  expect(visit.complaints).toEqual([]);
}

test('Discord: a token leads from nothing to the first answer', async () => {
  const fake = await started(startFakeDiscord());
  const { token, api_base_url } = fake.config();
  await chooses(kinds.discord);
  await setting('token').fill(String(token));
  await setting('api_base_url').fill(String(api_base_url));
  await visit.look('discord-new');
  await connectsAndAnswers(fake, 'Front desk');
  await visit.look('discord-answered');
});

test('Slack: two tokens lead from nothing to the first answer, and no secret is shown', async () => {
  const fake = await started(startFakeSlack('socket'));
  const { bot_token, app_token, api_base_url } = fake.config();
  const { page } = visit;
  await chooses(kinds.slack);
  await setting('bot_token').fill(String(bot_token));
  await setting('api_base_url').fill(String(api_base_url));
  await button(english.bots.test).click();
  await page.getByRole('alert').waitFor();
  // The browser tells of the refusal, too: nothing is entered by which messages could arrive.
  visit.complaints.length = 0;
  await setting('app_token').fill(String(app_token));
  await button(english.bots.test).click();
  await page.getByText(pattern(english.bots.testWorks)).waitFor();
  await visit.look('slack-new');
  await connectsAndAnswers(fake, 'Reception');
  await visit.look('slack-answered');
  for (const secret of fake.secrets()) expect(await page.content()).not.toContain(secret);
});

test('Lark: a QR code leads from nothing to the first answer, and its secret is never shown', async () => {
  const fake = await started(FakeLark.start());
  const { page } = visit;
  const seen: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/api/')) seen.push(await response.text().catch(() => ''));
  });
  await chooses(kinds.lark);
  await setting('api_base_url').fill(fake.url);
  await button(english.bots.test).click();
  await page.getByRole('alert').getByRole('button').click();
  await expect.poll(() => setting('app_id').evaluate((input) => input === document.activeElement)).toBe(true);
  // The browser tells of the refusal, too.
  visit.complaints.length = 0;
  await setting('accounts_base_url').fill(fake.url);
  await button(lark.login?.label.en_US ?? '').click();
  await page.getByRole('img', { name: english.bots.signInCode }).waitFor();
  await visit.look('lark-sign-in');
  fake.signIn('confirm');
  await page.getByText(english.bots.signInStates.done).waitFor();
  expect(await setting('app_id').inputValue()).toBe(fake.api.appId);
  expect(await setting('app_secret').inputValue()).not.toBe('');
  await visit.look('lark-signed-in');
  await connectsAndAnswers(fake, 'Lobby');
  await visit.look('lark-answered');
  expect(seen.some((text) => text.includes(fake.api.appId))).toBe(true);
  expect([...seen, await page.content()].join(' ')).not.toContain(fake.api.appSecret);
});
