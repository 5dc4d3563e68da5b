import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

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
const tab = (name: string) => visit.page.getByRole('tab', { name });

test('a base is made without any model', async () => {
  const { page } = visit;
  await visit.open('/knowledge');
  await page.getByText('No knowledge base yet').waitFor();
  await visit.look('knowledge-none');
  await page.getByRole('link', { name: 'New knowledge base' }).click();
  await page.getByLabel('Name').fill('Handbook');
  await page.getByLabel('Length of a chunk').fill('1');
  await page.getByRole('button', { name: 'Create' }).click();
  // What the server does not take is said at the field, and what was typed is still there.
  await vi.waitFor(async () => {
    expect(await page.getByLabel('Length of a chunk').getAttribute('aria-invalid')).toBe('true');
  }, patience);
  await visit.look('knowledge-new');
  await page.getByLabel('Length of a chunk').fill('1000');
  await page.getByRole('button', { name: 'Create' }).click();
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
  await page.getByText('larger than 10 MB').waitFor();
  await page.getByRole('button', { name: 'Add all the same' }).waitFor();
  await row('office.md').getByText('Ready').waitFor();
  await row(hostile).getByText('Ready').waitFor();
  await row('broken.pdf').getByText('The file is damaged').waitFor();
  await visit.look('knowledge-documents');
  await page.getByRole('button', { name: 'Dismiss large.txt' }).click();
  await page.getByRole('button', { name: 'Dismiss again.md' }).click();
  const broken = async () => {
    const { files: all } = await visit.call('GET', `/api/v1/knowledge/bases/${base}/files`);
    return all.find(({ file_name }: { file_name: string }) => file_name === 'broken.pdf');
  };
  const before = await broken();
  await page.getByRole('button', { name: 'Try again: broken.pdf' }).click();
  await vi.waitFor(async () => {
    const after = await broken();
    expect(after.stage).toBe('failed');
    expect(after.finished_at).not.toBe(before.finished_at);
  }, patience);
  await page.getByLabel('Search by name').fill('OFFICE');
  await page.getByText('1 of 3 documents').waitFor();
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
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('office.md');
  await page.getByRole('link', { name: 'Handbook' }).click();
});

test('the playground finds the right document and says why', async () => {
  const { page } = visit;
  await tab('Playground').click();
  await page.getByLabel('Question', { exact: true }).fill('Who has the keys?');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  const first = page.getByRole('article', { name: 'Passage 1' });
  await first.getByRole('link', { name: 'office.md' }).waitFor();
  expect(await first.locator('mark').allTextContents()).toEqual(['keys']);
  await first.getByText('By words').waitFor();
  await visit.look('knowledge-playground');
  await first.getByRole('button', { name: 'Make a golden question' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('The question was added.').waitFor();
});

test('golden questions are written, imported and asked, and the report says how it went', async () => {
  const { page } = visit;
  await tab('Golden questions').click();
  await page.getByRole('button', { name: 'New question' }).click();
  await page.getByLabel('Question', { exact: true }).fill('When?');
  await page.getByLabel('Document 1').selectOption('office.md');
  await visit.look('knowledge-question');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Import' }).click();
  const pasted = page.getByLabel('Questions', { exact: true });
  await pasted.fill(`{"question": "singing whale", "file_name": ${JSON.stringify(hostile)}}\n{oh`);
  await page.getByText('Line 2: This is not valid JSON.').waitFor();
  await visit.look('knowledge-import');
  await pasted.fill(`question,file_name\nsinging whale,"${hostile}"`);
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await page.getByRole('heading', { name: '2 questions' }).waitFor();
  for (const runs of [1, 2]) {
    await page.getByRole('button', { name: 'Run now' }).click();
    await vi.waitFor(async () => {
      const { evaluations } = await visit.call('GET', `/api/v1/knowledge/bases/${base}/evaluations`);
      expect(evaluations.filter(({ state }: { state: string }) => state === 'finished')).toHaveLength(runs);
    }, patience);
    await page.getByRole('heading', { name: 'Report' }).waitFor();
  }
  await page.getByText('hit@1', { exact: true }).first().waitFor();
  await page.getByText('singing whale').first().click();
  await page.getByText('What the figures mean').click();
  await page.locator('.recharts-surface').first().waitFor();
  await visit.look('knowledge-questions');
  expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
});

test('other ways of storing are announced, and one that finds less waits for a decision', async () => {
  const { page } = visit;
  await tab('Settings').click();
  await page.getByLabel('Language', { exact: true }).selectOption('none');
  await page.getByText('Saving stores all 3 documents anew').waitFor();
  await visit.look('knowledge-settings');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'The new collection finds less' }).waitFor();
  await page.getByText('English → None or another one').waitFor();
  await page.getByRole('cell', { name: '-0.500' }).first().waitFor();
  await visit.look('knowledge-waiting');
  await page.getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('heading', { name: 'The new collection finds less' }).waitFor({ state: 'detached' });
  await vi.waitFor(async () => {
    expect(await page.getByLabel('Language', { exact: true }).inputValue()).toBe('none');
  }, patience);
});

test('a document and a base are removed', async () => {
  const { page } = visit;
  await tab('Documents').click();
  await page.getByRole('button', { name: 'More actions: broken.pdf' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row('broken.pdf').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Knowledge' }).first().click();
  await row('Handbook').waitFor();
  await visit.look('knowledge-list');
  await page.getByRole('button', { name: 'More actions: Handbook' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByLabel('Type “Handbook” to confirm.').fill('Handbook');
  await page.getByRole('button', { name: 'Delete knowledge base' }).click();
  await page.getByText('No knowledge base yet').waitFor();
  // What the server refused on purpose above is the only thing that the browser complains about.
  expect(visit.complaints.filter((line) => !/status of (400|409)/.test(line))).toEqual([]);
});
