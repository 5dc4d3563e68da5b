import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EverythingServer, startEverything } from '../../src/mcp/testing/everything-server.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { answerWith, startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

// One visit: the tests below are its steps and run in this order.
let visit: ConsoleVisit;
let model: FakeOpenAi;
let everything: EverythingServer;
let receiver: WebhookReceiver;

vi.setConfig({ testTimeout: 60_000 });

beforeAll(async () => {
  [visit, model, everything, receiver] = await Promise.all([
    visitConsole(),
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
  await page.getByRole('link', { name: 'Add a provider' }).click();
  await heading('Which provider?').waitFor();
  await visit.look('models-chooser');
  await page.getByLabel('Find a provider').fill('openai-chat');
  await button('OpenAI').click();
  await page.getByLabel('Base URL').fill(model.base_url);
  await page.getByLabel('API key 1', { exact: true }).last().fill('sk-wrong-0123456789');
  await page.getByLabel('Name', { exact: true }).fill('My own');
  model.behave({ kind: 'error', status: 401, message: 'No such key' });
  await page.getByLabel('Name of the model').fill('large');
  await button('Test').click();
  await page.getByText('The model provider does not accept the key.').waitFor();
  await visit.look('models-new-provider');

  model.behave({ kind: 'answer' });
  await button('Add the provider').click();
  await heading('My own').waitFor();
  await page.getByText('The provider did not tell which models it has.').waitFor();
  await visit.look('models-add');
  await page.getByLabel('Name of the model').fill('large');
  await button('Test').click();
  await page.getByText(/Answered in \d+ ms/).waitFor();
  await button('Add the model').click();
  await page.getByText('1 model was added.').waitFor();

  await visit.open('/models?find=large');
  await button('Test large').click();
  await page.getByText(/Answered in \d+ ms/).waitFor();
  await visit.look('models-list');
  await page.getByRole('link', { name: 'large' }).click();
  await heading('large').waitFor();
  await page.getByLabel('Looks at images').check();
  await visit.look('models-model');
  await button('Save').click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const { models } = await visit.call('GET', '/api/v1/provider/models/llm');
  const large = models.find(({ name }: { name: string }) => name === 'large');
  expect(large.abilities.sort()).toEqual(['func_call', 'vision']);

  // Its key is masked, and the provider cannot go while it has models.
  await visit.open(`/models/providers/${large.provider_uuid}?tab=configuration`);
  await expect.poll(() => page.getByLabel('API key 1', { exact: true }).last().inputValue()).toBe('sk-…6789');
  await visit.look('models-provider');
  await button('Delete').click();
  await page.getByLabel('Type “My own” to confirm.').fill('My own');
  await button('Delete the provider').click();
  await page.getByRole('dialog').getByText('large').waitFor();
  await visit.look('models-in-use');
  await button('Cancel').click();
});

test('prices are added, changed in place and taken back', async () => {
  const { page } = visit;
  await visit.open('/models?tab=prices');
  await page.getByLabel('Name of the model').fill('Large');
  await page.getByLabel('Read, per 1M tokens').fill('2,5');
  await page.getByLabel('Written, per 1M tokens').fill('10');
  await button('Add a price').click();
  await button('More actions: large').click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel('Price of 1,000,000 tokens written: large').fill('12');
  await visit.look('models-prices');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: '12', exact: true }).waitFor();
  await button('More actions: large').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('There are no prices yet').waitFor();
  await button('Undo').click();
  await page.getByRole('cell', { name: '2.5', exact: true }).waitFor();
  const { model_prices } = await visit.call('GET', '/api/v1/provider/model-prices');
  expect(model_prices).toMatchObject([{ model_name: 'large', input_price: 2.5, output_price: 12 }]);
});

test('a tool server is tested, connects and shows its tools', async () => {
  const { page } = visit;
  await visit.open('/tools');
  await page.getByRole('link', { name: 'Add a server' }).first().click();
  await heading('Add an MCP server').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('everything');

  // Commands are for the operator to allow.
  await page.getByLabel('Connection').selectOption('stdio');
  await page.getByLabel('Command').fill('uvx');
  await button('Test the connection').click();
  await page.getByText('- "uvx"', { exact: true }).waitFor();
  await visit.look('tools-refused');

  await page.getByLabel('Connection').selectOption('http');
  await page.getByLabel('Address').fill(everything.url);
  await button('Add a line').click();
  await page.getByLabel('Name 1').fill('X-Key');
  await page.getByLabel('Value 1').fill('a-secret-0123456789');
  await button('Test the connection').click();
  await page.getByText(/It answers, and has \d+ tools/).waitFor();
  await visit.look('tools-new');
  await button('Add the server').click();
  await heading('everything').waitFor();
  await page.getByText('Connected', { exact: true }).waitFor();
  await page.getByLabel('Find a tool').fill('echo');
  await page.getByText('Parameters (1)').click();
  await page.getByText('Runs for: nobody, since no pipeline uses this server').first().waitFor();
  const { servers } = await visit.call('GET', '/api/v1/mcp/servers');
  const { pipelines } = await visit.call('GET', '/api/v1/pipelines');
  const extensions = `/api/v1/pipelines/${pipelines[0].uuid}/extensions`;
  await visit.call('PUT', extensions, { bound_mcp_servers: [servers[0].uuid] });
  await page.reload();
  await page.getByText('signed-in admins only').first().waitFor();
  await page.getByRole('button', { name: 'Confirm as read-only: echo' }).click();
  await page.getByText('An admin confirmed that it is read-only.').waitFor();
  await page.getByText('Runs for: Default pipeline: everyone (read-only)').waitFor();
  await visit.look('tools-server');
  await visit.open(`/pipelines/${pipelines[0].uuid}?tab=extensions`);
  await page.getByText('everyone (read-only)').first().waitFor({ state: 'attached' });
  await page.getByText(/For whom each of \d+ tools runs/).click();
  await visit.look('pipelines-tools');
  await page.goBack();
  await page.getByRole('button', { name: 'Take back: echo' }).waitFor();
  await page.getByRole('tab', { name: 'Configuration' }).click();
  await expect.poll(() => page.getByLabel('Value 1').inputValue()).toBe('a-s…6789');
  await visit.look('tools-configuration');

  // What happens to it shows without a reload.
  await visit.open('/tools');
  await page.getByText('Connected', { exact: true }).waitFor();
  await everything.kill();
  await page.getByText('Not connected', { exact: true }).waitFor();
  await visit.look('tools-list');
});

