import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { fill } from './texts.ts';

let visit: ConsoleVisit;

vi.setConfig({ testTimeout: 60_000 });

beforeAll(async () => {
  visit = await visitConsole();
  // Unsaved input is about to be lost, as far as the browser knows.
  visit.page.on('dialog', (dialog) => void dialog.accept());
}, 120_000);
afterAll(() => visit?.close());

const stored = () => visit.page.evaluate(() => JSON.stringify({ ...localStorage }));

test('unfinished JSON is there again with its error, and nothing is saved before it is finished', async () => {
  const { page, call } = visit;
  const provider = { name: 'Mine', requester: 'openai-chat-completions', base_url: 'http://127.0.0.1:9/v1' };
  const { uuid: provider_uuid } = await call('POST', '/api/v1/provider/providers', provider);
  const model = { name: 'half', provider_uuid, abilities: [], extra_args: { seed: 1 } };
  const { uuid } = await call('POST', '/api/v1/provider/models/llm', model);
  const storedModel = async () => (await call('GET', `/api/v1/provider/models/llm/${uuid}`)).model;
  const json = page.getByLabel(english.models.extraArguments);
  const save = page.getByRole('button', { name: english.common.save, exact: true });
  await visit.open(`/models/llm/${uuid}`);
  await page.getByLabel(english.models.modelName, { exact: true }).fill('whole');
  await json.fill('{"seed": 2, "stop": [');
  await page.reload();
  await expect.poll(() => json.inputValue()).toBe('{"seed": 2, "stop": [');
  await page.getByText(english.common.invalidJson).waitFor();
  await save.click();
  await page.getByRole('button', { name: english.fieldRules.unfinished }).waitFor();
  await visit.look('unfinished-json');
  expect(await storedModel()).toMatchObject({ name: 'half', extra_args: { seed: 1 } });
  await json.fill('{"seed": 2, "stop": []}');
  await save.click();
  await expect.poll(storedModel).toMatchObject({ name: 'whole', extra_args: { seed: 2, stop: [] } });
  await expect.poll(stored).not.toContain('seed');
});

test('an unfinished number is there again with its error, and the record is not created before it is finished', async () => {
  const { page, call } = visit;
  const { engines } = await call('GET', '/api/v1/knowledge/engines');
  const numbers = ['integer', 'number', 'float'];
  const { name, label } = engines[0].creation_schema.schema.find(({ type }: { type: string }) =>
    numbers.includes(type),
  );
  const number = page.getByLabel(label.en_US);
  await visit.open('/knowledge/new');
  await page.getByLabel(english.common.name, { exact: true }).fill('Half');
  await number.fill('1e');
  await page.reload();
  await expect.poll(() => number.inputValue()).toBe('1e');
  await page.getByText(english.common.invalidNumber).waitFor();
  await page.getByRole('button', { name: english.common.create, exact: true }).click();
  await page.getByRole('button', { name: english.fieldRules.unfinished }).click();
  expect(await number.evaluate((element) => element === document.activeElement)).toBe(true);
  await visit.look('unfinished-number');
  await number.fill('1e3');
  await page.getByRole('button', { name: english.common.create, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Half' }).waitFor();
  const base = (await call('GET', `/api/v1/knowledge/bases/${page.url().split('/').at(-1)?.split('?')[0]}`)).base;
  expect(base.creation_settings[name]).toBe(1000);
  await expect.poll(stored).not.toContain('Half');
});

test('an unfinished number on another tab of a pipeline is neither saved nor published, and is led to', async () => {
  const { page, call } = visit;
  const { uuid } = await call('POST', '/api/v1/pipelines', { name: 'Half' });
  await visit.open(`/pipelines/${uuid}?tab=safety`);
  const number = page.locator('[data-field="config.safety.rate-limit.window-length"] input');
  await number.fill('1e');
  await page.getByRole('tab', { name: english.pipelines.general }).click();
  await page.getByLabel(english.common.name, { exact: true }).fill('Whole');
  await page.reload();
  await page.getByRole('button', { name: english.pipelines.publish, exact: true }).click();
  await page
    .getByText(fill(english.pipelines.faults_one, { count: 1 }))
    .first()
    .waitFor();
  await visit.look('unfinished-elsewhere');
  expect((await call('GET', `/api/v1/pipelines/${uuid}`)).pipeline).toMatchObject({ name: 'Half', version: 1 });
  await page.getByText(english.pipelines.toCorrect).locator('..').getByRole('button').click();
  await expect.poll(() => number.inputValue()).toBe('1e');
  await number.fill('7');
  await page.getByRole('button', { name: english.pipelines.publish, exact: true }).click();
  const published = async () => (await call('GET', `/api/v1/pipelines/${uuid}`)).pipeline;
  await expect.poll(async () => (await published()).name).toBe('Whole');
  expect((await published()).config.safety['rate-limit']['window-length']).toBe(7);
});
