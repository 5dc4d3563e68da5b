import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { type FakeServer, refusal, startFakeServer } from '../../../testing/fake-server.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { english } from '../../../testing/texts.ts';

const texts = english.pluginPages;
const path = '/plugins/example/units/pages/table';
const frames = '/api/v1/plugins/{author}/{name}/pages/{page}/frames';
let server: FakeServer;

beforeEach(() => {
  server = startFakeServer();
  // Frames load nothing here, without a complaint.
  const { settings } = (window as unknown as { happyDOM: { settings: Record<string, boolean> } }).happyDOM;
  settings.handleDisabledFileLoadingAsSuccess = true;
});

/** A plugin with a page. */
function offer({ state = 'enabled', process = 'running' } = {}) {
  const details = { state, label: { en_US: 'Units' }, pages: [{ name: 'table', label: { en_US: 'Table' } }] };
  // Only what the page reads.
  server.on('get', '/api/v1/plugins/{author}/{name}', { plugin: {}, details } as never);
  server.on('get', '/api/v1/plugins/{author}/{name}/state', { process: { state: process }, schedules: [] } as never);
  server.on('post', frames, { path: '/plugin-pages/token/index.html', expires_at: '2026-11-28T00:00:00.000Z' });
}

it('shows a page in a frame that may run scripts and nothing else', async () => {
  offer();
  await openConsole(path, server);
  const frame = await screen.findByTitle<HTMLIFrameElement>('Units: Table');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Table');
  expect(new URL(frame.src).pathname).toBe('/plugin-pages/token/index.html');
  expect([frame.getAttribute('sandbox'), frame.getAttribute('allow')]).toEqual(['allow-scripts', '']);
  expect(screen.queryByText(texts.paused)).toBeNull();
});

it.each(['disabled', 'consent_required', 'damaged', 'fetching'] as const)(
  'says why a plugin that is %s has no page',
  async (state) => {
    offer({ state });
    await openConsole(path, server);
    await screen.findByText(texts.states[state]);
    expect(server.callsTo('post', '/api/v1/plugins/example/units/pages/table/frames')).toEqual([]);
  },
);

it('says that requests fail while the plugin is paused', async () => {
  offer({ process: 'paused' });
  await openConsole(path, server);
  await screen.findByText(texts.paused);
  await screen.findByTitle('Units: Table');
});

it('does not show a page that there is not', async () => {
  offer();
  await openConsole('/plugins/example/units/pages/other', server);
  await screen.findByText(english.common.notFound);
});

it('says why no frame was opened', async () => {
  offer();
  server.on('post', frames, refusal(409, 'plugin_not_running'));
  await openConsole(path, server);
  await screen.findByText(english.reasons.plugin_not_running);
});
