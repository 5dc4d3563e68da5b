import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, refusal, startFakeServer } from '../../../testing/fake-server.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { english, fill, moreActions } from '../../../testing/texts.ts';
import { fileSize } from '../../lib/file-size.ts';
import type { ListedPlugin, PluginProcess } from './plugin-queries.ts';

const texts = english.plugins;
let server: FakeServer;
/** Ids in the order of the server. */
let stored: string[];

const running: PluginProcess = {
  state: 'running',
  isolation: 'landlock',
  memory_bytes: 12_582_912,
  started_at: '2026-05-01T00:00:00Z',
  calls: 1234,
  failures: 3,
  crashes: 0,
  p95_ms: 4.2,
  late_responses: 0,
  failure: null,
};

const plugin = (id: string, more: Partial<ListedPlugin> = {}) =>
  // Only what the page reads.
  ({
    id,
    state: 'enabled',
    enabled: true,
    version: '1.0.0',
    label: { en_US: `Sample ${id}` },
    contributions: { tools: ['a', 'b'], listeners: ['received'] },
    update_version: null,
    process: running,
    clash: null,
    ...more,
  }) as unknown as ListedPlugin;

function answer(more: Record<string, Partial<ListedPlugin>> = {}) {
  server.on('get', '/api/v1/plugins', () => ({ plugins: stored.map((id) => plugin(id, more[id])) }) as never);
}

beforeEach(() => {
  stored = ['e/a', 'e/b', 'e/c'];
  server = startFakeServer()
    .on('get', '/api/v1/plugins/isolation', { setting: 'best', isolation: 'landlock', without_plugins: false })
    .on('put', '/api/v1/plugins/order', ({ body }) => {
      stored = (body as { order: string[] }).order;
      return {};
    });
  answer();
});

const handle = (id: string, position: number) =>
  screen.findByRole('button', { name: fill(texts.handle, { name: `Sample ${id}`, position, count: 3 }) });
const orders = () =>
  server.callsTo('put', '/api/v1/plugins/order').map(({ body }) => (body as { order: string[] }).order);
const shown = () =>
  within(screen.getByRole('list', { name: texts.title }))
    .getAllByRole('link')
    .map((link) => link.textContent);

describe('the order of plugins', () => {
  it('changes with keys, which stores and announces it; the focus stays at the plugin', async () => {
    await openConsole('/plugins', server);
    (await handle('e/a', 1)).focus();
    await userEvent.keyboard('{ArrowDown}');
    await screen.findByText(fill(texts.moved, { name: 'Sample e/a', position: 2, count: 3 }));
    expect(document.activeElement).toBe(await handle('e/a', 2));
    await userEvent.keyboard('{End}');
    await waitFor(() =>
      expect(orders()).toEqual([
        ['e/b', 'e/a', 'e/c'],
        ['e/b', 'e/c', 'e/a'],
      ]),
    );
    expect(shown()).toEqual(['Sample e/b', 'Sample e/c', 'Sample e/a']);
    // It is the last one.
    await userEvent.keyboard('{ArrowDown}');
    expect(orders()).toHaveLength(2);
  });

  it('changes from the menu, and returns to what is stored when the server refuses', async () => {
    server.on('put', '/api/v1/plugins/order', refusal(400, 'invalid_request'));
    await openConsole('/plugins', server);
    await userEvent.click(await screen.findByRole('button', { name: moreActions('Sample e/b') }));
    await userEvent.click(await screen.findByRole('menuitem', { name: texts.moveUp }));
    await waitFor(() => expect(orders()).toEqual([['e/b', 'e/a', 'e/c']]));
    await waitFor(() => expect(shown()).toEqual(['Sample e/a', 'Sample e/b', 'Sample e/c']));
  });
});

describe('a plugin in the list', () => {
  it('has its figures, and says what is wrong with it', async () => {
    answer({
      'e/a': { process: { ...running, state: 'paused' } },
      'e/b': { update_version: '2.0.0', clash: 'the command "count" exists' },
      'e/c': { state: 'consent_required', enabled: false, process: null },
    });
    await openConsole('/plugins', server);
    await screen.findByText('Sample e/a');
    const [first, second, third] = screen
      .getAllByRole('listitem')
      .filter((item) => /Sample e/.test(item.textContent ?? ''));
    if (!first || !second || !third) throw new Error('there are three');
    within(first).getByText(texts.paused);
    within(first).getByText(fileSize(12_582_912, 'en'));
    within(first).getByText('1,234');
    within(second).getByText(texts.updateWaits);
    within(second).getByText(texts.clashShort);
    within(third).getByText(texts.states.consent_required);
    expect(within(third).getByRole('switch')).toHaveProperty('disabled', true);
  });

  it('is enabled and disabled there', async () => {
    server.on('put', '/api/v1/plugins/{author}/{name}/enabled', {});
    await openConsole('/plugins', server);
    await userEvent.click(await screen.findByRole('switch', { name: fill(texts.enable, { name: 'Sample e/b' }) }));
    const [call] = server.callsTo('put', '/api/v1/plugins/e/b/enabled' as never);
    expect(call?.body).toEqual({ enabled: false });
  });

  it('members see it, and can change nothing', async () => {
    await openConsole('/plugins', server, { role: 'member' });
    await screen.findByText('Sample e/a');
    for (const role of ['button', 'switch']) {
      expect(within(screen.getByRole('list', { name: texts.title })).queryAllByRole(role)).toEqual([]);
    }
    expect(screen.queryByRole('link', { name: texts.install })).toBeNull();
  });
});

describe('the isolation in force', () => {
  it.each([
    ['landlock', { setting: 'best', isolation: 'landlock', without_plugins: false }, texts.isolation.landlock],
    [
      'one wall',
      { setting: 'best', isolation: 'permission-model', without_plugins: false },
      texts.isolation['permission-model'],
    ],
    ['none that is required', { setting: 'kernel', isolation: null, without_plugins: false }, texts.isolation.missing],
    ['no plugins', { setting: 'best', isolation: 'landlock', without_plugins: true }, texts.isolation.off],
  ] as const)('%s', async (_, isolation, text) => {
    server.on('get', '/api/v1/plugins/isolation', isolation);
    await openConsole('/plugins', server);
    const [beginning = ''] = text.split('`');
    await screen.findByText(
      (_content, element) => element?.tagName !== 'BODY' && element?.textContent === text.replaceAll('`', ''),
      {
        selector: 'p, [role=status] > div, [role=alert] > div',
      },
    );
    expect(beginning).not.toBe('');
  });
});
