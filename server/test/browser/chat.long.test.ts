import { afterAll, beforeAll, expect, test } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

let visit: ConsoleVisit;
beforeAll(async () => {
  visit = await visitConsole();
}, 120_000);
afterAll(() => visit?.close(), 30_000);

test('the chat stands beside the menu, which opens over it on a phone', async () => {
  await visit.open('/chat');
  await visit.look('chat');
  await visit.page.setViewportSize({ width: 390, height: 844 });
  await visit.page.getByRole('button', { name: english.navigation.open }).click();
  await visit.page.getByRole('navigation', { name: english.navigation.label }).waitFor();
  await visit.page.keyboard.press('Escape');
  await visit.page.getByRole('navigation', { name: english.navigation.label }).waitFor({ state: 'hidden' });
  expect(visit.complaints).toEqual([]);
});
