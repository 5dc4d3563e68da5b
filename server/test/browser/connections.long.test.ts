import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { japanese } from '../../../web/src/locales/ja/index.ts';
import { chinese } from '../../../web/src/locales/zh-hans/index.ts';
import {
  type EverythingServer,
  everything as local,
  startEverything,
} from '../../src/mcp/testing/everything-server.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { answerWith, startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts';
import { beginSession } from './begin-session.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { beginning, confirmName, counted, fill, kinds, moreActions, pattern } from './texts.ts';

// One visit: the tests below are its steps and run in this order.
let visit: ConsoleVisit;
let model: FakeOpenAi;
let everything: EverythingServer;
let receiver: WebhookReceiver;

vi.setConfig({ testTimeout: 60_000 });

beforeAll(async () => {
  [visit, model, everything, receiver] = await Promise.all([
    visitConsole({ environment: { PARLEY_MCP_STDIO_COMMANDS: [local.command, ...local.args].join(' ') } }),
    startFakeOpenAi(),
    startEverything('http'),
    startWebhookReceiver(),
  ]);
}, 120_000);

afterAll(async () => {
  await Promise.all([visit?.close(), model?.close(), everything?.kill(), receiver?.close()]);
}, 30_000);

const button = (name: string | RegExp) => visit.page.getByRole('button', { name, exact: typeof name === 'string' });
const heading = (name: string) => visit.page.getByRole('heading', { level: 1, name });

test('a provider with a wrong key says so before it is stored; its models are added and tested', async () => {
  const { page } = visit;
  await visit.open('/models');
  await page.getByRole('link', { name: english.models.newProvider }).click();
  await heading(english.models.chooseTitle).waitFor();
  await visit.look('models-chooser');
  await page.getByLabel(english.models.findProvider).fill('openai-chat');
  await button(kinds.openAi).click();
  await page.locator('[data-field=base_url] input').fill(model.base_url);
  await page
    .getByLabel(fill(english.models.apiKey, { number: 1 }), { exact: true })
    .last()
    .fill('sk-wrong-0123456789');
  await page.getByLabel(english.common.name, { exact: true }).fill('My own');
  model.behave({ kind: 'error', status: 401, message: 'Unknown token' });
  await page.getByLabel(english.models.modelName).fill('large');
  await button(english.common.test).click();
  await page.getByText(english.reasons.provider_unauthorized).waitFor();
  await visit.look('models-new-provider');

  model.behave({ kind: 'answer' });
  await button(english.models.createProvider).click();
  await heading('My own').waitFor();
  await page.getByText(english.models.offeredFailed).waitFor();
  await visit.look('models-add');
  await page.getByLabel(english.models.modelName).fill('large');
  await button(english.common.test).click();
  await page.getByText(pattern(english.models.answered)).waitFor();
  await button(english.models.addModel).click();
  await page.getByText(counted(english.models, 'added', 1)).waitFor();

  await visit.open('/models?find=large');
  await button(fill(english.models.testName, { name: 'large' })).click();
  await page.getByText(pattern(english.models.answered)).waitFor();
  await visit.look('models-list');
  await page.getByRole('link', { name: 'large' }).click();
  await heading('large').waitFor();
  await page.getByLabel(english.models.abilityNames.vision).check();
  await visit.look('models-model');
  await button(english.common.save).click();
  await page.getByText(english.common.saved, { exact: true }).waitFor();
  const { models } = await visit.call('GET', '/api/v1/provider/models/llm');
  const large = models.find(({ name }: { name: string }) => name === 'large');
  expect(large.abilities.sort()).toEqual(['func_call', 'vision']);

  // Its key is masked, and the provider cannot go while it has models.
  await visit.open(`/models/providers/${large.provider_uuid}?tab=configuration`);
  await expect
    .poll(() =>
      page
        .getByLabel(fill(english.models.apiKey, { number: 1 }), { exact: true })
        .last()
        .inputValue(),
    )
    .toBe('sk-…6789');
  await visit.look('models-provider');
  await button(english.common.delete).click();
  await page.getByLabel(confirmName('My own')).fill('My own');
  await button(english.models.deleteProvider).click();
  await page.getByRole('dialog').getByText('large').waitFor();
  await visit.look('models-in-use');
  await button(english.common.cancel).click();
});

