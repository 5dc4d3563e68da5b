import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { incoming } from '../../src/platforms/telegram/testing/fixtures.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { accessibilityFaults } from './accessibility-tree.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { beginning, fill, moreActions } from './texts.ts';

let visit: ConsoleVisit;
let model: FakeOpenAi;
let telegram: FakeTelegram;
let pipeline: string;
vi.setConfig({ testTimeout: 120_000 });

/** A model in an installation. */
async function addModel({ call }: ConsoleVisit, name: string): Promise<void> {
  const provider = { name: 'Fake', requester: 'openai-chat-completions', base_url: model.base_url };
  const { uuid } = await call('POST', '/api/v1/provider/providers', { ...provider, api_keys: ['sk-0123456789abcdef'] });
  await call('POST', '/api/v1/provider/models/llm', { name, provider_uuid: uuid });
}

beforeAll(async () => {
  model = await startFakeOpenAi();
  telegram = await startFakeTelegram();
  visit = await visitConsole();
  await addModel(visit, 'large');
  pipeline = (await visit.call('GET', '/api/v1/pipelines')).pipelines[0].uuid;
  const { config } = (await visit.call('GET', `/api/v1/pipelines/${pipeline}`)).pipeline;
  config.ai['local-agent'].prompt = [{ role: 'system', content: 'Published prompt.' }];
  config.output['long-text-processing'].threshold = 1234;
  await visit.call('PUT', `/api/v1/pipelines/${pipeline}`, { config });
  await visit.call('POST', '/api/v1/platform/bots', {
    name: 'Parrot',
    adapter: 'telegram',
    adapter_config: { token: telegram.token, api_base_url: telegram.apiBaseUrl },
    enable: true,
    use_pipeline_uuid: pipeline,
  });
}, 180_000);
afterAll(async () => {
  await visit?.close();
  await telegram?.close();
  await model?.close();
}, 30_000);
beforeEach(() => {
  visit.complaints.length = 0;
});

const prompt = () => visit.page.locator('[data-field="config.ai.local-agent.prompt"]').getByRole('textbox').first();
/** The system prompt of the request for a question. */
const promptFor = (question: string) =>
  JSON.stringify(model.requests.find(({ body }) => JSON.stringify(body).includes(question))?.body?.messages ?? '');
const askBot = async (question: string) => {
  telegram.deliver(incoming({ text: question }));
  await expect.poll(() => promptFor(question), { timeout: 15_000 }).toContain('prompt.');
  return promptFor(question);
};
const ask = async (question: string) => {
  const { page } = visit;
  await page.getByRole('textbox', { name: english.chat.placeholder }).fill(question);
  await page.keyboard.press('Enter');
  await expect.poll(() => promptFor(question), { timeout: 15_000 }).toContain('prompt.');
  await page.locator('[data-role=assistant][data-streaming=false]').last().waitFor();
  return promptFor(question);
};
/** The version in the trace of a message, on its page. */
const versionShownFor = async (question: string) => {
  const query = `direction=inbound&text=${encodeURIComponent(question)}`;
  const { messages } = await visit.call('GET', `/api/v1/messages?${query}`);
  await visit.open(`/messages/${messages[0].uuid}`);
  const term = visit.page.getByText(english.explain.pipelineVersion, { exact: true });
  return term.locator('xpath=following-sibling::dd[1]').textContent();
};

