import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { counted, fill, moreActions } from './texts.ts';

// One base: the tests below are the steps of one visit and run in this order.
let visit: ConsoleVisit;
let base = '';
/** Of conditions that something in the background has to bring about. */
const patience = { timeout: 20_000, interval: 100 };
const hostile = '<img src=x onerror=window.attacked=1>.md';
const bytes = (name: string, text: string, mimeType = 'text/markdown') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
});

vi.setConfig({ testTimeout: 60_000 });

beforeAll(async () => {
  visit = await visitConsole();
}, 180_000);

afterAll(() => visit?.close(), 30_000);

const files = () => visit.page.locator('input[type=file]');
const row = (name: string) => visit.page.getByRole('row').filter({ hasText: name });
/** The control of a setting of the engine. */
const setting = (name: string) =>
  visit.page.locator(`[data-field="creation_settings.${name}"]`).locator('input, select');
const tab = (name: string) => visit.page.getByRole('tab', { name });

test('a base is made without any model', async () => {
  const { page } = visit;
  await visit.open('/knowledge');
  await page.getByText(english.knowledge.empty).waitFor();
  await visit.look('knowledge-none');
  await page.getByRole('link', { name: english.knowledge.new }).click();
  await page.getByLabel(english.common.name).fill('Handbook');
  await setting('chunk_size').fill('1');
  await page.getByRole('button', { name: english.common.create }).click();
  // What the server does not take is said at the field, and what was typed is still there.
  await vi.waitFor(async () => {
    expect(await setting('chunk_size').getAttribute('aria-invalid')).toBe('true');
  }, patience);
  await visit.look('knowledge-new');
  await setting('chunk_size').fill('1000');
  await page.getByRole('button', { name: english.common.create }).click();
  await page.getByRole('heading', { name: 'Handbook', level: 1 }).waitFor();
  base = new URL(page.url()).pathname.split('/').at(-1) ?? '';
});

test('files become documents, and one that fails says why and can be tried again', async () => {
  const { page } = visit;
  await files().setInputFiles([
    bytes('office.md', '# Hours\n\nThe office opens at nine. The keys are with the porter.\n'),
    bytes(hostile, '# Whales\n\nWhales sing below the ice.\n'),
    bytes('broken.pdf', '%PDF-1.7\nnothing', 'application/pdf'),
    bytes('large.txt', 'x'.repeat(10_485_761), 'text/plain'),
    bytes('again.md', '# Hours\n\nThe office opens at nine. The keys are with the porter.\n'),
  ]);
  await page.getByText(english.knowledge.fileTooLarge).waitFor();
  await page.getByRole('button', { name: english.knowledge.addAnyway }).waitFor();
  await row('office.md').getByText(english.knowledge.stages.ready).waitFor();
  await row(hostile).getByText(english.knowledge.stages.ready).waitFor();
  await row('broken.pdf').getByText(english.reasons.document_broken).waitFor();
  await visit.look('knowledge-documents');
  await page.getByRole('link', { name: 'office.md' }).first().waitFor();
  await page.getByRole('button', { name: english.knowledge.dismissAll }).click();
  await page.getByRole('list', { name: english.knowledge.uploads }).waitFor({ state: 'detached' });
  const broken = async () => {
    const { files: all } = await visit.call('GET', `/api/v1/knowledge/bases/${base}/files`);
    return all.find(({ file_name }: { file_name: string }) => file_name === 'broken.pdf');
  };
  const before = await broken();
  const failedAgain = async (earlier: { finished_at: string }) => {
    const after = await broken();
    expect(after.stage).toBe('failed');
    expect(after.finished_at).not.toBe(earlier.finished_at);
    return after;
  };
  await page.getByRole('button', { name: `${english.common.retry}: broken.pdf` }).click();
  const retried = await vi.waitFor(() => failedAgain(before), patience);
  // The same file again is another attempt, and no duplicate.
  await files().setInputFiles([bytes('broken.pdf', '%PDF-1.7\nnothing', 'application/pdf')]);
  await vi.waitFor(() => failedAgain(retried), patience);
  await page.getByRole('list', { name: english.knowledge.uploads }).waitFor({ state: 'detached' });
  await page.getByText(counted(english.lists, 'matches', 3)).waitFor();
  await page.getByLabel(english.knowledge.searchDocuments).fill('OFFICE');
  await page.getByText(counted(english.lists, 'matches', 1)).waitFor();
  expect(page.url()).toContain('name=OFFICE');
  expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
});

test('a document shows its facts and chunks, and is saved as it was', async () => {
  const { page } = visit;
  await page.getByRole('link', { name: 'office.md' }).click();
  await page.getByRole('heading', { name: 'office.md', level: 1 }).waitFor();
  await page.getByText('The keys are with the porter.').waitFor();
  await visit.look('knowledge-document');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: english.common.download }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('office.md');
  await page.getByRole('link', { name: 'Handbook' }).click();
});

