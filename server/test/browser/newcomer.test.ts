import type { Browser, Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { chinese } from '../../../web/src/locales/zh-hans/index.ts';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { promptPassages } from '../../src/runners/local-agent/testing/knowledge-questions.ts';
import { type FakeOpenAi, type FakeOpenAiBehaviour, startFakeOpenAi } from '../fakes/openai-server.ts';
import { looksClosely } from '../shared/looks-closely.ts';
import { launchBrowser } from './browser.ts';
import { type Person, withKeyboard, withMouse } from './person.ts';
import { startServiceWithConsole } from './service-process.ts';
import { beginning, counted, fill, kindsIn } from './texts.ts';

const user = 'ada@example.org';
const password = 'correct horse battery';
const handbook =
  '# Opening hours\n\nThe museum opens at nine in the morning.\n\n# Prices\n\nTickets cost twelve euros.\n';

let service: Awaited<ReturnType<typeof startServiceWithConsole>>;
let browser: Browser;
let model: FakeOpenAi;
let telegram: FakeTelegram;
vi.setConfig({ testTimeout: 120_000 });

beforeEach(async () => {
  [browser, model, telegram] = await Promise.all([launchBrowser(), startFakeOpenAi(), startFakeTelegram()]);
  model.behave(citesTheHours);
}, 180_000);
afterEach(async () => {
  await browser?.close();
  await service?.stop();
  await model?.close();
  await telegram?.close();
}, 30_000);

/** Answers with a quote of the passage that it was shown. */
function citesTheHours(index: number): FakeOpenAiBehaviour {
  const told = (model.requests[index]?.body?.messages ?? []) as { role: string; content: string }[];
  const shown = promptPassages(told.findLast(({ role }) => role === 'user')?.content ?? '');
  const hours = shown.find(({ text }) => text.includes('opens at nine'));
  return { kind: 'answer', chunks: ['At nine ', `[${hours?.number}: "opens at nine in the morning"]`, '.'] };
}

const inEnglish = { locale: 'en-US', texts: english, kinds: kindsIn('en_US') };
const inChinese = { locale: 'zh-CN', texts: chinese, kinds: kindsIn('zh_Hans') };

test.each(
  [
    { ...inEnglish, by: 'mouse and keyboard', person: withMouse, basePath: '' },
    { ...inChinese, by: 'mouse and keyboard', person: withMouse, basePath: '/behind/a-proxy' },
    { ...inEnglish, by: 'the keyboard alone', person: withKeyboard, basePath: '' },
  ].slice(0, looksClosely ? 3 : 1),
)('a newcomer gets to a cited answer in $locale by $by, below "$basePath"', async (newcomer) => {
  const { locale, texts, kinds, person: personAt, basePath } = newcomer;
  service = await startServiceWithConsole({ basePath, setupToken: '' });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  await page.goto(service.setUpLink);
  await new Walk(page, personAt(page), { texts, kinds }).toTheEnd();
  // The provider of this test does not tell which models it has.
  expect(complaints.filter((text) => !text.includes('502'))).toEqual([]);
  await context.close();
});

/** What stands on the pages. */
interface Words {
  texts: typeof english;
  kinds: ReturnType<typeof kindsIn>;
}

class Walk {
  readonly #page: Page;
  readonly #person: Person;
  readonly #texts: Words['texts'];
  readonly #kinds: Words['kinds'];

  constructor(page: Page, person: Person, { texts, kinds }: Words) {
    this.#page = page;
    this.#person = person;
    this.#texts = texts;
    this.#kinds = kinds;
  }

  async toTheEnd(): Promise<void> {
    await this.#setUp();
    await this.#addProviderAndModel();
    await this.#makeBot();
    await this.#fillKnowledgeBase();
    await this.#usePipelineWithBoth();
    await this.#askAndLookHowItWent();
    await this.#makeApiKey();
    await this.#signOut();
  }

  async #setUp(): Promise<void> {
    const { account, setUp, recovery, guidedStart } = this.#texts;
    await this.#heading(setUp.title);
    await this.#person.write(this.#field(account.user), user);
    await this.#person.write(this.#field(account.password), password);
    await this.#person.write(this.#field(account.repeatPassword), password);
    await this.#person.press(this.#button(setUp.submit));
    await this.#heading(recovery.title);
    await this.#person.press(this.#button(recovery.saved));
    await this.#heading(guidedStart.title);
  }

  async #addProviderAndModel(): Promise<void> {
    const { navigation, models } = this.#texts;
    await this.#person.press(this.#menu(navigation.models));
    await this.#person.press(this.#link(models.newProvider));
    await this.#person.write(this.#field(models.findProvider), 'openai');
    await this.#person.press(this.#button(this.#kinds.openAi));
    await this.#heading(fill(models.connectTitle, { name: this.#kinds.openAi }));
    await this.#person.write(this.#page.locator('[data-field=base_url] input'), model.base_url);
    const key = this.#page.getByRole('group', { name: fill(models.apiKey, { number: 1 }), exact: true });
    await this.#person.write(key.locator('input'), 'sk-0123456789abcdefghij');
    await this.#person.press(this.#button(models.createProvider));
    await this.#heading(this.#kinds.openAi);
    await this.#person.write(this.#field(models.modelName), 'gpt-test');
    await this.#person.press(this.#button(models.addModel));
    await this.#page.getByText(counted(models, 'added', 1)).waitFor();
  }

  async #makeBot(): Promise<void> {
    const { navigation, bots, botStates, common, forms } = this.#texts;
    await this.#person.press(this.#menu(navigation.bots));
    await this.#person.press(this.#link(bots.new));
    await this.#heading(bots.chooseTitle);
    await this.#person.press(this.#page.getByRole('button', { name: beginning(this.#kinds.telegram) }));
    await this.#person.write(this.#field(common.name), 'Front desk');
    const field = (name: string) => this.#page.locator(`[data-field="adapter_config.${name}"] input`);
    await this.#person.write(field('token'), telegram.token);
    await this.#person.press(this.#page.getByText(forms.advanced, { exact: true }));
    await this.#person.write(field('api_base_url'), telegram.apiBaseUrl);
    await this.#person.press(this.#button(bots.test));
    await this.#page.getByText(fill(bots.testWorks, { account: '@parrot_bot' })).waitFor();
    await this.#person.press(this.#button(bots.create));
    await this.#heading('Front desk');
    await this.#page.getByText(botStates.running, { exact: true }).waitFor();
  }

  async #fillKnowledgeBase(): Promise<void> {
    const { navigation, knowledge, common } = this.#texts;
    await this.#person.press(this.#menu(navigation.knowledge));
    await this.#person.press(this.#link(knowledge.new));
    await this.#person.write(this.#field(common.name), 'Museum');
    await this.#person.press(this.#button(common.create));
    await this.#heading('Museum');
    const buffer = Buffer.from(handbook);
    const file = { name: 'handbook.md', mimeType: 'text/markdown', buffer };
    await this.#person.attach(this.#page.locator('input[type=file]'), file);
    const row = this.#page.getByRole('row').filter({ hasText: 'handbook.md' });
    await row.getByText(knowledge.stages.ready, { exact: true }).waitFor();
  }

  async #usePipelineWithBoth(): Promise<void> {
    const { navigation, pipelines, common } = this.#texts;
    await this.#person.press(this.#menu(navigation.pipelines));
    await this.#heading(pipelines.title);
    await this.#person.press(this.#page.getByRole('table').getByRole('link').first());
    const agent = (field: string) => this.#page.locator(`[data-field="config.ai.local-agent.${field}"]`);
    await this.#person.choose(agent('model').getByRole('combobox'), 'gpt-test');
    await this.#person.press(agent('knowledge-bases').getByRole('checkbox', { name: 'Museum' }));
    await this.#person.press(this.#button(pipelines.publish));
    await this.#page.getByText(pipelines.published).waitFor();
    await this.#page.getByText(common.unsaved).waitFor({ state: 'detached' });
  }

  async #askAndLookHowItWent(): Promise<void> {
    const { chat, explain } = this.#texts;
    const composer = this.#page.getByRole('textbox', { name: chat.placeholder });
    await this.#person.write(composer, 'When does the museum open?');
    await this.#page.keyboard.press('Enter');
    const answer = this.#page.locator('[data-role=assistant][data-streaming=false]');
    await answer.getByText('At nine [1].').waitFor();
    await answer.getByText('[1] handbook.md').waitFor();
    await this.#person.press(answer.getByRole('button', { name: explain.openNamed }));
    const panel = this.#page.getByRole('complementary', { name: explain.title });
    await panel.getByText(fill(explain.citedAs, { number: 1 })).waitFor();
    await panel.getByText('opens at nine in the morning').first().waitFor();
  }

  async #makeApiKey(): Promise<void> {
    const { navigation, apiKeys, common } = this.#texts;
    await this.#person.press(this.#menu(navigation.apiKeys));
    await this.#person.press(this.#link(apiKeys.new));
    await this.#person.write(this.#field(common.name), 'Reports');
    await this.#person.press(this.#button(apiKeys.create));
    await this.#heading(apiKeys.madeTitle);
    const key = (await this.#page.locator('[data-secret]').textContent()) ?? '';
    const answer = await fetch(`${service.address}/api/v1/platform/bots`, { headers: { 'x-api-key': key } });
    expect(answer.status).toBe(200);
    await this.#person.press(this.#link(apiKeys.done));
    await this.#page.getByRole('row').filter({ hasText: 'Reports' }).waitFor();
    expect(await this.#page.content()).not.toContain(key);
  }

  async #signOut(): Promise<void> {
    const { menu, signIn } = this.#texts;
    await this.#person.press(this.#button(menu.label));
    await this.#person.press(this.#button(menu.signOut));
    await this.#heading(signIn.title);
  }

  #heading(name: string): Promise<void> {
    return this.#page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
  }

  #menu(name: string): Locator {
    return this.#page.getByRole('navigation').getByRole('link', { name, exact: true });
  }

  #link(name: string): Locator {
    return this.#page.getByRole('link', { name, exact: true });
  }

  #button(name: string): Locator {
    return this.#page.getByRole('button', { name, exact: true });
  }

  #field(label: string): Locator {
    return this.#page.getByLabel(label, { exact: true });
  }
}
