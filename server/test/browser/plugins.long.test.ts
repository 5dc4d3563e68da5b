import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginManifest } from '@parley/sdk';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { newSigningKey, packageOf, pluginManifest, pluginPackage } from '../factories/plugin-package.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { installPlugin } from './install-plugin.ts';
import { confirmName, fill, moreActions } from './texts.ts';

// One visit: the tests are its steps and run in this order.
let visit: ConsoleVisit;
vi.setConfig({ testTimeout: 90_000 });

const texts = english.plugins;
const { may, points } = texts;

const moderator = `
export default {
  start: () => console.log('the moderator is ready'),
  listeners: {
    async received(event, { host, message }) {
      const { word } = await host.settings();
      await host.storage.add(message.sender_id, 1);
      console.log('the word is ' + word);
    },
    answer() {},
  },
  commands: { async count(invocation, { host, message }) { return String(await host.storage.get(message.sender_id)); } },
};
`;
const moderatorManifest = (more: Partial<PluginManifest> = {}) => ({
  id: 'example/moderator',
  version: '1.0.0',
  label: { en_US: 'Moderator', zh_Hans: '审核员', ja_JP: 'モデレーター' },
  description: { en_US: 'Counts the messages of each user.' },
  settings: {
    type: 'object' as const,
    properties: {
      word: { type: 'string' as const, default: 'spam', 'x-label': { en_US: 'Phrase to find' } },
      server: {
        type: 'string' as const,
        default: '',
        'x-address': true as const,
        'x-label': { en_US: 'Place of rates' },
      },
      key: { type: 'string' as const, default: '', 'x-secret': true as const, 'x-label': { en_US: 'Passphrase' } },
    },
  },
  contributes: {
    listeners: [{ point: 'received' as const }, { point: 'answer' as const }],
    commands: [{ name: 'count', description: 'Counts.' }],
  },
  permissions: { storage: true as const, fetch: ['api.example.com'] },
  ...more,
});
const first = packageOf(moderator, moderatorManifest());
const wantsMore = packageOf(
  moderator.replace('async count', 'async total'),
  moderatorManifest({
    version: '1.1.0',
    permissions: { storage: true, models: ['generate'], send: true },
    contributes: { listeners: [{ point: 'received' }], commands: [{ name: 'total', description: 'Counts.' }] },
  }),
);
const crashes = packageOf(
  "throw new Error('it cannot start');",
  moderatorManifest({
    version: '1.2.0',
    permissions: { storage: true },
    contributes: { listeners: [{ point: 'received' }] },
  }),
);

const page = () => visit.page;
const heading = (name: string) => page().getByRole('heading', { name });
const button = (name: string) => page().getByRole('button', { name, exact: true });
const choose = (buffer: Buffer, name = 'moderator.zip') =>
  page().locator('input[type=file]').setInputFiles({ name, mimeType: 'application/zip', buffer });

/** Drops a file on the page, as a person does from a folder. */
async function drop(buffer: Buffer, name: string): Promise<void> {
  const transfer = await page().evaluateHandle(
    ({ bytes, file }) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], file, { type: 'application/zip' }));
      return data;
    },
    { bytes: [...buffer], file: name },
  );
  await page().locator('[data-drop=package]').dispatchEvent('drop', { dataTransfer: transfer });
}

/** Installs a small plugin over the API, with consent. */
async function install({ id, label }: { id: string; label: string }): Promise<void> {
  const tool = `shout_${id.slice(-1)}`;
  const content = packageOf(`export default { tools: { ${tool}: () => 'A' } };`, {
    id,
    label: { en_US: label },
    contributes: { tools: [{ name: tool, description: 'Shouts.', parameters: { type: 'object' } }] },
  });
  await installPlugin(visit, content, { consents: true });
}

beforeAll(async () => {
  // Processes of plugins need the built program.
  await sharedResource('commandLine');
  visit = await visitConsole();
}, 180_000);
afterAll(() => visit?.close(), 60_000);

test('a package is dropped, its refusal names the entry, and a good one is consented to', async () => {
  await visit.open('/plugins');
  await page().getByText(texts.empty).waitFor();
  await page().getByText(texts.isolation.title).waitFor({ state: 'hidden' });
  await visit.look('plugins-empty');
  await page().getByRole('link', { name: texts.install }).first().click();
  await heading(texts.install).waitFor();
  await visit.look('plugins-install');
  await drop(pluginPackage({ more: [{ path: '../evil.js', content: 'x' }] }), 'evil.zip');
  await page()
    .getByText(fill(texts.refused, { file: 'evil.zip' }))
    .waitFor();
  await page().getByText('../evil.js').waitFor();
  await visit.look('plugins-refused');

  await drop(first, 'moderator.zip');
  await heading(texts.reviewTitle).waitFor();
  for (const text of [
    ...[may.see.received, may.see.answer, may.change.received, may.change.answer, may.other.storage],
    ...[
      'api.example.com',
      fill(may.reach.setting, { value: 'Place of rates' }),
      texts.stopsStreaming,
      texts.signature.none,
    ],
    ...['count', points.received],
  ]) {
    await page().getByText(text, { exact: true }).first().waitFor();
  }
  await page().getByText(texts.usesAll).first().waitFor();
  await visit.look('plugins-review');
  expect((await visit.call('GET', '/api/v1/plugins')).plugins).toEqual([]);
  await button(texts.consentAndInstall).click();
  await heading('Moderator').waitFor();
  await page().getByRole('status').getByText(texts.states.enabled, { exact: true }).waitFor();
  await page().getByText(texts.consentedBy.slice(0, 8)).waitFor();
  await visit.look('plugins-overview');
});