test('a prompt is tried in draft while a bot answers by the published version, then published and restored', async () => {
  const { page } = visit;
  const { version } = (await visit.call('GET', `/api/v1/pipelines/${pipeline}`)).pipeline;
  await visit.open(`/pipelines/${pipeline}`);
  await prompt().fill('Drafted prompt. Today is {{date}}.');
  expect(await ask('Asked of the draft')).toContain('Drafted prompt. Today is 20');
  await page.getByText(english.pipelines.draft, { exact: true }).first().waitFor();
  expect(await askBot('Asked of the bot')).toContain('Published prompt.');
  await visit.look('editor-draft');
  expect(await accessibilityFaults(visit.page)).toEqual([]);

  expect(await versionShownFor('Asked of the draft')).toMatch(
    new RegExp(`^${english.explain.draftVersion.split('{{time}}')[0]}.*${version}$`),
  );
  expect(await versionShownFor('Asked of the bot')).toBe(fill(english.explain.publishedVersion, { number: version }));

  // The bot's requests are not kept, those of the draft are.
  await page.getByText(english.explain.request.title).click();
  await page.getByText(english.explain.request.notKept).waitFor();
  await versionShownFor('Asked of the draft');
  await page.getByText(english.explain.request.title).click();
  const body = page.getByRole('region', { name: english.explain.request.body });
  await expect.poll(() => body.textContent()).toContain('Drafted prompt. Today is 20');
  await page.getByText('authorization: Bearer …').waitFor();
  await visit.look('editor-request');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: english.explain.request.copyCurl }).click();
  await page.getByRole('button', { name: english.explain.request.copied }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`'${model.base_url}/chat/completions'`);
  expect(copied).toContain('-H "authorization: Bearer $API_KEY"');
  expect(copied).not.toContain('sk-0123456789abcdef');

  await visit.open(`/pipelines/${pipeline}`);
  await page.getByRole('button', { name: english.pipelines.showChanges }).click();
  await page
    .getByRole('dialog')
    .getByText(/Published prompt\./)
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: english.pipelines.publish }).click();
  await page.getByText(english.pipelines.published).waitFor();
  expect(await askBot('Asked once it was published')).toContain('Drafted prompt.');

  await page.getByRole('tab', { name: english.pipelines.versions }).click();
  const earlier = fill(english.pipelines.versionNumber, { number: version });
  await page.getByRole('row', { name: beginning(earlier) }).waitFor();
  await visit.look('editor-versions');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  await page.getByRole('button', { name: `${english.pipelines.compare}: ${earlier}` }).click();
  await page
    .getByRole('dialog')
    .getByText(/Drafted prompt\./)
    .waitFor();
  await visit.look('editor-compared');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: english.pipelines.restore }).click();
  await page.getByRole('dialog').getByRole('button', { name: english.pipelines.restore }).click();
  await page.getByText(fill(english.pipelines.restored, { number: version })).waitFor();
  expect(await askBot('Asked once it was restored')).toContain('Published prompt.');
  await page.getByText(fill(english.pipelines.restoredFrom, { number: version })).waitFor();
  expect(visit.complaints).toEqual([]);
});

test('one question is answered by two versions side by side', async () => {
  const { page } = visit;
  const { config } = (await visit.call('GET', `/api/v1/pipelines/${pipeline}/draft`)).pipeline;
  config.ai['local-agent'].prompt = [{ role: 'system', content: 'Compared prompt.' }];
  await visit.call('PUT', `/api/v1/pipelines/${pipeline}/draft`, { config });
  await visit.open(`/pipelines/${pipeline}?tab=compare`);
  const composer = page.getByRole('textbox', { name: english.chat.placeholder });
  await composer.fill('Asked of both');
  await composer.press('Enter');
  const sides = [1, 2].map((number) =>
    page.getByRole('region', { name: fill(english.pipelines.compareSide, { number }) }),
  );
  const prompts = () =>
    model.requests
      .filter(({ body }) => JSON.stringify(body).includes('Asked of both'))
      .map(({ body }) => JSON.stringify(body?.messages));
  await expect.poll(() => prompts().length, { timeout: 15_000 }).toBe(2);
  for (const side of sides) {
    await side.getByText('Asked of both').waitFor();
    await side.locator('[data-role=assistant][data-streaming=false]').last().waitFor();
  }
  await visit.look('editor-compare');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  // The draft chat beside the editor is another conversation.
  await visit.open(`/pipelines/${pipeline}`);
  await page.getByText('Asked of the draft').first().waitFor();
  expect(await page.getByText('Asked of both').count()).toBe(0);
  await visit.open(`/pipelines/${pipeline}?tab=output`);
  await visit.look('editor-output');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  // The search opens a fold.
  await page.getByRole('searchbox', { name: english.pipelines.find }).fill('keep-model-requests');
  await page.keyboard.press('Enter');
  await page.locator('[data-field="config.output.misc.keep-model-requests"]').getByRole('switch').waitFor();
  await visit.open(`/pipelines/${pipeline}?tab=compare`);

  expect(prompts().filter((text) => text.includes('Published prompt.'))).toHaveLength(1);
  expect(prompts().filter((text) => text.includes('Compared prompt.'))).toHaveLength(1);
  await sides[1]?.getByLabel(english.pipelines.version).selectOption({ index: 1 });
  await page.getByText(english.pipelines.compareSame).waitFor();
  await visit.call('DELETE', `/api/v1/pipelines/${pipeline}/draft`);
  expect(visit.complaints).toEqual([]);
});

