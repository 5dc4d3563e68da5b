import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { accessibilityFaults } from './accessibility-tree.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

const { chat: words } = english;

let visit: ConsoleVisit;
let model: FakeOpenAi;
let pipeline: string;
beforeAll(async () => {
  model = await startFakeOpenAi();
  visit = await visitConsole();
  const { uuid } = await visit.call('POST', '/api/v1/provider/providers', {
    name: 'Fake',
    requester: 'openai-chat-completions',
    base_url: model.base_url,
    api_keys: ['sk-0123456789abcdefghij'],
  });
  await visit.call('POST', '/api/v1/provider/models/llm', {
    name: 'large',
    provider_uuid: uuid,
    abilities: ['vision'],
  });
  const { pipelines } = await visit.call('GET', '/api/v1/pipelines');
  pipeline = pipelines[0].uuid;
}, 120_000);
afterAll(async () => {
  await visit?.close();
  await model?.close();
}, 30_000);
beforeEach(() => model.behave((index) => ({ kind: 'answer', chunks: [`Answer ${index}.`] })));

/** A PNG of one pixel. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const composer = () => visit.page.getByRole('textbox', { name: words.placeholder });
const answers = () => visit.page.locator('[data-role=assistant][data-streaming=false]:visible');
const questions = () => visit.page.locator('[data-role=user]:visible');
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const list = () => visit.page.getByRole('navigation', { name: words.conversations });
const ask = async (text: string) => {
  await composer().fill(text);
  await composer().press('Enter');
};
const textsForModel = () =>
  ((model.requests.at(-1)?.body?.messages ?? []) as { content: string }[]).slice(1).map(({ content }) => content);

test('the chat stands beside the menu, which opens over it on a phone', async () => {
  await visit.open('/chat');
  await visit.look('chat');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  await visit.page.setViewportSize({ width: 390, height: 844 });
  await visit.page.getByRole('button', { name: english.navigation.open }).click();
  await visit.page.getByRole('navigation', { name: english.navigation.label }).waitFor();
  await visit.page.keyboard.press('Escape');
  await visit.page.getByRole('navigation', { name: english.navigation.label }).waitFor({ state: 'hidden' });
  await visit.page.setViewportSize({ width: 1440, height: 900 });
  expect(visit.complaints).toEqual([]);
});

test('an answer is stopped by keyboard; its start stays, also after a reload, and the next message goes through', async () => {
  model.behave({ kind: 'stall', chunks: ['Once upon a time'] });
  await ask('Tell me a story');
  await visit.page.getByText('Once upon a time').waitFor();
  await visit.page.keyboard.press('Tab');
  expect(await button(words.stop).evaluate((element) => element === document.activeElement)).toBe(true);
  await visit.page.keyboard.press('Enter');
  await model.requests.at(-1)?.closed;
  await answers().getByText(words.stopped).waitFor();
  await button(words.stop).waitFor({ state: 'detached' });
  expect(await composer().evaluate((element) => element === document.activeElement)).toBe(true);
  await visit.look('chat-stopped');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  await visit.page.reload();
  await answers().getByText(words.stopped).waitFor();
  model.behave({ kind: 'answer', chunks: ['Here I am.'] });
  await ask('Are you there?');
  await answers().getByText('Here I am.').waitFor();
});

test('an answer that was not begun is stopped after a reload', async () => {
  model.behave({ kind: 'stall' });
  await ask('Still thinking?');
  await visit.page.reload();
  await button(words.stop).click();
  await questions().getByText(words.stopped).last().waitFor();
  await button(words.stop).waitFor({ state: 'detached' });
});

test('an answer is written again, and a question changed, without what they replace', async () => {
  await button(english.clear.open).click();
  await visit.page.getByRole('heading', { name: words.emptyTitle }).waitFor();
  await ask('first');
  await answers().nth(0).waitFor();
  await ask('second');
  await answers().nth(1).waitFor();
  const before = await answers().nth(1).innerText();
  await button(words.regenerate).click();
  await expect.poll(() => answers().nth(1).innerText()).not.toBe(before);
  expect(textsForModel()).toEqual(['first', expect.any(String), 'second']);
  await visit.page.getByText(words.replaced_other.replace('{{count}}', '2')).waitFor();

  await questions().first().hover();
  await button(words.editNamed.replace('{{text}}', 'first')).click();
  const editor = visit.page.getByRole('textbox', { name: words.editQuestion });
  expect(await editor.evaluate((element) => element === document.activeElement)).toBe(true);
  await visit.page.keyboard.press('Escape');
  await editor.waitFor({ state: 'detached' });
  await button(words.editNamed.replace('{{text}}', 'first')).click();
  await editor.fill('first, better');
  await visit.page.reload();
  await expect.poll(() => editor.inputValue()).toBe('first, better');
  await visit.look('chat-edit');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  await editor.press('Enter');
  await expect.poll(textsForModel).toEqual(['first, better']);
  await expect.poll(() => questions().count()).toBe(1);
  await visit.page.locator('summary').click();
  await visit.page.getByText('second', { exact: true }).first().waitFor();
  await visit.look('chat-replaced');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  await visit.page.reload();
  await questions().getByText('first, better').waitFor();
  expect(await questions().count()).toBe(1);
});

test('math, tables and code are drawn, and read to screen readers without marks', async () => {
  const answer = [
    'The **area** is \\(\\pi r^2\\) for $5:',
    '\\[\\sum_{i=1}^n i = \\frac{n(n+1)}{2}\\]',
    '| Plan | Price |\n|---|---|\n| *small* | 5 |',
    '```js\nconst price = `$a$`;\n```',
  ].join('\n\n');
  model.behave({ kind: 'answer', chunks: [answer] });
  await visit.page.goto(`${visit.network.address}/chat?pipeline=${pipeline}&conversation=${newUuid()}`);
  await ask('Show me everything');
  await answers().locator('math[display=block]').waitFor();
  expect(await answers().locator('math').count()).toBe(2);
  expect(await answers().locator('td').allInnerTexts()).toEqual(['small', '5']);
  await answers().getByRole('button', { name: words.copyCode }).waitFor();
  const status = visit.page.getByRole('status').filter({ hasText: 'Plan, Price' });
  expect(await status.innerText()).toContain('The area is');
  expect(await status.innerText()).not.toContain('**');
  await visit.look('chat-math');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  const { conversations } = await visit.call('GET', '/api/v1/chat/conversations');
  await visit.call('DELETE', `/api/v1/chat/conversations/${conversations[0].uuid}`);
});

test('conversations are listed, found, renamed, deleted and brought back', async () => {
  await visit.open('/chat');
  await list().getByRole('link', { name: 'first', exact: true }).click();
  await questions().getByText('first, better').waitFor();
  const address = visit.page.url();
  await list().getByRole('link', { name: 'Tell me a story' }).click();
  await answers().getByText('Here I am.').waitFor();
  await visit.page.goBack();
  await questions().getByText('first, better').waitFor();
  expect(visit.page.url()).toBe(address);

  const search = visit.page.getByRole('searchbox', { name: words.searchConversations });
  await search.fill('HERE I AM');
  await expect.poll(() => list().getByRole('link').allInnerTexts()).toEqual(['Tell me a story']);
  await search.fill('nowhere');
  await visit.page.getByText(words.noConversationsFound).waitFor();
  await search.fill('');
  await expect.poll(() => list().getByRole('link').count()).toBe(2);

  await button(`${english.common.moreActions}: first`).click();
  await visit.page.getByRole('menuitem', { name: words.rename }).click();
  const title = visit.page.getByRole('textbox', { name: words.conversationTitle });
  await title.fill('<b>Plans</b>');
  await visit.page.reload();
  await button(`${english.common.moreActions}: first`).click();
  await visit.page.getByRole('menuitem', { name: words.rename }).click();
  expect(await title.inputValue()).toBe('<b>Plans</b>');
  await title.press('Enter');
  await list().getByRole('link', { name: '<b>Plans</b>' }).waitFor();
  await visit.look('chat-conversations');
  expect(await accessibilityFaults(visit.page)).toEqual([]);

  await button(`${english.common.moreActions}: <b>Plans</b>`).click();
  await visit.page.getByRole('menuitem', { name: english.common.delete }).click();
  await visit.page.getByRole('heading', { name: words.emptyTitle }).waitFor();
  await expect.poll(() => list().getByRole('link').count()).toBe(1);
  await button(english.lists.undo).click();
  await list().getByRole('link', { name: '<b>Plans</b>' }).click();
  await questions().getByText('first, better').waitFor();
});

test('the pipeline is chosen, shown and kept, and unsent text moves along', async () => {
  const { uuid } = await visit.call('POST', '/api/v1/pipelines', { name: 'Second desk' });
  await visit.open('/chat');
  const choice = visit.page.getByRole('combobox', { name: words.pipeline });
  await composer().fill('not sent yet');
  await choice.selectOption({ label: 'Second desk' });
  await visit.page.waitForURL(`**/chat?pipeline=${uuid}&conversation=*`);
  await expect.poll(() => composer().inputValue()).toBe('not sent yet');
  await composer().press('Enter');
  await questions().getByText('not sent yet').waitFor();
  await list().getByText('Second desk').waitFor();
  await visit.look('chat-pipelines');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  await visit.open('/bots');
  await visit.open('/chat');
  await questions().getByText('not sent yet').waitFor();
  expect(await choice.inputValue()).toBe(uuid);
});

test('tests in the editor are no part of the chat', async () => {
  await visit.open(`/chat?pipeline=${pipeline}&conversation=default`);
  await answers().getByText('Here I am.').waitFor();
  await visit.open(`/pipelines/${pipeline}?tab=chat&answers=published`);
  await composer().waitFor();
  await ask('only a test');
  await questions().getByText('only a test').waitFor();
  await visit.open(`/chat?pipeline=${pipeline}&conversation=default`);
  await answers().getByText('Here I am.').waitFor();
  expect(await questions().getByText('only a test').count()).toBe(0);
  expect(await list().getByText('only a test').count()).toBe(0);
});

test('files are attached by picker, paste and drop, shown with errors, sent, and kept over a reload', async () => {
  await button(english.clear.open).click();
  await composer().waitFor();
  const picker = visit.page.locator('input[type=file]');
  const chosen = visit.page.getByRole('list', { name: words.attachments }).first();
  await picker.setInputFiles([
    { name: 'notes <b>.txt', mimeType: 'text/plain', buffer: Buffer.from('The word is heron.') },
    { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(onePixel, 'base64') },
    { name: 'tool.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from([0x4d, 0x5a, 0, 1, 2, 0]) },
  ]);
  await chosen.locator('li[data-failed=true]', { hasText: 'tool.exe' }).getByRole('alert').waitFor();
  await composer().fill('What is the word?');
  expect(await button(words.send).getAttribute('aria-disabled')).toBe('true');
  await visit.look('chat-files');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  await button(words.removeNamed.replace('{{text}}', 'tool.exe')).click();
  await visit.page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['pasted'], 'pasted.txt', { type: 'text/plain' }));
    const area = document.querySelector('textarea');
    area?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    const dropped = new DataTransfer();
    dropped.items.add(new File(['dropped'], 'dropped.md'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
  });
  await expect.poll(() => chosen.getByRole('listitem').count()).toBe(4);
  await expect.poll(() => button(words.send).getAttribute('aria-disabled')).toBe('false');
  await visit.page.reload();
  await expect.poll(() => chosen.getByRole('listitem').count()).toBe(4);
  await button(words.send).click();
  await answers().first().waitFor();
  const asked = JSON.stringify(model.requests.at(-1)?.body);
  for (const text of ['The word is heron.', 'pasted', 'dropped']) expect(asked).toContain(text);
  await questions().getByText('notes <b>.txt').waitFor();
  await expect
    .poll(() =>
      questions()
        .locator('img')
        .evaluate((one: HTMLImageElement) => one.naturalWidth),
    )
    .toBe(1);
  await visit.page.reload();
  await questions().getByText('dropped.md').waitFor();
  expect(await chosen.getByRole('button').count()).toBe(0);
  await visit.look('chat-sent-files');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  await picker.setInputFiles(
    Array.from({ length: 11 }, (_, index) => ({ name: `${index}.txt`, mimeType: '', buffer: Buffer.from('x') })),
  );
  await visit.page.getByText(words.tooManyFiles_other.replace('{{count}}', '10')).waitFor();
  for (let index = 0; index < 10; index += 1) {
    await button(words.removeNamed.replace('{{text}}', `${index}.txt`)).click();
  }
  // What the browser logs of the refused file.
  visit.complaints.splice(0);
});

test('an answer is disliked with a reason', async () => {
  await button(words.like).click();
  await expect.poll(() => button(words.like).getAttribute('aria-pressed')).toBe('true');
  await button(words.dislike).click();
  const dialog = visit.page.getByRole('dialog', { name: words.feedbackTitle });
  const comment = dialog.getByRole('textbox', { name: words.feedbackComment });
  await dialog.getByRole('checkbox', { name: words.reasons.wrong }).check();
  await comment.fill('It is a crane.');
  await visit.page.reload();
  await button(words.dislike).click();
  expect(await comment.inputValue()).toBe('It is a crane.');
  expect(await dialog.getByRole('checkbox', { name: words.reasons.wrong }).isChecked()).toBe(true);
  await visit.look('chat-feedback');
  expect(await accessibilityFaults(visit.page)).toEqual([]);
  await dialog.getByRole('button', { name: words.feedbackSend }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await button(words.dislike).getAttribute('aria-pressed')).toBe('true');
  await visit.page.reload();
  await expect.poll(() => button(words.dislike).getAttribute('aria-pressed')).toBe('true');
  const { feedback } = await visit.call('GET', '/api/v1/monitoring/feedback');
  expect(feedback).toMatchObject([{ feedback_type: 2, feedback_content: 'It is a crane.' }]);
});

test('on a phone the list is a drawer', async () => {
  await visit.page.setViewportSize({ width: 390, height: 844 });
  await button(words.openConversations).click();
  await visit.page.getByRole('dialog', { name: words.conversations }).waitFor();
  await visit.page.getByRole('dialog').getByRole('link', { name: '<b>Plans</b>' }).click();
  await visit.page.getByRole('dialog').waitFor({ state: 'detached' });
  await questions().getByText('first, better').waitFor();
  await visit.page.setViewportSize({ width: 1440, height: 900 });
  expect(visit.complaints).toEqual([]);
});

test('the input stays in view while the server is unreachable', async () => {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await visit.page.setViewportSize(viewport);
    visit.network.break();
    await visit.page.getByText(english.common.lost).waitFor({ timeout: 30_000 });
    const box = await visit.page.locator('form:has(textarea)').boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(viewport.height);
    expect(await visit.page.evaluate(() => document.documentElement.scrollHeight)).toBe(viewport.height);
    visit.network.mend();
    await visit.page.getByText(english.common.lost).waitFor({ state: 'detached', timeout: 30_000 });
  }
  await visit.page.setViewportSize({ width: 1440, height: 900 });
}, 120_000);
