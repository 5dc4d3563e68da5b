import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { linesAt, makePdf } from '../../src/parsers/pdf/testing/make-pdf.ts';
import { promptPassages } from '../../src/runners/local-agent/testing/knowledge-questions.ts';
import { type ApiClient, apiClient, defaults } from '../end-to-end/api-client.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { accessibilityFaults } from './accessibility-tree.ts';
import { beginSession } from './begin-session.ts';
import { launchBrowser } from './browser.ts';
import { fill } from './texts.ts';

// One conversation: the tests below are the steps of one visit and run in this order.
let service: TestService;
let model: FakeOpenAi;
let api: ApiClient;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let base = '';
let pipeline = '';
/** Folder for screenshots. */
const pictures = process.env.TEST_PICTURES;
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };
const week = 8 * 24 * 3_600_000;
/** The lines of the cited words: at 60 of 595 points, their baselines from 400 of 842 points on. */
const cited = {
  x: 60,
  y: 400,
  lines: ['The drill must cool down for 30 minutes after', 'two hours of continuous use.'],
};
const quote = 'cool down for 30 minutes after two hours of continuous use';
const manual = makePdf([
  linesAt(60, 90, ['K-900 manual', 'This manual describes the drill and its parts.'], 13),
  [
    ...linesAt(60, 90, ['Cooling', 'The motor of the drill becomes hot when it is used for long.'], 13),
    ...linesAt(60, 240, ['Never cover the vents of the motor while it is running.'], 13),
    ...linesAt(cited.x, cited.y, cited.lines, 13),
    ...linesAt(60, 560, ['Store the drill in a dry place when it is cold again.'], 13),
  ],
]);
const warranty = '# Warranty\n\nThe warranty of the drill covers two years from the day of purchase.\n';

vi.setConfig({ testTimeout: 60_000 });

beforeAll(async () => {
  await sharedResource('console');
  model = await startFakeOpenAi();
  service = await startTestService();
  api = apiClient(service.address, service.account.token);
  ({ pipeline } = await defaults(api));
  const { uuid } = await api.data('POST', '/provider/models/llm', {
    name: 'Large',
    provider: { requester: 'openai-chat-completions', base_url: model.base_url, api_keys: [] },
  });
  base = (
    await api.data('POST', '/knowledge/bases', { name: 'Manuals', knowledge_engine_plugin_id: 'parley/built-in' })
  ).uuid;
  await attach('K-900 manual.pdf', new Uint8Array(manual));
  await attach('warranty.md', warranty);
  await configure({ model: { primary: uuid, fallbacks: [] }, 'knowledge-bases': [base] });
  model.behave((index) => {
    const told = (model.requests[index]?.body?.messages ?? []) as { role: string; content: string }[];
    const shown = promptPassages(told.findLast(({ role }) => role === 'user')?.content ?? '');
    const numberOf = (text: string) => shown.find((passage) => passage.text.includes(text))?.number;
    const cooling = `[${numberOf('30 minutes')}: "${quote}"]`;
    const years = `[${numberOf('two years')}: "covers two years"]`;
    return {
      kind: 'answer',
      chunks: ['Let it rest for half an hour ', cooling, '. It has a warranty ', years, '.', ' See `list[1]`.'],
    };
  });
  browser = await launchBrowser();
  context = await browser.newContext({ viewport: wide, colorScheme: 'light', locale: 'en-US' });
  context.setDefaultTimeout(15_000);
  await beginSession(context, service.address, service.account.token);
  page = await context.newPage();
}, 120_000);

afterAll(async () => {
  vi.useRealTimers();
  await browser?.close();
  await service?.stop();
  await model?.close();
}, 30_000);

async function configure(fields: object) {
  const { config } = (await api.data('GET', `/pipelines/${pipeline}`)).pipeline;
  Object.assign(config.ai['local-agent'], fields);
  await api.data('PUT', `/pipelines/${pipeline}`, { config });
}

async function attach(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const { body } = await api.upload(name, content);
  const { files } = await api.data('POST', `/knowledge/bases/${base}/files`, { file_id: body.data.file_id });
  const path = `/knowledge/bases/${base}/files/${files[0].uuid}`;
  const isReady = async () => expect((await api.data('GET', path)).file.status).toBe('completed');
  await vi.waitFor(isReady, { timeout: 30_000, interval: 50 });
  return files[0].uuid;
}

