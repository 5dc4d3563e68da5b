import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { notesPlugin } from '../factories/notes-plugin.ts';
import { accessibilityFaults } from './accessibility-tree.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { installPlugin } from './install-plugin.ts';

vi.setConfig({ testTimeout: 60_000 });

const path = '/plugins/example/notebook/pages/notes';
const api = '/api/v1/plugins/example/notebook';
const texts = english.pluginPages;

let visit: ConsoleVisit;
let iframe: Locator;
let notes: FrameLocator;

beforeAll(async () => {
  visit = await visitConsole();
  await installPlugin(visit, notesPlugin());
  iframe = visit.page.locator('iframe');
  notes = visit.page.frameLocator('iframe');
}, 120_000);
afterAll(async () => {
  await visit?.close();
}, 30_000);

/** Opens the page and waits until it has what it asked its plugin for. */
async function open(): Promise<void> {
  await visit.open(path);
  await notes.getByText('The notes are here').waitFor();
}

const lines = async (): Promise<string[]> => {
  const { lines: all } = await visit.call('GET', `${api}/logs`);
  return all.map(({ text }: { text: string }) => text);
};

test('a page calls its plugin, and looks as the console does', async () => {
  const { page } = visit;
  await open();
  expect(await iframe.getAttribute('title')).toBe('Notebook: Notes');
  expect(await page.title()).toContain('Notes');
  await notes.getByLabel('Note').fill('Buy milk');
  await notes.getByRole('button', { name: 'Keep it' }).click();
  await notes.getByRole('listitem').getByText('Buy milk').waitFor();
  await notes.getByRole('button', { name: 'Fail' }).click();
  await notes.getByText('PluginPageError conflict: The note is taken').waitFor();
  await visit.look('plugin-page');
  expect(await accessibilityFaults(page)).toEqual([]);

  const root = notes.locator('html');
  expect([await root.getAttribute('data-theme'), await root.getAttribute('lang')]).toEqual(['light', 'en']);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => root.getAttribute('data-theme')).toBe('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: english.menu.label }).click();
  await page.getByText('简体中文').click();
  await expect.poll(() => root.getAttribute('lang')).toBe('zh-Hans');
  await page.getByText('English', { exact: true }).click();
  await page.keyboard.press('Escape');
  const { process } = await visit.call('GET', `${api}/state`);
  expect(process).toMatchObject({ state: 'running', failures: 1 });
});

test('the keyboard gets into a page, out of it, and past it', async () => {
  const { page } = visit;
  await open();
  const skip = page.getByRole('button', { name: texts.skip });
  await skip.focus();
  await page.keyboard.press('Tab');
  await expect.poll(() => notes.getByLabel('Note').evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => skip.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  const end = page.getByText(texts.origin);
  await expect.poll(() => end.evaluate((text) => text === document.activeElement)).toBe(true);
});

test('leaving a page cancels its calls in the plugin', async () => {
  const { page } = visit;
  await open();
  await notes.getByRole('button', { name: 'Wait' }).click();
  await expect.poll(lines).toContain('waiting');
  await page.getByRole('link', { name: english.navigation.dashboard, exact: true }).first().click();
  await expect.poll(lines).toContain('cancelled');
});

test('a page of a plugin that cannot run says why', async () => {
  const { page } = visit;
  await visit.call('PUT', `${api}/enabled`, { enabled: false });
  await visit.open(path);
  await page.getByText(texts.states.disabled).waitFor();
  await visit.look('plugin-page-disabled');
  expect(await iframe.count()).toBe(0);
  await visit.call('PUT', `${api}/enabled`, { enabled: true });
});

test('the calls of a page end with the sign-in', async () => {
  const { page } = visit;
  await open();
  const address = await iframe.getAttribute('src');
  const statusOf = async () => (await fetch(address ?? '')).status;
  expect(await statusOf()).toBe(200);
  const { process: before } = await visit.call('GET', `${api}/state`);
  // Elsewhere, so that this tab finds out by itself.
  const { sessions } = await visit.call('GET', '/api/v1/user/sessions');
  const others = sessions.filter(({ current }: { current: boolean }) => !current);
  for (const { uuid } of others) await visit.call('DELETE', `/api/v1/user/sessions/${uuid}`);
  await notes.getByRole('button', { name: 'Keep it' }).click();
  await page.getByText(texts.ends.signedOut).waitFor();
  expect([await iframe.count(), await statusOf()]).toEqual([0, 404]);
  const { process: after } = await visit.call('GET', `${api}/state`);
  expect(after.calls).toBe(before.calls);
});

test('the browser complains of what it does not know, and of nothing else', () => {
  // The last is of axe, which looks for itself in frames.
  const known = /directive 'webrtc'|status of (401|409|502)|^Failed to execute 'postMessage'/;
  const other = visit.complaints.filter((text) => !known.test(text));
  expect(other).toEqual([]);
});