test('prices are suggested, imported from a list, and shown in a currency', async () => {
  const { page } = visit;
  const provider = { name: 'Known', requester: 'openai-chat-completions', base_url: 'https://api.openai.com/v1' };
  const { uuid: provider_uuid } = await visit.call('POST', '/api/v1/provider/providers', { ...provider, api_keys: [] });
  const { uuid } = await visit.call('POST', '/api/v1/provider/models/llm', { name: 'gpt-4o', provider_uuid });
  await visit.open('/models?tab=prices');
  const open = (name: string) => page.getByRole('button', { name: beginning(name) }).click();
  const dialog = page.getByRole('dialog');
  const none = english.common.none;
  await open(fill(english.models.currencyIs, { currency: none }));
  await dialog.getByLabel(english.models.currency).selectOption('EUR');
  await dialog.getByLabel(fill(english.models.usdRate, { currency: 'EUR' })).fill('0,5');
  await visit.look('models-currency');
  await dialog.getByRole('button', { name: english.common.save }).click();
  await page.getByRole('button', { name: fill(english.models.currencyIs, { currency: 'EUR' }) }).waitFor();

  await open(english.models.suggestedPrices);
  await dialog.getByRole('checkbox').waitFor();
  await visit.look('models-suggested-prices');
  await dialog.getByRole('button', { name: counted(english.models, 'usePrices', 1) }).click();
  await page.getByRole('cell', { name: '€1.25', exact: true }).waitFor();

  await open(english.models.importPrices);
  const file = dialog.locator('input[type=file]');
  const give = (text: string) =>
    file.setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await give('model_name,input_price,output_price\n<b>odd</b>,-1,2');
  await dialog.getByText(fill(english.fieldRules.price, { limit: '1000000000' })).waitFor();
  await visit.look('models-import-fault');
  await give('model_name,input_price,output_price\n<b>odd</b>,1,2\ngpt-4o,7,9');
  await dialog
    .getByText(fill(english.models.importChanges, { added: 1, changed: 1, unchanged: 0, skipped: 0 }))
    .waitFor();
  await visit.look('models-import');
  await dialog.getByRole('button', { name: english.models.importNow, exact: true }).click();
  await page.getByRole('cell', { name: '€7', exact: true }).waitFor();
  await page.getByText('<b>odd</b>', { exact: true }).waitFor();
  await visit.look('models-prices-in-euros');

  await visit.call('DELETE', '/api/v1/provider/model-prices/gpt-4o');
  await visit.call('DELETE', `/api/v1/provider/model-prices/${encodeURIComponent('<b>odd</b>')}`);
  await visit.call('DELETE', `/api/v1/provider/models/llm/${uuid}`);
  await visit.call('DELETE', `/api/v1/provider/providers/${provider_uuid}`);
  await visit.call('PUT', '/api/v1/provider/price-currency', { currency: null, usd_rate: null });
});

test('prices are added, changed in place and taken back', async () => {
  const { page } = visit;
  await visit.open('/models?tab=prices');
  await page.getByLabel(english.models.modelName).fill('Large');
  await page.getByLabel(english.models.inputShort).fill('2,5');
  await page.getByLabel(english.models.outputShort).fill('10');
  await button(english.models.addPrice).click();
  await button(moreActions('large')).click();
  await page.getByRole('menuitem', { name: english.common.edit }).click();
  await page.getByLabel(fill(english.models.priceOf, { what: english.models.outputPrice, name: 'large' })).fill('12');
  await visit.look('models-prices');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: '12', exact: true }).waitFor();
  await button(moreActions('large')).click();
  await page.getByRole('menuitem', { name: english.common.delete }).click();
  await page.getByText(english.models.noPrices).waitFor();
  await button(english.models.undo).click();
  await page.getByRole('cell', { name: '2.5', exact: true }).waitFor();
  const { model_prices } = await visit.call('GET', '/api/v1/provider/model-prices');
  expect(model_prices).toMatchObject([{ model_name: 'large', input_price: 2.5, output_price: 12 }]);
});

test('the page of a local tool server shows whether the data folder is hidden from it', async () => {
  const { command, args } = local;
  const { uuid } = await visit.call('POST', '/api/v1/mcp/servers', {
    name: 'local',
    mode: 'stdio',
    enable: true,
    extra_args: { command, args },
  });
  const { protection } = await vi.waitFor(async () => {
    const { servers } = await visit.call('GET', '/api/v1/mcp/servers');
    expect(servers[0].runtime_info.protection).not.toBeNull();
    return servers[0].runtime_info as { protection: keyof typeof english.tools.protections };
  }, 20_000);
  await visit.open(`/tools/servers/${uuid}`);
  await visit.page.getByText(english.tools.protections[protection], { exact: true }).waitFor();
  await visit.look('tools-local');
  await visit.call('DELETE', `/api/v1/mcp/servers/${uuid}`);
});

