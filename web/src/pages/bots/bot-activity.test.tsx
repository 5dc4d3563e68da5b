import type { components } from '@parley/client';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { startFakeServer } from '../../../testing/fake-server.ts';
import { renderInConsole } from '../../../testing/render.tsx';
import { english } from '../../../testing/texts.ts';
import type { Bot } from '../../components/bots/bot-queries.ts';
import { BotActivity } from './bot-activity.tsx';

type BotEvent = components['schemas']['BotEvent'];

const texts = english.bots;
const entry: BotEvent = {
  seq_id: 0,
  timestamp: Date.now() / 1000 - 7200,
  level: 'info',
  text: 'The bot is up',
  code: null,
  reason: null,
  images: [],
  message_session_id: '',
};

async function shown(logs: BotEvent[], received: string | null) {
  const server = startFakeServer();
  server.on('post', '/api/v1/platform/bots/{bot_uuid}/logs', { logs, total_count: logs.length });
  server.on('get', '/api/v1/messages', ({ query }) => {
    const messages = query.direction === 'inbound' && received !== null ? [{ created_at: received }] : [];
    return { messages, total: messages.length, next_cursor: null } as never;
  });
  // Nothing else of a bot matters here.
  await renderInConsole(<BotActivity bot={{ uuid: 'bot-1' } as Bot} />);
  await screen.findByText(new RegExp(texts.lastReceived));
  return server;
}

it('tells when the last message arrived, and of no error if there was none', async () => {
  await shown([entry], new Date(Date.now() - 180_000).toISOString());
  expect(screen.getByText('3 minutes ago').tagName).toBe('TIME');
  expect(screen.queryByRole('link')).toBeNull();
});

it('shows the newest error, which leads to the errors of the event log', async () => {
  await shown(
    [
      { ...entry, level: 'error', text: 'The first error' },
      { ...entry, seq_id: 1, level: 'error', text: 'Close code 4014' },
      { ...entry, seq_id: 2, text: 'The bot is up' },
    ],
    null,
  );
  const link = await screen.findByRole('link');
  expect(link.textContent).toBe('Close code 4014(2 hours ago)');
  expect(new URL(link.getAttribute('href') ?? '', location.href).search).toBe('?tab=log&level=error');
  expect(screen.getByText(new RegExp(texts.noActivity))).toBeTruthy();
});