test('settings are edited by their schema, with a masked secret, and stay after a reload', async () => {
  await visit.open('/plugins/example/moderator?tab=settings');
  await page().getByLabel('Phrase to find').fill('eggs');
  await page().reload();
  await vi.waitFor(async () => expect(await page().getByLabel('Phrase to find').inputValue()).toBe('eggs'), 10_000);
  await page().getByLabel('Passphrase').fill('sk-0123456789abcdef');
  await visit.look('plugins-settings');
  await button(english.common.save).click();
  await page().getByText(english.common.saved, { exact: true }).waitFor();
  await page().reload();
  await page().getByLabel('Phrase to find').waitFor();
  expect(await page().getByLabel('Phrase to find').inputValue()).toBe('eggs');
  expect(await page().getByLabel('Passphrase').inputValue()).not.toContain('0123456789');
  const { config } = await visit.call('GET', '/api/v1/plugins/example/moderator/config');
  expect(config.word).toBe('eggs');
});

test('the operator chooses what happens on failure', async () => {
  await visit.open('/plugins/example/moderator?tab=access');
  await page().getByLabel(texts.onFailure).selectOption('stop');
  await button(english.common.save).click();
  await page().getByText(english.common.saved, { exact: true }).waitFor();
  const { details } = await visit.call('GET', '/api/v1/plugins/example/moderator');
  expect(details.on_failure).toBe('stop');
});

test('plugins are reordered by keys, from the menu and by dragging; the order is announced', async () => {
  await install({ id: 'example/a', label: 'Alpha' });
  await install({ id: 'example/b', label: 'Beta' });
  await visit.open('/plugins');
  const order = async () =>
    (await visit.call('GET', '/api/v1/plugins')).plugins.map(({ id }: { id: string }) => id.split('/')[1]);
  const handle = (label: string, position: number) =>
    page().getByRole('button', { name: fill(texts.handle, { name: label, position, count: 3 }) });
  const moved = (label: string, position: number) =>
    page()
      .getByText(fill(texts.moved, { name: label, position, count: 3 }))
      .waitFor();
  expect(await order()).toEqual(['moderator', 'a', 'b']);
  await handle('Moderator', 1).focus();
  await page().keyboard.press('ArrowDown');
  await moved('Moderator', 2);
  // The focus moves with the plugin.
  await page().keyboard.press('End');
  await moved('Moderator', 3);
  await expect.poll(order).toEqual(['a', 'b', 'moderator']);
  await button(moreActions('Beta')).click();
  await page().getByRole('menuitem', { name: texts.moveUp }).click();
  await expect.poll(order).toEqual(['b', 'a', 'moderator']);
  await visit.look('plugins-list');
  const from = await centerOf(handle('Moderator', 3));
  const to = await centerOf(handle('Beta', 1));
  await page().mouse.move(from.x, from.y);
  await page().mouse.down();
  await page().mouse.move(to.x, to.y, { steps: 8 });
  await page().mouse.up();
  await moved('Moderator', 1);
  await expect.poll(order).toEqual(['moderator', 'b', 'a']);
  await page().reload();
  await handle('Moderator', 1).waitFor();
});

test('an update that wants more waits with its differences, while the old version runs, until it is consented to', async () => {
  await visit.open('/plugins/install');
  await choose(wantsMore);
  await heading(texts.reviewTitle).waitFor();
  await page().getByText(texts.differences.permissionsAdded).waitFor();
  await visit.look('plugins-review-update');
  await button(texts.letUpdateWait).click();
  await heading('Moderator').waitFor();
  await page()
    .getByText(fill(texts.updateText, { from: '1.0.0', to: '1.1.0' }))
    .waitFor();
  for (const text of [
    may.spend.generate,
    may.change.send,
    fill(texts.differences.contribution, { kind: texts.kinds.commands, name: 'total' }),
    fill(texts.differences.contribution, { kind: texts.kinds.listeners, name: points.answer }),
  ]) {
    await page().getByText(text, { exact: true }).first().waitFor();
  }
  await visit.look('plugins-update-waits');
  const versions = async () => {
    const { details } = await visit.call('GET', '/api/v1/plugins/example/moderator');
    return [details.installed.version, details.update?.version ?? null];
  };
  expect(await versions()).toEqual(['1.0.0', '1.1.0']);
  await visit.open('/plugins');
  await page().getByText(texts.updateWaits).waitFor();
  await page().getByRole('link', { name: 'Moderator' }).click();
  await button(texts.consentAndUpdate).click();
  await page().getByText(texts.updateWaits).waitFor({ state: 'detached' });
  expect(await versions()).toEqual(['1.1.0', null]);
  // Models and bots are chosen where the update needs them.
  await page().getByRole('tab', { name: texts.access }).click();
  await page().getByText(texts.modelsText).waitFor();
  await page().getByText(texts.botsText).waitFor();
  await visit.look('plugins-access');
});

