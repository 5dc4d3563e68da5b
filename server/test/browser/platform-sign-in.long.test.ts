import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { obtainedSecret } from '../fakes/sign-in-platform/index.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { beginning, fill } from './texts.ts';

vi.setConfig({ testTimeout: 90_000 });

const extension = fileURLToPath(new URL('../fakes/sign-in-platform', import.meta.url));
const texts = english.bots;

// One visit: the tests below are its steps and run in this order.
let visit: ConsoleVisit;
beforeAll(async () => {
  visit = await visitConsole({ environment: { PARLEY_EXTENSIONS: extension } });
}, 180_000);
afterAll(() => visit?.close());

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const domain = () => visit.page.locator('[data-field="adapter_config.domain"] input');

test('a sign-in shows a code that is drawn here, and can be cancelled', async () => {
  const { page } = visit;
  await visit.open('/bots/new');
  await page.getByRole('button', { name: beginning('Linen') }).click();
  await page.getByText('Make an app in the console of Linen.').waitFor();
  await button('Sign in with Linen').click();
  await page.getByRole('img', { name: texts.signInCode }).waitFor();
  await visit.look('bots-sign-in');
  await button(english.common.cancel).click();
  await button('Sign in with Linen').waitFor();
});

test('its secret reaches the bot and never the page; findings lead to their field', async () => {
  const { page } = visit;
  const seen: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/api/')) seen.push(await response.text().catch(() => ''));
  });
  await page.getByText(english.forms.advanced, { exact: true }).click();
  await domain().fill('goes-on.example.com');
  await button('Sign in with Linen').click();
  await page.getByText(texts.signInStates.done).waitFor();
  await page.getByText(english.forms.advanced, { exact: true }).click();
  await button(texts.test).click();
  await page.getByText(fill(texts.testFinds, { account: 'obtained' })).waitFor();
  await visit.look('bots-findings');
  await button(fill(texts.findingField, { field: 'Domain' })).click();
  await expect.poll(() => domain().evaluate((input) => input === document.activeElement)).toBe(true);
  await button(texts.create).click();
  await page.getByTitle('obtained', { exact: true }).waitFor();
  await page.getByText(texts.webhook, { exact: true }).waitFor();
  await visit.look('bots-signed-in');
  expect(seen.some((text) => text.includes('app-1'))).toBe(true);
  expect(seen.join(' ')).not.toContain(obtainedSecret);
  expect(visit.complaints).toEqual([]);
});
