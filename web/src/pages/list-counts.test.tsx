import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { type FakeServer, refusal, startFakeServer } from '../../testing/fake-server.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { counted, english } from '../../testing/texts.ts';

const time = '2026-05-01T00:00:00Z';
let server: FakeServer;

beforeEach(() => {
  server = startFakeServer();
  server.on('get', '/api/v1/system/info', refusal(503, 'not_ready'));
  server.on('get', '/api/v1/platform/adapters/{adapter_name}', refusal(404, 'not_found'));
});

it('a search of messages that stopped early does not say that there are none', async () => {
  server.on('get', '/api/v1/platform/bots', { bots: [] });
  server.on('get', '/api/v1/pipelines', { pipelines: [] });
  server.on('get', '/api/v1/messages', { messages: [], next_cursor: 'c' });
  await openConsole('/messages?text=x', server);
  expect(await screen.findByRole('heading', { name: english.messages.list.paused })).toBeTruthy();
  expect(screen.queryByText(english.messages.list.nothing)).toBeNull();
  expect(screen.getByRole('button', { name: english.messages.list.further })).toBeTruthy();
});

it.each([
  ['info', 1],
  ['debug', 2],
] as const)('the event log counts the entries of the level %s', async (level, count) => {
  const entry = {
    code: null,
    reason: null,
    timestamp: 1_777_000_000,
    images: [],
    message_session_id: '',
  };
  const webhooks = { webhook_url: null, webhook_full_url: null, extra_webhook_full_url: null, uses_webhook: false };
  server.on('get', '/api/v1/platform/bots/{bot_uuid}', {
    bot: {
      uuid: 'b1',
      name: 'Parrot',
      description: '',
      adapter: 'telegram',
      adapter_config: {},
      enable: true,
      use_pipeline_name: null,
      use_pipeline_uuid: null,
      pipeline_routing_rules: [],
      uncertain_sends: 'continue',
      created_at: time,
      updated_at: time,
      adapter_runtime_values: {
        ...webhooks,
        state: 'running',
        error: null,
        error_reason: null,
        bot_account_id: null,
        bot_account_name: null,
        bot_account_url: null,
        since: time,
      },
    },
  });
  server.on('get', '/api/v1/monitoring/sessions', { sessions: [], total: 0, limit: 100, offset: 0 });
  server.on('post', '/api/v1/platform/bots/{bot_uuid}/logs', {
    logs: [
      { ...entry, seq_id: 0, level: 'debug', text: 'a detail' },
      { ...entry, seq_id: 1, level: 'info', text: 'an event' },
    ],
    total_count: 2,
  });
  server.on('get', '/api/v1/messages', { messages: [], next_cursor: null });
  await openConsole(`/bots/b1?tab=log&level=${level}`, server);
  expect(await screen.findByText(counted(english.bots, 'logCount', count))).toBeTruthy();
});