test('a version that crashes at its start is not installed, and the version before is kept and returned to', async () => {
  await visit.open('/plugins/install');
  await choose(crashes);
  await heading(texts.reviewTitle).waitFor();
  await button(texts.update).click();
  await page()
    .getByText(fill(texts.notInstalled, { name: 'Moderator' }))
    .waitFor();
  await page().getByText('it cannot start').first().waitFor();
  await page()
    .getByText(fill(texts.staysAt, { version: '1.1.0' }))
    .waitFor();
  await visit.look('plugins-start-failed');
  await visit.open('/plugins/example/moderator');
  await button(english.common.moreActions).click();
  await page()
    .getByRole('menuitem', { name: fill(texts.rollbackTo, { version: '1.0.0' }) })
    .click();
  await page().getByRole('dialog').getByRole('button', { name: texts.rollback, exact: true }).click();
  await page().getByRole('dialog').waitFor({ state: 'detached' });
  const { details } = await visit.call('GET', '/api/v1/plugins/example/moderator');
  expect([details.installed.version, details.previous.version]).toEqual(['1.0.0', '1.1.0']);
});

test('the log has what the plugin said, and a clash of names is shown', async () => {
  await visit.open('/plugins/example/moderator?tab=log');
  await page().getByText('the moderator is ready').first().waitFor();
  await visit.look('plugins-log');
  const twin = packageOf(moderator, moderatorManifest({ id: 'example/twin', label: { en_US: 'Twin' } }));
  await visit.open('/plugins/install');
  await choose(twin, 'twin.zip');
  await button(texts.consentAndInstall).click();
  await heading('Twin').waitFor();
  await page().getByText(texts.clashShort).waitFor();
  await visit.look('plugins-clash');
});

test('a package with another signer says so, and waits', async () => {
  await visit.open('/plugins/install');
  const files = { 'main.js': moderator };
  const { files: hashes } = pluginManifest(files);
  const { sdk } = pluginManifest();
  const manifest = { main: 'main.js', sdk, files: hashes, ...moderatorManifest({ version: '1.3.0' }) };
  await choose(pluginPackage({ files, manifest, signature: newSigningKey() }));
  await page().getByText(texts.signature.changed).waitFor();
  await visit.look('plugins-signer-changed');
  await button(english.common.cancel).click();
  await heading(texts.install).waitFor();
});

test('a plugin that a pipeline names cannot be uninstalled; afterwards nothing of it is left', async () => {
  const { uuid } = await visit.call('POST', '/api/v1/pipelines', {
    name: 'Support',
    extensions_preferences: { enable_all_plugins: false, plugins: [{ author: 'example', name: 'moderator' }] },
  });
  await visit.open(`/pipelines/${uuid}?tab=extensions`);
  await page().getByText(english.pipelines.allPlugins).waitFor();
  expect(await page().getByLabel('Moderator').isChecked()).toBe(true);
  await visit.look('plugins-of-pipeline');
  await visit.open('/plugins/example/moderator');
  const dialog = page().getByRole('dialog');
  await button(english.common.moreActions).click();
  await page().getByRole('menuitem', { name: texts.uninstall }).click();
  await dialog.getByRole('button', { name: texts.uninstall, exact: true }).click();
  await dialog.getByText('Support').waitFor();
  await visit.look('plugins-in-use');
  await dialog.getByRole('button', { name: english.common.cancel }).click();
  await visit.call('DELETE', `/api/v1/pipelines/${uuid}`);
  await button(english.common.moreActions).click();
  await page().getByRole('menuitem', { name: texts.uninstall }).click();
  await dialog.getByLabel(texts.deleteData).check();
  await dialog.getByLabel(confirmName('Moderator')).fill('Moderator');
  await dialog.getByRole('button', { name: texts.uninstall, exact: true }).click();
  await heading(texts.title).waitFor();
  await page().getByRole('link', { name: 'Moderator' }).waitFor({ state: 'detached' });
  const left = (await visit.call('GET', '/api/v1/plugins')).plugins.map(({ id }: { id: string }) => id);
  expect(left.sort()).toEqual(['example/a', 'example/b', 'example/twin']);
  const folder = join(visit.dataDir, 'plugins', 'example');
  // The files are removed once no record names them.
  await expect.poll(() => (existsSync(folder) ? readdirSync(folder).sort() : [])).toEqual(['a', 'b', 'twin']);
  expect(visit.complaints.filter((text) => !/status of (400|409|422)/.test(text))).toEqual([]);
});

async function centerOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
