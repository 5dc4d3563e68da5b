import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { packPlugin } from '../../src/plugin-toolkit/pack-plugin.ts';
import { pluginProcessesOf } from '../factories/plugin-processes.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { confirmName } from './texts.ts';

// One visit: the tests are its steps and run in this order.
vi.setConfig({ testTimeout: 90_000 });

const examples = fileURLToPath(new URL('../../../examples/plugins', import.meta.url));
const labels = {
  'unit-converter': 'Unit converter',
  moderator: 'Moderator',
  'calendar-parser': 'Calendar parser',
  'http-engine': 'HTTP search',
};
const texts = english.plugins;

let visit: ConsoleVisit;
beforeAll(async () => {
  await sharedResource('commandLine');
  visit = await visitConsole();
}, 180_000);
afterAll(() => visit?.close(), 60_000);

const page = () => visit.page;
const button = (name: string) => page().getByRole('button', { name, exact: true });
const heading = (name: string) => page().getByRole('heading', { name, level: 1 });
const ask = async (text: string, answer: string) => {
  await visit.open('/chat');
  const composer = page().getByRole('textbox', { name: english.chat.placeholder });
  await composer.fill(text);
  await composer.press('Enter');
  await page().locator('[data-role=assistant]').getByText(answer).last().waitFor();
};

test.each(Object.entries(labels))('the example %s is installed with consent', async (name, label) => {
  const { bytes } = await packPlugin(join(examples, name));
  await visit.open('/plugins/install');
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer: Buffer.from(bytes) };
  await page().locator('input[type=file]').setInputFiles(file);
  await page().getByRole('heading', { name: texts.reviewTitle }).waitFor();
  await button(texts.consentAndInstall).click();
  await heading(label).waitFor();
  await page().getByRole('status').getByText(texts.states.enabled, { exact: true }).waitFor();
});

test('the unit converter answers its command in the chat', async () => {
  await ask('!convert 1 km m', '1 km = 1000 m');
});

test('a word that is added on the page of the moderator is not let through', async () => {
  await visit.open('/plugins/example/moderator');
  await page().locator('a[href$="/pages/words"]').click();
  const words = page().frameLocator('iframe');
  const word = words.locator('#word');
  // Its script has asked for the list.
  await words.locator('#status').filter({ hasText: /./ }).waitFor();
  await word.fill('Grumpy');
  await word.press('Enter');
  await words.getByRole('cell', { name: 'grumpy', exact: true }).waitFor();
  await word.fill('spam');
  await words.locator('#add').click();
  await words.getByRole('cell', { name: 'spam', exact: true }).waitFor();
  await visit.look('plugin-moderator');
  await ask('What a grumpy bear', 'This message has a word that is not allowed here.');
  await visit.open('/plugins/example/moderator/pages/words');
  await words.getByRole('row', { name: /grumpy 1/ }).waitFor();
  await words.getByRole('row', { name: /spam/ }).getByRole('button').click();
  await words.getByRole('cell', { name: 'spam', exact: true }).waitFor({ state: 'detached' });
});

test('the engine and the parser are offered for knowledge', async () => {
  await visit.open('/knowledge/new');
  await page().getByText(labels['http-engine']).first().waitFor();
  const { parsers } = await visit.call('GET', '/api/v1/knowledge/parsers');
  expect(parsers.map(({ plugin_id }: { plugin_id: string }) => plugin_id)).toContain('example/calendar-parser');
});

test('nothing is left once all are uninstalled', async () => {
  const dialog = page().getByRole('dialog');
  for (const [name, label] of Object.entries(labels)) {
    await visit.open(`/plugins/example/${name}`);
    await button(english.common.moreActions).click();
    await page().getByRole('menuitem', { name: texts.uninstall }).click();
    await dialog.getByLabel(texts.deleteData).check();
    await dialog.getByLabel(confirmName(label)).fill(label);
    await dialog.getByRole('button', { name: texts.uninstall, exact: true }).click();
    await heading(texts.title).waitFor();
    await page().getByRole('link', { name: label }).waitFor({ state: 'detached' });
  }
  const folder = join(visit.dataDir, 'plugins', 'example');
  const left = () => [existsSync(folder) ? readdirSync(folder) : [], pluginProcessesOf(visit.dataDir)];
  await expect.poll(left).toEqual([[], []]);
  expect((await visit.call('GET', '/api/v1/plugins')).plugins).toEqual([]);
});