async function remove(document: string) {
  await api.data('DELETE', `/knowledge/bases/${base}/files/${document}`);
}

const drawer = () => page.getByRole('dialog', { name: english.citations.title });
const marks = (name: string) => drawer().locator(`[data-mark=${name}]`);
const number = (one: number, within: Page | Locator = page) =>
  within.getByRole('button', { name: `[${one}]`, exact: true }).first();
const open = async (path: string) => {
  await page.goto(service.address + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
};

async function ask(): Promise<void> {
  const composer = page.getByPlaceholder(english.chat.placeholder);
  await composer.fill('How long must the drill cool down after two hours, and its warranty?');
  await composer.press('Enter');
}

/** The drawer shows the cited words in the text, and marks them where they are on the page. */
async function expectCitedWords() {
  await expect.poll(() => drawer().locator('mark').allTextContents()).toEqual([quote]);
  await drawer().getByText('becomes hot when it is used').waitFor();
  const image = drawer().getByRole('img', {
    name: fill(english.citations.pageOf, { page: 2, document: 'K-900 manual.pdf' }),
  });
  await image.waitFor();
  await marks('quote').first().waitFor({ state: 'attached' });
  const place = await image.boundingBox();
  const areas = await marks('quote').evaluateAll((elements) =>
    elements.map(
      (element) => element.getBoundingClientRect().toJSON() as { x: number; y: number; width: number; height: number },
    ),
  );
  expect(areas).toHaveLength(2);
  if (place === null) return expect.unreachable();
  const points = areas.map(({ x, y, width, height }) => ({
    left: ((x - place.x) / place.width) * 595,
    right: ((x + width - place.x) / place.width) * 595,
    top: ((y - place.y) / place.height) * 842,
    bottom: ((y + height - place.y) / place.height) * 842,
  }));
  for (const [index, { top, bottom }] of points.entries()) {
    const baseline = cited.y + index * 13 * 1.2;
    expect(top).toBeGreaterThan(baseline - 16);
    expect(top).toBeLessThan(baseline - 6);
    expect(bottom).toBeGreaterThan(baseline - 2);
    expect(bottom).toBeLessThan(baseline + 7);
  }
  // The quote begins within the first line, and is all of the second.
  expect(points[0]?.left).toBeGreaterThan(cited.x + 70);
  expect(points[1]?.left).toBeLessThan(cited.x + 3);
}

/** Nothing sticks out to the side, and axe finds nothing, wide and narrow, light and dark. */
async function look(name: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const viewport of [wide, narrow]) {
      await page.setViewportSize(viewport);
      const { width } = (await drawer().boundingBox()) ?? { width: 0 };
      expect(width).toBe(viewport === narrow ? narrow.width : 672);
      if (pictures) await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-${viewport.width}.png`) });
    }
    await page.evaluate(axeSource);
    const { violations } = (await page.evaluate(() =>
      (window as unknown as { axe: typeof import('axe-core') }).axe.run('dialog', {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      }),
    )) as AxeResults;
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(' '))])).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  await page.setViewportSize(wide);
}

test('a number in an answer opens the right page with the words marked', async () => {
  await open('/chat');
  await ask();
  await page.getByRole('button', { name: '[1] K-900 manual.pdf' }).waitFor();
  // Numbers in code are none.
  expect(await page.locator('code').textContent()).toBe('list[1]');
  expect(await page.locator('code button').count()).toBe(0);
  const times = await page.evaluate(async () => {
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === '[1]');
    const started = performance.now();
    button?.focus();
    button?.click();
    const until = async (selector: string) => {
      while (document.querySelector(selector) === null) await new Promise(requestAnimationFrame);
      return performance.now() - started;
    };
    const shown = await until('dialog[open] mark');
    return { drawer: shown, picture: await until('dialog[open] img') };
  });
  // Far more than it takes: machines that run tests are busy.
  expect(times.drawer).toBeLessThan(2000);
  expect(times.picture).toBeLessThan(10_000);
  await expectCitedWords();
  await drawer().getByText(english.citations.why).waitFor();
  await drawer().getByRole('link', { name: english.citations.openDocument }).waitFor();
  await look('citation-chat');
});

test('the drawer is used by keyboard, and gives the focus back', async () => {
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => drawer().locator('mark').allTextContents()).toEqual(['covers two years']);
  expect(await drawer().getByRole('img').count()).toBe(0);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expectCitedWords();
  for (let steps = 0; steps < 12; steps += 1) {
    await page.keyboard.press('Tab');
    // The browser's own controls are the only other stop.
    const isInside = await page.evaluate(
      () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
    );
    expect(isInside).toBe(true);
  }
  await page.keyboard.press('Escape');
  await drawer().waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('[1]');
});

test('an answer that was loaded later, its list of sources and the chat of its pipeline open sources as well', async () => {
  await page.reload();
  await page.getByRole('button', { name: '[2] warranty.md' }).click();
  await expect.poll(() => drawer().locator('mark').allTextContents()).toEqual(['covers two years']);
  await drawer().getByRole('button', { name: english.citations.close }).click();
  await open(`/pipelines/${pipeline}?tab=chat&answers=published`);
  await ask();
  await number(1).click();
  await expectCitedWords();
  await page.keyboard.press('Escape');
});

test('the message page shows what was sent, and its sources open, as those of the trace do', async () => {
  const { messages } = await api.data('GET', '/messages?direction=outbound&limit=1');
  await open(`/messages/${messages[0].uuid}`);
  const texts = page.getByRole('list', { name: english.messages.story.texts });
  await texts.getByRole('button', { name: '[1] K-900 manual.pdf' }).click();
  await expectCitedWords();
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^K-900 manual\.pdf · / })
    .last()
    .click();
  await expectCitedWords();
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^warranty\.md · / })
    .first()
    .click();
  await drawer().getByText('from the day of purchase').waitFor();
  await page.keyboard.press('Escape');
});

test('the page of the conversation opens sources, too', async () => {
  const { messages } = await api.data('GET', '/messages?direction=outbound&limit=1');
  const { bot_uuid, session_type, session_id } = messages[0];
  await open(`/messages/conversation?bot=${bot_uuid}&session=${session_type}_${session_id}`);
  await number(1).click();
  await expectCitedWords();
  await page.keyboard.press('Escape');
});

test('the playground shows a passage in its document', async () => {
  await open(`/knowledge/${base}?tab=playground&q=cool%20down%2030%20minutes`);
  await page.getByRole('button', { name: english.knowledge.showPassage }).first().click();
  await drawer().getByRole('img').first().waitFor();
  await marks('passage').first().waitFor({ state: 'attached' });
  await drawer().getByText('cool down 30 minutes').waitFor();
  await page.keyboard.press('Escape');
});

test('a week later the message page opens the same words', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + week });
  const { user, password } = service.account;
  const { token } = await apiClient(service.address, '').data('POST', '/user/auth', { user, password });
  api = apiClient(service.address, token);
  await context.clearCookies();
  await beginSession(context, service.address, token);
  await context.clock.setSystemTime(Date.now());
  const { messages } = await api.data('GET', '/messages?direction=outbound&limit=1');
  await open(`/messages/${messages[0].uuid}`);
  await page
    .getByRole('list', { name: english.messages.story.texts })
    .getByRole('button', { name: '[1]', exact: true })
    .click();
  await expectCitedWords();
  await look('citation-later');
});

test('a document that was replaced or deleted meanwhile is said to be', async () => {
  const { files } = await api.data('GET', `/knowledge/bases/${base}/files`);
  const { uuid } = files.find(({ file_name }: { file_name: string }) => file_name === 'K-900 manual.pdf');
  await remove(uuid);
  const opened = page
    .getByRole('list', { name: english.messages.story.texts })
    .getByRole('button', { name: '[1]', exact: true });
  await page.reload();
  await opened.click();
  await drawer().getByText(english.citations.states.deleted).waitFor();
  expect(await drawer().locator('mark').allTextContents()).toEqual([quote]);
  expect(await drawer().getByRole('img').count()).toBe(0);
  expect(await drawer().getByRole('link').count()).toBe(0);
  await look('citation-deleted');
  const replacement = await attach(
    'K-900 manual.pdf',
    new Uint8Array(makePdf([linesAt(60, 90, ['The new manual of the drill.'])])),
  );
  await page.reload();
  await opened.click();
  await drawer().getByText(english.citations.states.replaced).waitFor();
  const link = drawer().getByRole('link', { name: english.citations.openReplacement });
  expect(await link.getAttribute('href')).toContain(replacement);
  await look('citation-replaced');
  await configure({ 'knowledge-bases': [] });
  await api.data('DELETE', `/knowledge/bases/${base}`);
  await page.reload();
  await opened.click();
  await drawer().getByText(english.citations.states.baseDeleted).waitFor();
});