test.each([
  { locale: 'zh-CN', texts: chinese },
  { locale: 'ja-JP', texts: japanese },
])('a tool server that is down says so in the language of the user ($locale)', async ({ locale, texts }) => {
  const browser = visit.context.browser();
  if (browser === null) throw new Error('the context belongs to no browser');
  const context = await browser.newContext({ locale });
  await beginSession(context, visit.address, visit.token);
  const page = await context.newPage();
  await page.goto(`${visit.address}/tools/servers/new`);
  await page.getByLabel(texts.common.name, { exact: true }).fill('down');
  await page.getByLabel(texts.tools.mode).selectOption('http');
  await page.getByLabel(texts.tools.url).fill('http://127.0.0.1:9/mcp');
  await page.getByRole('button', { name: texts.tools.test, exact: true }).click();
  const outcome = page.getByRole('status').filter({ hasText: texts.tools.testFailed });
  await outcome.getByText(texts.hints.connection_refused).waitFor();
  // Words of other programs are in the details only.
  const paragraphs = await outcome.locator('p').allTextContents();
  expect(paragraphs.length).toBeGreaterThan(0);
  expect(paragraphs.filter((text) => /[a-z]{3,} [a-z]{3,}/.test(text))).toEqual([]);
  await context.close();
});

test('a tool server is tested, connects and shows its tools', async () => {
  const { page } = visit;
  await visit.open('/tools');
  await page.getByRole('link', { name: english.tools.newServer }).first().click();
  await heading(english.tools.newTitle).waitFor();
  await page.getByLabel(english.common.name, { exact: true }).fill('everything');

  // Commands are for the operator to allow.
  await page.getByLabel(english.tools.mode).selectOption('stdio');
  await page.getByLabel(english.tools.command).fill('uvx');
  await button(english.tools.test).click();
  await page.getByText('- "uvx"', { exact: true }).waitFor();
  await visit.look('tools-refused');

  await page.getByLabel(english.tools.mode).selectOption('http');
  await page.getByLabel(english.tools.url).fill(everything.url);
  await button(english.tools.addPair).click();
  await page.getByLabel(fill(english.tools.pairName, { number: 1 })).fill('X-Key');
  await page.getByLabel(fill(english.tools.pairValue, { number: 1 })).fill('a-secret-0123456789');
  await button(english.tools.test).click();
  await page.getByText(pattern(english.tools.testWorks_other)).waitFor();
  await visit.look('tools-new');
  await button(english.tools.create).click();
  await heading('everything').waitFor();
  await page.getByText(english.tools.states.connected, { exact: true }).waitFor();
  await page.getByLabel(english.tools.findTool).fill('echo');
  await page.getByText(`${english.tools.parameters} (1)`).click();
  await page.getByText(english.tools.runsFor.noPipeline).first().waitFor();
  const { servers } = await visit.call('GET', '/api/v1/mcp/servers');
  const { pipelines } = await visit.call('GET', '/api/v1/pipelines');
  const extensions = `/api/v1/pipelines/${pipelines[0].uuid}/extensions`;
  await visit.call('PUT', extensions, { bound_mcp_servers: [servers[0].uuid] });
  await page.reload();
  await page.getByText(english.tools.runsFor.nobody).first().waitFor();
  await page.getByRole('button', { name: `${english.tools.confirm}: echo` }).click();
  await page.getByText(english.tools.readOnlyStates.confirmed).waitFor();
  const everyone = english.tools.runsFor.readOnly;
  await page
    .getByText(fill(english.tools.pipelines_one, { count: 1 }))
    .first()
    .waitFor();
  await page.getByText(everyone).first().waitFor();
  await visit.look('tools-server');
  await visit.open(`/pipelines/${pipelines[0].uuid}?tab=extensions`);
  await page.getByText(everyone).first().waitFor({ state: 'attached' });
  await page.getByText(pattern(english.pipelines.eachTool_other)).click();
  await visit.look('pipelines-tools');
  await page.goBack();
  await page.getByRole('button', { name: `${english.tools.unconfirm}: echo` }).waitFor();
  await page.getByRole('tab', { name: english.tools.configuration }).click();
  await expect.poll(() => page.getByLabel(fill(english.tools.pairValue, { number: 1 })).inputValue()).toBe('a-s…6789');
  await visit.look('tools-configuration');

  // What happens to it shows without a reload.
  await visit.open('/tools');
  await page.getByText(english.tools.states.connected, { exact: true }).waitFor();
  await everything.kill();
  await page.getByText(english.tools.states.error, { exact: true }).waitFor();
  await visit.look('tools-list');
});

