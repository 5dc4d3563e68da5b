import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { ada, incoming } from '../../src/platforms/telegram/testing/fixtures.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { pattern } from './texts.ts';

let visit: ConsoleVisit;
let telegram: FakeTelegram;
let bot: string;
vi.setConfig({ testTimeout: 60_000 });
beforeAll(async () => {
  [visit, telegram] = await Promise.all([visitConsole(), startFakeTelegram()]);
  const config = { token: telegram.token, api_base_url: telegram.apiBaseUrl };
  const made = { name: 'Parrot', adapter: 'telegram', adapter_config: config, enable: true };
  bot = (await visit.call('POST', '/api/v1/platform/bots', made)).uuid;
}, 120_000);
afterAll(async () => {
  await visit?.close();
  await telegram?.close();
}, 30_000);

/** A user writes to the bot. @returns the uuid of the message, once it ended in a state */
async function asked(text: string, state: string): Promise<string> {
  telegram.deliver(incoming({ text }));
  const find = async () =>
    (await visit.call('GET', `/api/v1/messages?bot_uuid=${bot}&direction=inbound&text=${text}`)).messages[0];
  await expect.poll(async () => (await find())?.state, { timeout: 20_000 }).toBe(state);
  return (await find()).uuid;
}
const shown = () => telegram.messages.filter(({ chat_id }) => chat_id === ada.id).length;

const warnings = { failed: english.explain.retry.failedText, uncertain: english.explain.retry.uncertainText };

async function retry(uuid: string, state: keyof typeof warnings): Promise<void> {
  await visit.open(`/messages/${uuid}`);
  await visit.page.getByRole('button', { name: pattern(english.explain.retry.label) }).click();
  await visit.page.getByRole('dialog').getByText(warnings[state]).waitFor();
  await visit.look(`message-retry-${state}`);
  await visit.page.getByRole('button', { name: english.explain.retry.confirm }).click();
  await visit.page.getByRole('button', { name: pattern(english.explain.retry.label) }).waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await visit.call('GET', `/api/v1/messages/${uuid}`)).message.state, { timeout: 20_000 })
    .toBe('answered');
}

test('an answer that was refused is delivered once', async () => {
  telegram.fail('sendMessage', { kind: 'error', code: 403, description: 'Forbidden: bot was blocked by the user' });
  const uuid = await asked('refused', 'failed');
  expect(shown()).toBe(0);
  await retry(uuid, 'failed');
  expect(shown()).toBe(1);
});

test('an answer that may have arrived is sent again after a warning', async () => {
  telegram.fail('sendMessage', { kind: 'closed' });
  const uuid = await asked('doubtful', 'uncertain');
  expect(shown()).toBe(1);
  await visit.open('/messages');
  await visit.page.getByLabel(english.messages.filters.state).selectOption('uncertain');
  await visit.page.getByText('doubtful').waitFor();
  await visit.look('messages-uncertain');
  await retry(uuid, 'uncertain');
  expect(shown()).toBe(2);
});

test('the figures and the audit log agree with what is in the chat', async () => {
  const { success_rate } = await visit.call('GET', `/api/v1/monitoring/figures?botId=${bot}`);
  expect(success_rate).toBe(100);
  const { entries } = await visit.call('GET', '/api/v1/audit?limit=20');
  expect(entries.filter(({ action }: { action: string }) => action === 'message.retry')).toHaveLength(2);
});

test('a bot has a setting for uncertain sends', async () => {
  await visit.open(`/bots/${bot}`);
  await visit.page.getByRole('tab', { name: english.bots.configuration }).click();
  await visit.page.getByLabel(english.bots.uncertainSends).selectOption('repeat');
  await visit.look('bot-uncertain-sends');
  await visit.page.getByRole('button', { name: english.common.save }).click();
  await expect
    .poll(async () => (await visit.call('GET', `/api/v1/platform/bots/${bot}`)).bot.uncertain_sends)
    .toBe('repeat');
});