test('a key is shown once, works, and is gone after a reload', async () => {
  const { page } = visit;
  await visit.open('/api-keys');
  await page.getByRole('link', { name: 'Create a key' }).click();
  await heading('Create an API key').waitFor();
  await button('Create the key').click();
  await page.getByLabel('Name', { exact: true }).fill('Reports');
  await page.getByLabel('Until when it is valid').selectOption('own');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Last day').fill(tomorrow);
  await visit.look('keys-new');
  await button('Create the key').click();
  await heading('Your new key').waitFor();
  const key = (await page.locator('[data-secret]').textContent()) ?? '';
  const ask = (path: string) => fetch(visit.address + path, { headers: { 'x-api-key': key } });
  expect((await ask('/api/v1/platform/bots')).status).toBe(200);
  expect((await ask('/api/v1/apikeys')).status).toBe(403);
  await visit.look('keys-made');

  await page.reload();
  await heading('Create an API key').waitFor();
  expect(await page.content()).not.toContain(key);
  await visit.open('/api-keys');
  await page.getByRole('cell', { name: 'Soon' }).waitFor();
  await visit.look('keys-list');
  await button('More actions: Reports').click();
  await page.getByRole('menuitem', { name: 'Revoke the key' }).click();
  await page.getByLabel('Type “Reports” to confirm.').fill('Reports');
  await visit.look('keys-revoke');
  await button('Revoke the key').click();
  await page.getByText('There is no API key yet').waitFor();
  expect((await ask('/api/v1/platform/bots')).status).toBe(401);
});

test('a webhook is told of a message, and its log says how that went', async () => {
  const { page } = visit;
  await visit.open('/webhooks');
  await page.getByRole('link', { name: 'Add a webhook' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Office');
  await page.getByLabel('Address').fill(receiver.url);
  await visit.look('webhooks-new');
  await button('Add the webhook').click();
  await heading('The secret of “Office”').waitFor();
  const secret = (await page.locator('[data-secret]').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await visit.look('webhooks-secret');
  await page.getByRole('link', { name: 'I have kept it' }).click();
  await page.getByText('Nothing was sent yet').waitFor();
  await button('Send a test').click();
  await page.getByText(/Taken in \d+ ms, status 200/).waitFor();

  receiver.behave(answerWith(500, 'Out of order'));
  await visit.open('/chat');
  await page.getByPlaceholder('Write a message').fill('Hello');
  await page.keyboard.press('Enter');
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBeGreaterThan(1);
  await visit.open('/webhooks');
  await page.getByRole('link', { name: 'Office' }).click();
  await page.getByRole('cell', { name: /^Waiting Next try/ }).waitFor();
  await visit.look('webhooks-waiting');
  receiver.behave(answerWith(200));
  // Switched on again, it is tried at once.
  await page.getByLabel('Enabled').click();
  await page.getByText('Off', { exact: true }).waitFor();
  await page.getByLabel('Enabled').click();
  await page.getByRole('cell', { name: 'Delivered' }).waitFor();
  await button('Details').click();
  await page.getByText('Attempt 1').waitFor();
  await visit.look('webhooks-delivery');
  await button('Send again').click();
  await page.getByText('Attempt 3').waitFor();
  await button('Close').click();

  await page.getByRole('tab', { name: 'Configuration' }).click();
  await button('Replace the secret').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click();
  await page.getByRole('dialog').locator('[data-secret]').waitFor();
  expect(await page.locator('[data-secret]').textContent()).not.toBe(secret);
  await visit.look('webhooks-rotated');
  await button('I have kept it').click();

  receiver.behave(answerWith(410));
  await page.getByRole('tab', { name: 'Deliveries' }).click();
  await button('Details').click();
  await button('Send again').click();
  await button('Close').click();
  await expect.poll(async () => (await visit.call('GET', '/api/v1/webhooks')).webhooks[0].enabled).toBe(false);
  await visit.open('/webhooks');
  await page.getByText('Switched off by itself').waitFor();
  await visit.look('webhooks-list');
  expect(visit.complaints.filter((one) => !/status of (4|5)\d\d/.test(one))).toEqual([]);
});
