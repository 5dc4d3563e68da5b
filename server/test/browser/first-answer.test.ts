import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { launchBrowser } from './browser.ts';
import { startServiceWithConsole } from './service-process.ts';
import { fill } from './texts.ts';

let service: Awaited<ReturnType<typeof startServiceWithConsole>>;
let browser: Browser;
let model: FakeOpenAi;

beforeAll(async () => {
  [service, browser, model] = await Promise.all([
    startServiceWithConsole({ setupToken: '' }),
    launchBrowser(),
    startFakeOpenAi(),
  ]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await model?.close();
}, 30_000);

test('a new account gets the first answer of its own model with at most 8 inputs and clicks', async () => {
  const { account, setUp, recovery, guidedStart, models } = english;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  await page.goto(service.setUpLink);
  await page.getByLabel(account.user).fill('ada@example.org');
  await page.getByLabel(account.password, { exact: true }).fill('correct horse battery');
  await page.getByLabel(account.repeatPassword).fill('correct horse battery');
  await page.getByRole('button', { name: setUp.submit }).click();
  model.offer(['text-embedding-test', 'gpt-test']);
  model.behave({ kind: 'answer', chunks: ['Good ', 'morning.'] });

  const steps: string[] = [];
  const press = async (name: string) => {
    steps.push(name);
    await page.getByRole('button', { name, exact: true }).click();
  };
  const write = async (field: string, text: string) => {
    steps.push(field);
    await page.locator(`[data-field=${field}] input`).fill(text);
  };
  await press(recovery.saved);
  await press(guidedStart.skipMessenger);
  steps.push(guidedStart.provider);
  await page.getByLabel(guidedStart.provider).selectOption({ label: models.compatible });
  await write('base_url', model.base_url);
  await write('api_key', 'sk-0123456789abcdefghij');
  await press(guidedStart.findModels);
  await press(guidedStart.useModel);
  await press(fill(guidedStart.sayHello, { text: guidedStart.hello }));
  await page.locator('[data-role=assistant][data-streaming=false]', { hasText: 'Good morning.' }).waitFor();

  expect(steps.length, steps.join(', ')).toBeLessThanOrEqual(8);
  const asked = model.requests.at(-1);
  expect(asked?.body).toMatchObject({ model: 'gpt-test' });
  expect(asked?.headers.authorization).toBe('Bearer sk-0123456789abcdefghij');
  await context.close();
});