test('a pipeline begins from a template', async () => {
  const { page } = visit;
  const { name, prompt: text } = english.pipelines.templates.support;
  await visit.open('/pipelines');
  await page.getByRole('button', { name: english.pipelines.new }).click();
  await page.getByLabel(english.pipelines.template).selectOption({ label: name });
  await page.getByRole('dialog').getByLabel(english.pipelines.templateBase).waitFor();
  await visit.look('editor-template');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  await page.getByRole('button', { name: english.pipelines.create }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  expect(await prompt().inputValue()).toBe(text);
  expect(visit.complaints).toEqual([]);
});

test('variables are completed and shown with examples', async () => {
  const { page } = visit;
  await visit.open(`/pipelines/${pipeline}`);
  await prompt().fill('Hello ');
  await prompt().press('End');
  await page.keyboard.type('{{us');
  await page.getByRole('listbox', { name: english.forms.variables }).waitFor();
  await visit.look('editor-completion');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  await page.keyboard.press('Enter');
  expect(await prompt().inputValue()).toBe('Hello {{user}}');
  await page.getByRole('button', { name: english.forms.preview }).click();
  await page.getByText(`Hello ${english.forms.variableExamples.user}`).waitFor();
  await page.getByRole('button', { name: english.common.discard }).click();
  expect(visit.complaints).toEqual([]);
});

test('an exported pipeline is the same in an empty installation', async () => {
  const { page } = visit;
  const { pipeline: original } = await visit.call('GET', `/api/v1/pipelines/${pipeline}`);
  await visit.open(`/pipelines/${pipeline}`);
  await page.getByRole('button', { name: moreActions(original.name) }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: english.pipelines.export }).click(),
  ]);
  // The browser may be on another machine, and has no path to give.
  const file = {
    name: download.suggestedFilename(),
    mimeType: 'application/json',
    buffer: await buffer(await download.createReadStream()),
  };
  expect(file.buffer.toString()).toContain('parley-pipeline');

  const other = await visitConsole();
  try {
    await addModel(other, 'larger');
    await other.open('/pipelines');
    await other.page.getByRole('button', { name: english.pipelines.import }).click();
    const dialog = other.page.getByRole('dialog');
    await dialog.getByLabel(english.pipelines.file).setInputFiles({
      name: 'page.json',
      mimeType: 'application/json',
      buffer: Buffer.from('<script>alert(1)</script>'),
    });
    await dialog.getByText(english.pipelines.fileUnknown).waitFor();
    await dialog.getByLabel(english.pipelines.file).setInputFiles({
      name: 'huge.json',
      mimeType: 'application/json',
      buffer: Buffer.alloc(10 * 1024 * 1024, 'x'),
    });
    await dialog.getByText(english.pipelines.fileTooLarge).waitFor();
    await dialog.getByLabel(english.pipelines.file).setInputFiles(file);
    const missing = dialog.getByLabel(fill(english.pipelines.missing.models, { name: 'large' }));
    await missing.selectOption({ label: 'larger' });
    await other.look('editor-import');
    await dialog.getByRole('button', { name: english.pipelines.import }).click();
    await other.page.getByRole('heading', { name: original.name, level: 1 }).waitFor();
    const { pipelines } = await other.call('GET', '/api/v1/pipelines');
    const imported = pipelines.find(({ is_default }: { is_default: boolean }) => !is_default);
    const { models } = await other.call('GET', '/api/v1/provider/models/llm');
    const larger = models.find(({ name }: { name: string }) => name === 'larger').uuid;
    original.config.ai['local-agent'].model.primary = larger;
    for (const field of ['name', 'description', 'emoji', 'config']) expect(imported[field]).toEqual(original[field]);
    expect(other.complaints).toEqual([]);
  } finally {
    await other.close();
  }
});