test('the playground finds the right document and says why', async () => {
  const { page } = visit;
  await tab(english.knowledge.tabs.playground).click();
  await page.getByLabel(english.knowledge.question, { exact: true }).fill('Who has the keys?');
  await page.getByRole('button', { name: english.knowledge.find, exact: true }).click();
  const first = page.getByRole('article', { name: fill(english.knowledge.passage, { rank: 1 }) });
  await first.getByRole('link', { name: 'office.md' }).waitFor();
  expect(await first.locator('mark').allTextContents()).toEqual(['keys']);
  await first.getByText(english.knowledge.scores.keyword).waitFor();
  await visit.look('knowledge-playground');
  await first.getByRole('button', { name: english.knowledge.expectThis }).click();
  await page.getByRole('dialog').getByRole('button', { name: english.common.add, exact: true }).click();
  await page.getByText(english.knowledge.questionAdded).waitFor();
});

test('on a phone the results are in view once they are there', async () => {
  const { page } = visit;
  // The settings are unfolded above the results, as the page was opened on a wide screen.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByLabel(english.knowledge.question, { exact: true }).fill('Is the office open at nine?');
  await page.getByRole('button', { name: english.knowledge.find, exact: true }).click();
  const first = page.getByRole('article', { name: fill(english.knowledge.passage, { rank: 1 }) });
  await first.getByRole('link', { name: 'office.md' }).waitFor();
  await expect.poll(async () => (await first.boundingBox())?.y).toBeLessThan(844 - 100);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('golden questions are written, imported and asked, and the report says how it went', async () => {
  const { page } = visit;
  await tab(english.knowledge.tabs.questions).click();
  await page.getByRole('button', { name: english.knowledge.newQuestion }).click();
  await page.getByLabel(english.knowledge.question, { exact: true }).fill('When?');
  await page.getByLabel(`${english.knowledge.document} 1`).selectOption('office.md');
  await visit.look('knowledge-question');
  await page.getByRole('button', { name: english.common.cancel }).click();
  await page.getByRole('button', { name: english.knowledge.import }).click();
  const pasted = page.getByLabel(english.knowledge.importField, { exact: true });
  await pasted.fill(`{"question": "singing whale", "file_name": ${JSON.stringify(hostile)}}\n{oh`);
  await page
    .getByText(fill(english.knowledge.lineFault, { line: 2, fault: english.knowledge.lineFaults.notJson }))
    .waitFor();
  await visit.look('knowledge-import');
  await pasted.fill(`question,file_name\nsinging whale,"${hostile}"`);
  await page.getByRole('dialog').getByRole('button', { name: english.knowledge.import }).click();
  await page.getByRole('heading', { name: counted(english.knowledge, 'questionCount', 2) }).waitFor();
  for (const runs of [1, 2]) {
    await page.getByRole('button', { name: english.knowledge.run }).click();
    await vi.waitFor(async () => {
      const { evaluations } = await visit.call('GET', `/api/v1/knowledge/bases/${base}/evaluations`);
      expect(evaluations.filter(({ state }: { state: string }) => state === 'finished')).toHaveLength(runs);
    }, patience);
    await page.getByRole('heading', { name: english.knowledge.report }).waitFor();
  }
  await page.getByText(english.knowledge.figures.hit_at_1, { exact: true }).first().waitFor();
  await page.getByText('singing whale').first().click();
  await page.getByText(english.knowledge.meanings).click();
  await page.locator('.recharts-surface').first().waitFor();
  await visit.look('knowledge-questions');
  expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
});

test('other ways of storing are announced, and one that finds less waits for a decision', async () => {
  const { page } = visit;
  await tab(english.knowledge.tabs.settings).click();
  const language = setting('language');
  const nameOf = (value: string) => language.locator(`option[value=${value}]`).innerText();
  const change = { from: await nameOf('english'), to: await nameOf('none') };
  await language.selectOption('none');
  await page.getByText(counted(english.knowledge, 'rebuildNotice', 3)).waitFor();
  await visit.look('knowledge-settings');
  await page.getByRole('button', { name: english.common.save }).click();
  await page.getByRole('heading', { name: english.knowledge.waiting }).waitFor();
  await page.getByText(fill(english.knowledge.fromTo, change)).waitFor();
  await page.getByRole('cell', { name: '-0.500' }).first().waitFor();
  await visit.look('knowledge-waiting');
  await page.getByRole('button', { name: english.knowledge.activate }).click();
  await page.getByRole('heading', { name: english.knowledge.waiting }).waitFor({ state: 'detached' });
  await vi.waitFor(async () => {
    expect(await language.inputValue()).toBe('none');
  }, patience);
});

test('a document and a base are removed', async () => {
  const { page } = visit;
  await tab(english.knowledge.tabs.documents).click();
  await page.getByRole('button', { name: moreActions('broken.pdf') }).click();
  await page.getByRole('menuitem', { name: english.common.remove }).click();
  await row('broken.pdf').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: english.navigation.knowledge }).first().click();
  await row('Handbook').waitFor();
  await visit.look('knowledge-list');
  await page.getByRole('button', { name: moreActions('Handbook') }).click();
  await page.getByRole('menuitem', { name: english.common.delete }).click();
  await page.getByText(english.knowledge.empty).waitFor();
  await expect
    .poll(async () => (await visit.call('GET', '/api/v1/knowledge/bases')).bases, { timeout: 20_000 })
    .toEqual([]);
  // What the server refused on purpose above is the only thing that the browser complains about.
  expect(visit.complaints.filter((line) => !/status of (400|409)/.test(line))).toEqual([]);
});