test('a key is shown once, works, and is gone after a reload', async () => {
  const { page } = visit;
  await visit.open('/api-keys');
  await page.getByRole('link', { name: english.apiKeys.new }).click();
  await heading(english.apiKeys.newTitle).waitFor();
  await button(english.apiKeys.create).click();
  await page.getByLabel(english.common.name, { exact: true }).fill('Reports');
  await page.getByLabel(english.apiKeys.expiry).selectOption('own');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel(english.apiKeys.expiryDay).fill(tomorrow);
  await visit.look('keys-new');
  await button(english.apiKeys.create).click();
  await heading(english.apiKeys.madeTitle).waitFor();
  const key = (await page.locator('[data-secret]').textContent()) ?? '';
  const ask = (path: string) => fetch(visit.address + path, { headers: { 'x-api-key': key } });
  expect((await ask('/api/v1/platform/bots')).status).toBe(200);
  expect((await ask('/api/v1/apikeys')).status).toBe(403);
  await visit.look('keys-made');

  await page.reload();
  await heading(english.apiKeys.newTitle).waitFor();
  expect(await page.content()).not.toContain(key);
  await visit.open('/api-keys');
  await page.getByRole('cell', { name: english.apiKeys.expiresSoon }).waitFor();
  await visit.look('keys-list');
  await button(moreActions('Reports')).click();
  await page.getByRole('menuitem', { name: english.apiKeys.delete }).click();
  await page.getByLabel(confirmName('Reports')).fill('Reports');
  await visit.look('keys-revoke');
  await button(english.apiKeys.delete).click();
  await page.getByText(english.apiKeys.empty).waitFor();
  expect((await ask('/api/v1/platform/bots')).status).toBe(401);
});

test('a webhook receives a message, and its log shows the delivery', async () => {
  const { page } = visit;
  await visit.open('/webhooks');
  await page.getByRole('link', { name: english.webhooks.new }).click();
  await page.getByLabel(english.common.name, { exact: true }).fill('Office');
  await page.getByLabel(english.webhooks.url).fill(receiver.url);
  await visit.look('webhooks-new');
  await button(english.webhooks.create).click();
  await heading(fill(english.webhooks.secretTitle, { name: 'Office' })).waitFor();
  const secret = (await page.locator('[data-secret]').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await visit.look('webhooks-secret');
  await page.getByRole('link', { name: english.webhooks.done }).click();
  await page.getByText(english.webhooks.noDeliveries).waitFor();
  await button(english.webhooks.test).click();
  await page.getByText(pattern(english.webhooks.testDelivered, { status: 200 })).waitFor();

  receiver.behave(answerWith(500, 'Out of order'));
  await visit.open('/chat');
  await page.getByPlaceholder(english.chat.placeholder).fill('Hello');
  await page.keyboard.press('Enter');
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBeGreaterThan(1);
  await visit.open('/webhooks');
  await page.getByRole('link', { name: 'Office' }).click();
  await page
    .getByRole('cell', { name: beginning(`${english.webhooks.deliveryStates.pending} ${english.webhooks.nextTry}`) })
    .waitFor();
  await visit.look('webhooks-waiting');
  receiver.behave(answerWith(200));
  // Switched on again, it is tried at once.
  await page.getByLabel(english.webhooks.enabled).click();
  await page.getByText(english.webhooks.states.off, { exact: true }).waitFor();
  await page.getByLabel(english.webhooks.enabled).click();
  await page.getByRole('cell', { name: english.webhooks.deliveryStates.delivered }).waitFor();
  await button(english.common.details).click();
  await page.getByText(fill(english.webhooks.attempt, { number: 1 })).waitFor();
  await visit.look('webhooks-delivery');
  await button(english.webhooks.redeliver).click();
  await page.getByText(fill(english.webhooks.attempt, { number: 3 })).waitFor();
  await button(english.common.close).click();

  await page.getByRole('tab', { name: english.webhooks.configuration }).click();
  await button(english.webhooks.rotate).click();
  await page.getByRole('dialog').getByRole('button', { name: english.webhooks.rotate }).click();
  await page.getByRole('dialog').locator('[data-secret]').waitFor();
  expect(await page.locator('[data-secret]').textContent()).not.toBe(secret);
  await visit.look('webhooks-rotated');
  await button(english.webhooks.done).click();

  receiver.behave(answerWith(410));
  await page.getByRole('tab', { name: english.webhooks.deliveries }).click();
  await button(english.common.details).click();
  await button(english.webhooks.redeliver).click();
  await button(english.common.close).click();
  await expect.poll(async () => (await visit.call('GET', '/api/v1/webhooks')).webhooks[0].enabled).toBe(false);
  await visit.open('/webhooks');
  await page.getByText(english.webhooks.states.gone).waitFor();
  await visit.look('webhooks-list');
  expect(visit.complaints.filter((one) => !/status of (4|5)\d\d/.test(one))).toEqual([]);
});
