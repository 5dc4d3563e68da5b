import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

let visit: ConsoleVisit;
let telegram: FakeTelegram;
let models: FakeOpenAi;
vi.setConfig({ testTimeout: 90_000 });

beforeAll(async () => {
  [visit, telegram, models] = await Promise.all([visitConsole(), startFakeTelegram(), startFakeOpenAi()]);
}, 180_000);
afterAll(async () => {
  await visit?.close();
  await telegram?.close();
  await models?.close();
}, 30_000);

const heading = (name: string) => visit.page.getByRole('heading', { name }).waitFor();

test('leads to a bot that answers, and can be left and gone on with', async () => {
  const { page } = visit;
  await visit.open('/start');
  await heading('Where will people write?');
  await visit.look('start-messenger');
  await page.getByRole('button', { name: /^Telegram/ }).click();

  await heading('Connect Telegram');
  await page.getByText('@BotFather in Telegram').waitFor();
  await page.getByLabel('Token', { exact: true }).fill('123456789:AAwrong-token-of-nobody');
  await page.getByText('More settings').click();
  await page.getByLabel('API address').fill(telegram.apiBaseUrl);
  await page.getByRole('button', { name: 'Connect and test' }).click();
  await page.getByRole('alert').getByText('does not accept the credentials').waitFor();
  await visit.look('start-refused');

  // The place is kept by the server, not by the page.
  await page.getByRole('link', { name: 'Leave for now' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/start'));
  await visit.open('/bot');
  await visit.open('/start');
  await heading('Connect Telegram');
  await page.getByLabel('Token', { exact: true }).fill(telegram.token);
  await page.getByRole('button', { name: 'Connect and test' }).click();
  await page.getByText('It works: connected as 987654321.').waitFor();
  await visit.look('start-connected');
  await page.getByRole('button', { name: 'Next' }).click();

  await heading('Which model will answer?');
  await page.getByLabel('Provider').selectOption({ label: 'OpenAI' });
  await page.getByLabel('Base URL').fill(models.base_url);
  await page.getByLabel('API key').fill('sk-secret');
  await page.getByRole('button', { name: 'Find models' }).click();
  await page.getByLabel('Model', { exact: true }).fill('gpt-test');
  await visit.look('start-model');
  await page.getByRole('button', { name: 'Test and use this model' }).click();
  await page.getByText('It works: the model answered').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();

  await heading('Say hello');
  models.behave({ kind: 'answer', chunks: ['Hello ', 'from the model'] });
  await page.getByRole('button', { name: /^Send “Hello!/ }).click();
  await page.locator('[data-role=assistant][data-growing=false]', { hasText: 'Hello from the model' }).waitFor();
  await visit.look('start-hello');
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/start'));
  const { wizard_status } = await visit.call('GET', '/api/v1/system/info');
  expect(wizard_status).toBe('completed');
  expect((await visit.call('GET', '/api/v1/platform/bots')).bots).toHaveLength(2);
});
