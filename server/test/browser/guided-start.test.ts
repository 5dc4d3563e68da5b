import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { beginning, fill, kinds, pattern } from './texts.ts';

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

/** The control of a field that the adapter describes. */
const setting = (name: string) => visit.page.locator(`[data-field="adapter_config.${name}"] input`);
const heading = (name: string) => visit.page.getByRole('heading', { name }).waitFor();

test('leads to a bot that answers, and can be left and gone on with', async () => {
  const { page } = visit;
  await visit.open('/start');
  await heading(english.guidedStart.messengerTitle);
  await visit.look('start-messenger');
  await page.getByRole('button', { name: beginning(kinds.telegram) }).click();

  await heading(fill(english.bots.connectTitle, { name: kinds.telegram }));
  await page.getByRole('link', { name: '@BotFather' }).waitFor();
  await page.getByRole('button', { name: english.guidedStart.connect }).click();
  const field = page.locator('[data-field="adapter_config.token"]');
  await field.getByText(english.errors.rules.required).waitFor();
  await visit.look('start-empty');
  await page.getByRole('alert').getByRole('button', { name: english.errors.rules.required }).click();
  await expect.poll(() => setting('token').evaluate((input) => input === document.activeElement)).toBe(true);
  await setting('token').fill('123456789:AAwrong-token-of-nobody');
  await page.getByText(english.guidedStart.moreSettings).click();
  await setting('api_base_url').fill(telegram.apiBaseUrl);
  await page.getByRole('button', { name: english.guidedStart.connect }).click();
  await page.getByRole('alert').getByText(english.reasons.platform_unauthorized).waitFor();
  await visit.look('start-refused');

  // The server stores the current step, not the page.
  await page.getByRole('link', { name: english.guidedStart.leave }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/start'));
  await visit.open('/bots');
  await visit.open('/start');
  await heading(fill(english.bots.connectTitle, { name: kinds.telegram }));
  await setting('token').fill(telegram.token);
  // Another user has changed the bot meanwhile: the guide asks before it overwrites that.
  const { bots } = await visit.call('GET', '/api/v1/platform/bots');
  const { uuid: bot } = bots.find(({ adapter }: { adapter: string }) => adapter === 'telegram');
  const adapter_config = { token: '123456789:AAtoken-of-another-user', api_base_url: telegram.apiBaseUrl };
  await visit.call('PUT', `/api/v1/platform/bots/${bot}`, { adapter_config });
  const configured = async () => (await visit.call('GET', `/api/v1/platform/bots/${bot}`)).bot.adapter_config;
  const theirs = await configured();
  await page.getByRole('button', { name: english.guidedStart.connect }).click();
  await page.getByText(english.common.conflict, { exact: true }).waitFor();
  expect((await page.getByRole('alert').allTextContents()).join()).not.toContain(theirs.token);
  expect(await configured()).toEqual(theirs);
  await visit.look('start-conflict');
  await page.getByRole('button', { name: english.common.overwrite }).click();
  await page.getByText(fill(english.guidedStart.connected, { id: '987654321' })).waitFor();
  await visit.look('start-connected');
  await page.getByRole('button', { name: english.common.next }).click();

  await heading(english.guidedStart.modelTitle);
  // Another model than the demo is found and tried, and nothing of it is stored.
  const stored = async () => ({
    providers: (await visit.call('GET', '/api/v1/provider/providers')).providers,
    models: (await visit.call('GET', '/api/v1/provider/models/llm')).models,
    audit: (await visit.call('GET', '/api/v1/audit')).entries,
  });
  const before = await stored();
  const provider = page.getByLabel(english.guidedStart.provider);
  await provider.selectOption({ label: english.models.compatible });
  const address = page.locator('[data-field=base_url] input');
  expect(await address.inputValue()).toBe('');
  await address.fill(models.base_url);
  await page.getByLabel(english.guidedStart.key).fill('sk-secret');
  const findModels = page.getByRole('button', { name: english.guidedStart.findModels });
  await findModels.click();
  // It has no list yet: the name of a model is typed.
  await page.getByRole('alert').waitFor();
  await page.getByRole('textbox', { name: english.guidedStart.model, exact: true }).fill('gpt-test');
  models.behave({ kind: 'error', status: 404, message: 'The model gpt-test does not exist' });
  await page.getByRole('button', { name: english.guidedStart.useModel }).click();
  await page.getByText('The model gpt-test does not exist', { exact: true }).waitFor();
  models.offer(['text-embedding-test', 'gpt-test', 'gpt-other']);
  await findModels.click();
  const model = page.getByRole('combobox', { name: english.guidedStart.model, exact: true });
  await model.waitFor();
  expect(await model.inputValue()).toBe('gpt-test');
  await visit.look('start-model');
  await page.getByRole('link', { name: english.guidedStart.leave }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/start'));
  const { audit, ...records } = await stored();
  expect(records).toEqual({ providers: before.providers, models: before.models });
  // The test of a model is on record, as all requests to addresses that are not stored yet.
  expect(audit.filter(({ action }: { action: string }) => !/\.test$/.test(action))).toEqual(before.audit);

  models.behave({ kind: 'answer' });
  await visit.open('/start');
  await heading(english.guidedStart.modelTitle);
  expect(await address.inputValue()).toBe(models.base_url);
  await page.getByLabel(english.guidedStart.key).fill('sk-secret');
  await findModels.click();
  await model.waitFor();
  await model.selectOption('gpt-other');
  // Another user has selected a model meanwhile, and changed the prompt: only the first is overwritten, after a question.
  const { uuid: theirModel } = await visit.call('POST', '/api/v1/provider/models/llm', {
    name: 'gpt-theirs',
    provider: { requester: 'openai-chat-completions', base_url: `${models.base_url}/theirs`, api_keys: ['sk-theirs'] },
  });
  const { pipelines } = await visit.call('GET', '/api/v1/pipelines');
  const { uuid: pipeline } = pipelines.find(({ is_default }: { is_default: boolean }) => is_default);
  const agent = async () =>
    (await visit.call('GET', `/api/v1/pipelines/${pipeline}`)).pipeline.config.ai['local-agent'];
  const prompt = [{ role: 'system', content: 'Answer in rhymes.' }];
  const theirAgent = { model: { primary: theirModel, fallbacks: [] }, prompt };
  await visit.call('PUT', `/api/v1/pipelines/${pipeline}`, { config: { ai: { 'local-agent': theirAgent } } });
  await page.getByRole('button', { name: english.guidedStart.useModel }).click();
  await page.getByText(english.common.conflict, { exact: true }).waitFor();
  await page.getByRole('cell', { name: 'gpt-theirs' }).waitFor();
  expect((await agent()).model.primary).toBe(theirModel);
  await visit.look('start-model-conflict');
  await page.getByRole('button', { name: english.common.overwrite }).click();
  await page.getByText(pattern(english.guidedStart.modelWorks)).waitFor();
  expect((await agent()).model.primary).not.toBe(theirModel);
  expect((await agent()).prompt).toEqual(prompt);
  const made = (await stored()).providers.find(({ base_url }: { base_url: string }) => base_url === models.base_url);
  expect(made).toMatchObject({ name: new URL(models.base_url).host, requester: 'openai-chat-completions' });

  await heading(english.guidedStart.helloTitle);
  models.behave({ kind: 'answer', chunks: ['Hello ', 'from the model'] });
  await page
    .getByRole('button', { name: fill(english.guidedStart.sayHello, { text: english.guidedStart.hello }) })
    .click();
  await page.locator('[data-role=assistant][data-streaming=false]', { hasText: 'Hello from the model' }).waitFor();
  await visit.look('start-hello');
  await page.getByRole('button', { name: english.guidedStart.finish }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/start'));
  const { wizard_status } = await visit.call('GET', '/api/v1/system/info');
  expect(wizard_status).toBe('completed');
  expect((await visit.call('GET', '/api/v1/platform/bots')).bots).toHaveLength(2);
});
