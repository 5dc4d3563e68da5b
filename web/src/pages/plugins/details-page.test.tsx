import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeLayout } from '../../../testing/fake-layout.ts';
import { type FakeServer, refusal, startFakeServer } from '../../../testing/fake-server.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { english, fill } from '../../../testing/texts.ts';
import type { Permission } from './plugin-queries.ts';

const texts = english.plugins;
const page = '/plugins/example/units';
const route = '/api/v1/plugins/{author}/{name}';
const digest = 'b'.repeat(64);
let server: FakeServer;

const reply: Permission = { kind: 'reply', value: '', text: 'Untranslated sentence.' };
const storage: Permission = { kind: 'storage', value: '', text: 'Untranslated sentence.' };
const version = (number: string, permissions: Permission[]) => ({
  version: number,
  digest,
  size: 100,
  signer: null,
  source: 'local' as const,
  installed_at: '2026-05-01T00:00:00Z',
  permissions,
  consent: { permissions, at: '2026-05-01T00:00:00Z', by: 'Ada' },
});
const label = { en_US: 'Unit converter' };
const manifest = {
  id: 'example/units',
  version: '1.0.0',
  label,
  description: label,
  contributes: { listeners: [{ point: 'received' }], pages: [{ name: 'panel', label, path: 'pages/index.html' }] },
  permissions: { send: true, models: ['generate'], knowledge: ['chosen'] },
};
const details = {
  id: 'example/units',
  state: 'enabled' as string,
  fault: null as string | null,
  position: 1,
  on_failure: 'pass',
  grants: { send: [], models: [], knowledge: ['gone'] },
  installed: version('1.0.0', [storage]),
  update: null as object | null,
  previous: version('0.9.0', [storage]),
  expected_signer: null,
  listeners: ['received'],
  pages: ['panel'],
};
const update = {
  ...version('2.0.0', [storage, reply]),
  consent: null,
  differences: {
    installed_version: '1.0.0',
    permissions: { added: [reply], removed: [storage] },
    contributions: { commands: { added: ['convert'], removed: [] } },
    settings: { added: ['unit'], removed: ['old'] },
    signer_changed: false,
    is_downgrade: false,
    is_same_version: false,
  },
};

/** @param more instead of what the details say */
function answer(more: Partial<typeof details> = {}, state: object = {}) {
  const shown = { ...details, ...more };
  server
    .on('get', route, {
      // Only what the page reads.
      plugin: { id: 'example/units', enabled: true, install_source: 'local', plugin_config: {} },
      details: shown,
      manifest,
      update_manifest: shown.update === null ? null : { ...manifest, version: '2.0.0' },
      form: [{ name: 'key', type: 'string', label: { en_US: 'Passphrase' }, required: false, secret: true }],
    } as never)
    .on('get', `${route}/state`, { process: null, clash: null, schedules: [], ...state } as never);
}

beforeEach(() => {
  server = startFakeServer()
    .on('get', '/api/v1/plugins', { plugins: [] })
    .on('get', '/api/v1/plugins/isolation', { setting: 'best', isolation: 'landlock', without_plugins: false })
    .on('get', '/api/v1/pipelines', { pipelines: [] });
  answer();
});

const button = (name: string) => screen.findByRole('button', { name });
async function choose(action: string) {
  await userEvent.click(await button(english.common.moreActions));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
  return within(await screen.findByRole('dialog'));
}

describe('an update that waits', () => {
  it('shows its differences, and is consented to by its digest', async () => {
    answer({ update });
    server.on('post', `${route}/consent`, {});
    await openConsole(page, server);
    const differences = (await screen.findByText(texts.differences.permissionsAdded)).closest('section');
    expect(differences?.textContent).toContain(texts.may.change.reply);
    for (const text of [
      fill(texts.differences.contribution, { kind: texts.kinds.commands, name: 'convert' }),
      fill(texts.differences.setting, { name: 'unit' }),
      fill(texts.differences.setting, { name: 'old' }),
      texts.differences.permissionsRemoved,
    ]) {
      screen.getByText(text);
    }
    await userEvent.click(await button(texts.consentAndUpdate));
    await waitFor(() =>
      expect(
        server.callsTo('post', `${page.replace('/plugins', '/api/v1/plugins')}/consent` as never)[0]?.body,
      ).toEqual({
        digest,
      }),
    );
  });

  it('that does not start says why, and which version stays', async () => {
    answer({ update });
    server.on('post', `${route}/consent`, refusal(502, 'plugin_crashed', { msg: 'it ended with code 3' }));
    await openConsole(page, server);
    await userEvent.click(await button(texts.consentAndUpdate));
    await screen.findByText(fill(texts.notStarted, { name: 'Unit converter', version: '2.0.0' }));
    screen.getByText('it ended with code 3');
    screen.getByText(fill(texts.staysAt, { version: '1.0.0' }));
  });
});

