import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { openChat } from '../end-to-end/api-client.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

const hostile = 'Look <img src=x onerror="window.attacked=1"> [go](javascript:alert(1)) <script>attacked()</script>';
const many = 10_000;

let visit: ConsoleVisit;
vi.setConfig({ testTimeout: 60_000 });
beforeAll(async () => {
  visit = await visitConsole();
}, 120_000);
afterAll(() => visit?.close(), 30_000);

const rows = () => visit.page.getByRole('list', { name: english.messages.list.label }).getByRole('listitem');
const search = () => new URL(visit.page.url()).searchParams;

/** Says things to the bot that every installation has, and waits for its answers. */
async function say(...texts: string[]) {
  const { bots } = await visit.call('GET', '/api/v1/platform/bots');
  const chat = await openChat(visit.address, {
    pipeline: bots[0].use_pipeline_uuid,
    headers: { authorization: `Bearer ${visit.token}` },
  });
  for (const text of texts) {
    chat.say(text);
    await chat.answer(text.slice(0, 20));
  }
  await chat.close();
}

test('empty lists say so, with a first step', async () => {
  await visit.open('/messages');
  await visit.page.getByRole('heading', { name: english.messages.list.empty }).waitFor();
  await visit.look('messages-empty');
});

test('messages appear as they come, and are found by text, state and direction', async () => {
  await say('Where is the harbour?', hostile);
  await expect.poll(() => rows().count()).toBe(4);
  await visit.page.getByLabel(english.messages.filters.text).fill('HARBOUR');
  await expect.poll(() => rows().count()).toBe(2);
  expect(search().get('text')).toBe('HARBOUR');
  await visit.page.getByLabel(english.messages.filters.state).selectOption('answered');
  await expect.poll(() => rows().count()).toBe(1);
  await visit.page.getByRole('button', { name: english.messages.filters.more }).click();
  await visit.page.getByLabel(english.messages.filters.direction).selectOption('outbound');
  await visit.page.getByRole('heading', { name: english.messages.list.nothing }).waitFor();
  // A link to what is looked at shows the same.
  await visit.page.reload();
  await visit.page.getByRole('heading', { name: english.messages.list.nothing }).waitFor();
  await visit.page.getByRole('button', { name: english.messages.filters.clear }).click();
  await expect.poll(() => rows().count()).toBe(4);
  await visit.look('messages');
});

test('a message is reached and opened by keyboard alone, tells its story, and one comes back to it', async () => {
  await visit.open('/messages?text=harbour&direction=inbound');
  await rows().getByText('Where is the harbour?').waitFor();
  await visit.page.getByRole('button', { name: english.messages.filters.clear }).focus();
  const focused = () => visit.page.evaluate(() => document.activeElement?.getAttribute('href') ?? '');
  for (let steps = 0; steps < 20 && !(await focused()).includes('/messages/'); steps += 1) {
    await visit.page.keyboard.press('Tab');
  }
  const address = await focused();
  await visit.page.keyboard.press('Enter');
  await visit.page.getByRole('heading', { name: english.messages.story.way }).waitFor();
  await visit.page.getByRole('heading', { name: english.explain.way }).waitFor();
  await visit.page.locator('.markdown strong').first().waitFor();
  await visit.look('message');
  await visit.page.getByRole('button', { name: english.messages.feedback.bad }).click();
  await visit.page.getByText(english.messages.opinions.dislike).waitFor();
  await visit.page.getByRole('link', { name: english.messages.title, exact: true }).last().click();
  await rows().getByText('Where is the harbour?').waitFor();
  expect(search().get('text')).toBe('harbour');
  expect(await focused()).toBe(address);
});

test('a conversation is read in order, and markup in it is shown, not obeyed', async () => {
  await visit.open('/messages?tab=conversations');
  await visit.page.getByRole('table', { name: english.messages.tabs.conversations }).getByRole('link').first().click();
  const said = visit.page.getByRole('list', { name: english.messages.tabs.messages }).locator('> li');
  await visit.page.getByText('<script>attacked()</script>').first().waitFor();
  const texts = await said.allTextContents();
  expect(texts).toHaveLength(4);
  expect(texts[0]).toContain('Where is the harbour?');
  expect(texts[2]).toContain('<script>attacked()</script>');
  expect(await said.first().isVisible()).toBe(true);
  expect(await visit.page.locator('main img, main script').count()).toBe(0);
  expect(await visit.page.evaluate(() => 'attacked' in window)).toBe(false);
  expect(await visit.page.locator('a[href^="javascript"]').count()).toBe(0);
  await visit.look('conversation');
});

test('errors and feedback are listed and lead to their messages', async () => {
  await visit.open('/messages?tab=errors');
  await visit.page.getByRole('heading', { name: english.messages.errors.empty }).waitFor();
  await visit.page.getByRole('tab', { name: english.messages.tabs.feedback }).click();
  await visit.page
    .getByRole('table', { name: english.messages.tabs.feedback })
    .getByText(english.messages.opinions.dislike)
    .waitFor();
  await visit.look('messages-feedback');
  await visit.page.getByLabel(english.messages.filters.opinion).selectOption('like');
  await visit.page.getByRole('heading', { name: english.messages.list.nothing }).waitFor();
  await visit.page.getByRole('tab', { name: english.messages.tabs.conversations }).click();
  await visit.page.getByRole('table', { name: english.messages.tabs.conversations }).waitFor();
  await visit.look('messages-conversations');
});

test('what is looked at is saved as a file', async () => {
  await visit.open('/messages');
  await visit.page.getByRole('button', { name: english.messages.export.open }).click();
  await visit.look('messages-export');
  const [download] = await Promise.all([
    visit.page.waitForEvent('download'),
    visit.page.getByRole('button', { name: english.common.download }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('parley-messages.csv');
  const table = await textOf(await download.createReadStream());
  expect(table.split('\n')[0]).toContain('message_text');
  expect(table).toContain('Where is the harbour?');
  await visit.page.getByRole('dialog').waitFor({ state: 'hidden' });
});

test('of ten thousand messages only those in view are drawn', async () => {
  const { messages } = await visit.call('GET', '/api/v1/messages?limit=1');
  await visit.page.route('**/api/v1/messages?*', (route) =>
    route.fulfill({
      json: {
        code: 0,
        msg: 'ok',
        data: {
          messages: Array.from({ length: many }, (_, index) => ({
            ...messages[0],
            uuid: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
            text: `Note ${index}`,
          })),
          next_cursor: null,
        },
      },
    }),
  );
  await visit.open('/messages');
  await rows().first().waitFor();
  expect(await rows().count()).toBeLessThan(60);
  const box = visit.page.getByRole('list', { name: english.messages.list.label }).locator('..');
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect
    .poll(async () => {
      await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return rows()
        .getByText(`Note ${many - 1}`, { exact: true })
        .count();
    })
    .toBe(1);
  expect(await rows().count()).toBeLessThan(60);
  await visit.page.unroute('**/api/v1/messages?*');
});

test('the browser had nothing to complain about', () => {
  expect(visit.complaints).toEqual([]);
});
