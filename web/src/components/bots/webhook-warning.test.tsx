import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type FakeServer, startFakeServer } from '../../../testing/fake-server.ts';
import { renderInConsole } from '../../../testing/render.tsx';
import { english } from '../../../testing/texts.ts';
import type { Adapter } from './bot-queries.ts';
import { WebhookWarning } from './webhook-warning.tsx';

const field = {
  name: 'enable-webhook',
  label: { en_US: 'By webhook' },
  type: 'boolean',
  required: true,
  default: false,
};
const adapter: Adapter = {
  name: 'fake',
  label: { en_US: 'Fake' },
  description: { en_US: 'Fake' },
  icon: 'fake.svg',
  spec: { categories: [], help_links: {}, setup_steps: [], config: [field], testable: false },
};
// Shown as text and as code.
const [before = ''] = english.bots.webhookNeedsPublic.split('`');

async function shown(config: Record<string, unknown>, address: string | null): Promise<FakeServer> {
  const server = startFakeServer();
  // Nothing else of the server matters here.
  server.on('get', '/api/v1/system/info', { public_url: address } as never);
  await renderInConsole(<WebhookWarning adapter={adapter} config={config} />);
  await waitFor(() => expect(server.callsTo('get', '/api/v1/system/info')).toHaveLength(1));
  return server;
}

it.each([null, 'http://bots.example.org', 'https://192.168.0.4'])('a webhook is warned of at %s', async (address) => {
  await shown({ 'enable-webhook': true }, address);
  expect((await screen.findByRole('status')).textContent).toContain(before);
});

it.each([
  [{ 'enable-webhook': true }, 'https://bots.example.org'],
  [{ 'enable-webhook': false }, null],
  [{}, null],
])('%j at %s is not', async (config, address) => {
  await shown(config, address);
  expect(screen.queryByRole('status')).toBeNull();
});