it('what is wrong with a plugin is shown above its tabs', async () => {
  const failure = { reason: 'plugin_crashed', message: 'it ended', at: '2026-05-01T00:00:00Z' };
  const process = { state: 'paused', calls: 1, failures: 1, crashes: 5, failure, memory_bytes: null, p95_ms: null };
  answer(
    { fault: 'main.js has another SHA-256', state: 'damaged' },
    { clash: 'the command "count" exists', process: { ...process, started_at: null, isolation: 'landlock' } },
  );
  await openConsole(page, server);
  await screen.findByText('main.js has another SHA-256');
  await screen.findByText('the command "count" exists');
  screen.getByText(texts.pausedTitle);
  screen.getByText(english.reasons.plugin_crashed);
});

it('files that are being fetched are no damage', async () => {
  answer({ fault: 'its files are being fetched from the file store', state: 'fetching' });
  await openConsole(page, server);
  await screen.findByText(texts.fetching);
  expect(screen.queryByText(texts.damaged)).toBeNull();
});

describe('uninstalling', () => {
  it('names what uses the plugin', async () => {
    const users = [{ path: 'pipelines/1', message: 'Support' }];
    server.on('delete', route, refusal(409, 'in_use', { details: users }));
    await openConsole(page, server);
    const dialog = await choose(texts.uninstall);
    await userEvent.click(dialog.getByRole('button', { name: texts.uninstall }));
    await dialog.findByText('Support');
    const [call] = server.callsTo('delete', '/api/v1/plugins/example/units' as never);
    expect(call?.query).toEqual({ delete_data: 'false' });
  });

  it('with data asks for the name, waits for its end and leaves the page', async () => {
    const task = { runtime: { done: true, exception: null, result: null }, task_context: { metadata: {} } };
    server.on('delete', route, { task_id: 3 }).on('get', '/api/v1/system/tasks/{id}', task as never);
    const { router } = await openConsole(page, server);
    const dialog = await choose(texts.uninstall);
    await userEvent.click(dialog.getByLabelText(texts.deleteData));
    const confirm = dialog.getByRole('button', { name: texts.uninstall });
    expect(confirm).toHaveProperty('disabled', true);
    await userEvent.type(
      dialog.getByLabelText(fill(english.common.confirmName, { name: 'Unit converter' })),
      'Unit converter',
    );
    await userEvent.click(confirm);
    await waitFor(() => expect(router.state.location.pathname).toBe('/plugins'));
    const [call] = server.callsTo('delete', '/api/v1/plugins/example/units' as never);
    expect(call?.query).toEqual({ delete_data: 'true' });
  });
});

it('bots with recipients, models and knowledge bases are chosen and stored; deleted ones are shown by their id', async () => {
  server
    .on('get', '/api/v1/platform/bots', { bots: [{ uuid: 'bot', name: 'Parrot' }] } as never)
    .on('get', '/api/v1/provider/models/llm', { models: [{ uuid: 'model', name: 'large' }] } as never)
    .on('get', '/api/v1/knowledge/bases', { bases: [] })
    .on('put', `${route}/grants`, {})
    .on('put', `${route}/on-failure`, {});
  await openConsole(`${page}?tab=access`, server);
  await userEvent.selectOptions(await screen.findByLabelText(texts.onFailure), 'stop');
  await userEvent.click(await screen.findByLabelText('Parrot'));
  await userEvent.type(screen.getByLabelText(texts.targets), 'group-1{Enter}user-2');
  await userEvent.click(await screen.findByLabelText('large'));
  await userEvent.click(await screen.findByLabelText('gone'));
  await userEvent.click(await button(english.common.save));
  const sent = (name: string) => server.callsTo('put', `/api/v1/plugins/example/units/${name}` as never)[0]?.body;
  await waitFor(() => expect(sent('on-failure')).toEqual({ on_failure: 'stop' }));
  expect(sent('grants')).toEqual({
    send: [{ bot_uuid: 'bot', targets: ['group-1', 'user-2'] }],
    models: ['model'],
    knowledge: [],
  });
});

it('members see what it may do, and neither its settings, its log nor what changes it', async () => {
  answer({ update });
  await openConsole(page, server, { role: 'member' });
  await screen.findByText(fill(texts.updateText, { from: '1.0.0', to: '2.0.0' }));
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([`${texts.update}2.0.0`, texts.overview]);
  expect(screen.queryByRole('button', { name: texts.consentAndUpdate })).toBeNull();
  expect(screen.queryByRole('switch')).toBeNull();
});

it('the log names the replica of each line where several wrote it, and says that one did not answer', async () => {
  fakeLayout({ row: 50, box: 500 });
  const at = '2026-05-01T00:00:00Z';
  const line = (replica: string) => ({ at, level: 'info' as const, text: `a line of ${replica}`, replica });
  const log = { lines: [line('one'), line('two')], unreachable_replicas: ['three'] };
  server.on('get', `${route}/logs`, log);
  await openConsole(`${page}?tab=log`, server);
  await screen.findByText(fill(texts.logMissing_one, { count: 1 }));
  for (const replica of ['one', 'two']) await screen.findByText(fill(texts.logReplica, { replica }));
});
